import { minuteMs } from "@flamekeep/contract/durations";
import { type AccountWithHash, accountWithHash } from "#accounts/queries.ts";
import { verifyPassword } from "#auth/passwords/password.ts";
import type { Context, UserActor } from "#context";
import { invalid, notFound, rateLimited } from "#failure";
import { fillBucket, takeTokens } from "#store/row/token-bucket.ts";

/** Guesses of the current password in a session that somebody else may have taken over. */
const guessLimit = { capacity: 5, refillMs: 5 * minuteMs };

export const wrongPassword = () => invalid("The current password is not correct");

/** The account of the session. Throws 400 for a wrong password. Counted before the check, so that concurrent guesses cannot exceed the limit. */
export async function accountWithPassword(
  ctx: Context,
  { orgId, userId }: UserActor,
  password: string,
): Promise<AccountWithHash> {
  const account = await accountWithHash(ctx.rows, orgId, userId);
  if (account === undefined) throw notFound("User");
  const bucket = { subject: `passwordChange:${account.id}`, ...guessLimit };
  const waitMs = await takeTokens(ctx.rows, [bucket], ctx.now());
  if (waitMs > 0) {
    const minutes = Math.ceil(waitMs / minuteMs);
    throw rateLimited(`Too many failed attempts. Try again in ${minutes} min.`, Math.ceil(waitMs / 1000));
  }
  if (!(await verifyPassword(account.passwordHash, password, ctx.config.passwordCost))) {
    const actor = { kind: "user", id: userId } as const;
    await ctx.audit.record(orgId, { event: "password.refused", outcome: "failure", actor });
    throw wrongPassword();
  }
  await fillBucket(ctx.rows, bucket);
  return account;
}
