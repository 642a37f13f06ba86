import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import { minuteMs } from "@flamekeep/contract/durations";
import { sha256Hex } from "#auth/tokens/opaque-token.ts";
import type { Config } from "#config";
import type { Context } from "#context";
import { Failure } from "#failure";
import type { PasskeyPurpose } from "#store/row/tables/second-factors.ts";

export const challengeLifeMs = 5 * minuteMs;

interface ChallengeOwner {
  readonly purpose: PasskeyPurpose;
  /** null for `sign in`: nobody is known yet. */
  readonly userId: string | null;
}

/** A new challenge for a browser to sign, as bytes. */
export async function createPasskeyChallenge(
  ctx: Context,
  { purpose, userId }: ChallengeOwner,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(randomBytes(32));
  const challengeHash = sha256Hex(Buffer.from(bytes).toString("base64url"));
  const expiresAt = new Date(ctx.now().getTime() + challengeLifeMs).toISOString();
  await ctx.rows
    .insertInto("passkeyChallenges")
    .values({ challengeHash, purpose, userId, expiresAt })
    .execute();
  return bytes;
}

/** The challenge that the browser signed, which is used up; undefined if it never existed, was used, expired, or is another's. */
export async function consumePasskeyChallenge(
  ctx: Context,
  clientDataJSON: string,
  { purpose, userId }: ChallengeOwner,
): Promise<string | undefined> {
  const challenge = challengeIn(clientDataJSON);
  if (challenge === undefined) return undefined;
  let deletion = ctx.rows
    .deleteFrom("passkeyChallenges")
    .where("challengeHash", "=", sha256Hex(challenge))
    .where("purpose", "=", purpose)
    .where("expiresAt", ">", ctx.now().toISOString());
  deletion = userId === null ? deletion.where("userId", "is", null) : deletion.where("userId", "=", userId);
  const { numDeletedRows } = await deletion.executeTakeFirstOrThrow();
  return numDeletedRows === 1n ? challenge : undefined;
}

function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const data = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8"));
    return typeof data?.challenge === "string" ? data.challenge : undefined;
  } catch {
    // Anybody can send anything.
    return undefined;
  }
}

/** The names under which browsers keep passkeys: they are bound to the host of PUBLIC_URL. */
interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/** Undefined where browsers refuse passkeys: without TLS, except on this machine, and at a network address without a name. */
export function relyingPartyOf({ publicUrl }: Pick<Config, "publicUrl">): RelyingParty | undefined {
  const { hostname: id, origin, protocol } = new URL(publicUrl);
  const isLocal = id === "localhost" || id.endsWith(".localhost");
  const isAddress = id.startsWith("[") || isIP(id) !== 0;
  return !isAddress && (isLocal || protocol === "https:") ? { id, origin } : undefined;
}

export function requireRelyingParty(config: Pick<Config, "publicUrl">): RelyingParty {
  const party = relyingPartyOf(config);
  if (party !== undefined) return party;
  throw new Failure(
    "conflict",
    "Passkeys need an https address with a host name. The operator of this server sets it as PUBLIC_URL.",
  );
}
