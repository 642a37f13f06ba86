import type { SecondFactorNeeded } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { type PersonWithHash, personById } from "#accounts/people/queries.ts";
import type { FactorFlags } from "#auth/second-factor/factor-flags.ts";
import { countSession } from "#auth/sign-in-limits/attempts.ts";
import { createOpaqueToken, opaqueTokenHash, sha256Hex } from "#auth/tokens/opaque-token.ts";
import type { Context } from "#context";
import { changesRow, type RowStore } from "#store/row/row-store.ts";
import { methodsFor } from "./methods.ts";

const lifeMs = 5 * minuteMs;

/**
 * Starts the second step of a sign-in whose password was right; undefined for an account without a second factor. Throws 429 for too many
 * sign-ins.
 */
export async function startChallenge(
  ctx: Context,
  person: PersonWithHash & FactorFlags,
): Promise<SecondFactorNeeded["second_factor"] | undefined> {
  const methods = methodsFor(person);
  if (methods.length === 0) return undefined;
  await countSession(ctx, person.id);
  const { text: token, hash: tokenHash } = createOpaqueToken();
  const expiresAt = new Date(ctx.now().getTime() + lifeMs).toISOString();
  await ctx.rows
    .insertInto("signInChallenges")
    .values({ tokenHash, userId: person.id, passwordMark: markOf(person), expiresAt })
    .execute();
  return { token, methods, expires_at: expiresAt };
}

/** The person whose sign-in waits; undefined for a token that never existed, was used, or expired, or whose password was changed. */
export async function challengedPerson(ctx: Context, token: string): Promise<PersonWithHash | undefined> {
  const tokenHash = opaqueTokenHash(token);
  if (tokenHash === undefined) return undefined;
  const row = await ctx.rows
    .selectFrom("signInChallenges")
    .select(["userId", "passwordMark"])
    .where("tokenHash", "=", tokenHash)
    .where("expiresAt", ">", ctx.now().toISOString())
    .executeTakeFirst();
  const person = row && (await personById(ctx.rows, row.userId));
  const isUsable = person?.isActive === 1 && markOf(person) === row?.passwordMark;
  return isUsable ? person : undefined;
}

/** Uses the token up; false if it was used before. */
export async function consumeChallenge(rows: RowStore, token: string): Promise<boolean> {
  const tokenHash = opaqueTokenHash(token);
  if (tokenHash === undefined) return false;
  const deletion = rows.deleteFrom("signInChallenges").where("tokenHash", "=", tokenHash);
  return changesRow(deletion);
}

function markOf({ passwordHash }: PersonWithHash): string {
  return sha256Hex(passwordHash);
}
