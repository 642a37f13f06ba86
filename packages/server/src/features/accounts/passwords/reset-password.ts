import type * as calls from "@flamekeep/contract";
import type { InputOf, ReplyOf } from "@flamekeep/contract";
import { queueChangedNotice } from "#accounts/email/changed-notice.ts";
import {
  consumeMailToken,
  mailTokenOwner,
  removeMailTokens,
  resetPurposes,
  type TokenOwner,
} from "#accounts/email/mail-tokens.ts";
import { hashPassword } from "#auth/passwords/password.ts";
import { endSessionsOf } from "#auth/sessions/session.ts";
import { endLockOut } from "#auth/sign-in-limits/attempts.ts";
import { opaqueTokenHash } from "#auth/tokens/opaque-token.ts";
import type { Context } from "#context";
import { invalid } from "#failure";
import { refuseCommonPassword } from "./common-passwords.ts";

/** The same for a token that never existed, was used, was replaced or expired. */
const unusable = () => invalid("Invalid or missing reset token. Please request a new password reset.");

/** Sets the password, ends all sessions and the lock-out of the account, and sends its owner a notice. */
export async function resetPassword(
  ctx: Context,
  _actor: null,
  input: InputOf<typeof calls.resetPassword>,
): Promise<ReplyOf<typeof calls.resetPassword>> {
  const tokenHash = opaqueTokenHash(input.token);
  if (tokenHash === undefined) throw unusable();
  const owner = await mailTokenOwner(ctx.rows, { tokenHash, purposes: resetPurposes, now: ctx.now() });
  if (owner === undefined) throw unusable();
  refuseCommonPassword(input.new_password, owner);
  // A hash takes long, and the transaction must be short.
  const passwordHash = await hashPassword(input.new_password, ctx.config.passwordCost);
  await setPassword(ctx, owner, { tokenHash, passwordHash });
  await endLockOut(ctx, owner.emailKey);
  ctx.log.info({ userId: owner.userId }, "password reset; all sessions of the user ended");
  ctx.audit.recordInAllOrganizations(owner.userId, { event: "password.reset" });
  queueChangedNotice(ctx, owner.email);
  return { message: "Your password has been changed. Sign in with the new one." };
}

async function setPassword(
  ctx: Context,
  { userId }: TokenOwner,
  { tokenHash, passwordHash }: { readonly tokenHash: string; readonly passwordHash: string },
): Promise<void> {
  await ctx.rows.transaction().execute(async (rows) => {
    if (!(await consumeMailToken(rows, { tokenHash, purposes: resetPurposes, now: ctx.now() })))
      throw unusable();
    // A link that arrived by mail proves that the address is the user's. From the outbox an operator hands it over.
    const verified = ctx.mailer.isSending ? { isVerified: 1 as const } : {};
    await rows
      .updateTable("users")
      .set({ passwordHash, ...verified })
      .where("id", "=", userId)
      .execute();
    await removeMailTokens(rows, userId, resetPurposes);
    await endSessionsOf(ctx, userId, { rows });
  });
  // A session that was read while the transaction ran may be in the cache again.
  ctx.sessions.forgetUser(userId);
}
