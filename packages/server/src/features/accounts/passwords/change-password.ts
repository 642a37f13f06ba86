import type * as calls from "@flamekeep/contract";
import { removeMailTokens, resetPurposes } from "#accounts/email/mail-tokens.ts";
import { queueChangedNotice } from "#accounts/email/mails.ts";
import { hashPassword } from "#auth/passwords/password.ts";
import { endSessionsOf } from "#auth/sessions/session.ts";
import { invalid } from "#failure";
import type { Operation } from "#http/endpoint/serve.ts";
import { changesRow } from "#store/row/row-store.ts";
import { accountWithPassword, refuseCommonPassword, wrongPassword } from "./checks.ts";

/** Sets a new password for a person who knows the current one, and ends their other sessions. */
export const changePassword: Operation<typeof calls.changePassword> = async (ctx, actor, input) => {
  const account = await accountWithPassword(ctx, actor, input.current_password);
  if (input.new_password === input.current_password) {
    throw invalid("The new password is the current one. Choose another one.");
  }
  refuseCommonPassword(input.new_password, account);
  const passwordHash = await hashPassword(input.new_password, ctx.config.passwordCost);
  await ctx.rows.transaction().execute(async (rows) => {
    const update = rows
      .updateTable("users")
      .set({ passwordHash })
      .where("id", "=", account.id)
      .where("passwordHash", "=", account.passwordHash);
    // A reset or another change came first: what was checked is no longer the current password.
    if (!(await changesRow(update))) throw wrongPassword();
    await removeMailTokens(rows, account.id, resetPurposes);
    await endSessionsOf(ctx, account.id, { rows, except: actor.sessionId });
  });
  ctx.sessions.forgetUser(account.id);
  ctx.log.info({ userId: account.id }, "password changed; other sessions of the user ended");
  queueChangedNotice(ctx, account.email);
  return { message: "Your password has been changed. All other sessions were ended." };
};
