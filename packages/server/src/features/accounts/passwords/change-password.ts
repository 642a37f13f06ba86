import type { changePassword as changePasswordCall, ReplyOf } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { queueChangedNotice } from "#accounts/email/changed-notice.ts";
import { removeMailTokens } from "#accounts/email/mail-tokens.ts";
import { type AccountWithHash, accountWithHash } from "#accounts/queries.ts";
import { hashPassword, isPasswordOf } from "#auth/passwords/password.ts";
import { endSessionsOf } from "#auth/sessions/session.ts";
import type { Context, UserActor } from "#context";
import { invalid, notFound, rateLimited } from "#failure";
import { fillBucket, takeTokens } from "#store/row/token-bucket.ts";
import { refuseCommonPassword } from "./common-passwords.ts";

/** Guesses of the current password in a session that somebody else may have taken over. */
const guessLimit = { capacity: 5, refillMs: 5 * minuteMs };

const wrongPassword = () => invalid("The current password is not correct");

/** Sets a new password for a person who knows the current one, and ends their other sessions. */
export async function changePassword(
  ctx: Context,
  actor: UserActor,
  input: { readonly current_password: string; readonly new_password: string },
): Promise<ReplyOf<typeof changePasswordCall>> {
  const account = await accountWithHash(ctx.rows, actor.orgId, actor.userId);
  if (account === undefined) throw notFound("User");
  await checkCurrent(ctx, account, input.current_password);
  refuseCommonPassword(input.new_password, account);
  const passwordHash = await hashPassword(input.new_password, ctx.config.passwordCost);
  await ctx.rows.transaction().execute(async (rows) => {
    const { numUpdatedRows } = await rows
      .updateTable("users")
      .set({ passwordHash })
      .where("id", "=", account.id)
      .where("passwordHash", "=", account.passwordHash)
      .executeTakeFirstOrThrow();
    // A reset or another change came first: what was checked is no longer the current password.
    if (numUpdatedRows === 0n) throw wrongPassword();
    await removeMailTokens(rows, account.id, "reset password");
    await endSessionsOf(ctx, account.id, { rows, except: actor.sessionId });
  });
  ctx.sessions.forgetUser(account.id);
  ctx.log.info({ userId: account.id }, "password changed; other sessions of the user ended");
  queueChangedNotice(ctx, account.email);
  return { message: "Your password has been changed. All other sessions were ended." };
}

/** Counted before the check, so that concurrent guesses cannot exceed the limit. */
async function checkCurrent(ctx: Context, account: AccountWithHash, password: string): Promise<void> {
  const bucket = { subject: `passwordChange:${account.id}`, ...guessLimit };
  const waitMs = await takeTokens(ctx.rows, [bucket], ctx.now());
  if (waitMs > 0) {
    const minutes = Math.ceil(waitMs / minuteMs);
    throw rateLimited(`Too many failed attempts. Try again in ${minutes} min.`, Math.ceil(waitMs / 1000));
  }
  if (!(await isPasswordOf(account.passwordHash, password, ctx.config.passwordCost))) {
    throw wrongPassword();
  }
  await fillBucket(ctx.rows, bucket);
}
