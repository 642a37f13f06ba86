import { randomBytes } from "node:crypto";
import { minuteMs } from "@flamekeep/contract/durations";
import { sha256Hex } from "#auth/tokens/sha256.ts";
import type { Context } from "#context";
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
