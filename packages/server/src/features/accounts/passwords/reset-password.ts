import { setTimeout as sleep } from "node:timers/promises";
import type * as calls from "@flamekeep/contract";
import type { forgotPassword } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import {
  consumeMailToken,
  mailTokenOwner,
  removeMailTokens,
  replaceMailToken,
  resetPurposes,
  type TokenOwner,
} from "#accounts/email/mail-tokens.ts";
import { queueChangedNotice, resetMail } from "#accounts/email/mails.ts";
import { emailKeyOf, personByEmail } from "#accounts/people/queries.ts";
import { hashPassword } from "#auth/passwords/password.ts";
import { endSessionsOf } from "#auth/sessions/session.ts";
import { endLockOut, signInHash } from "#auth/sign-in-limits/attempts.ts";
import { countMailRequest, takeMailAllowance } from "#auth/sign-in-limits/mail-limits.ts";
import { createOpaqueToken, opaqueTokenHash } from "#auth/tokens/opaque-token.ts";
import type { Context } from "#context";
import { invalid } from "#failure";
import type { Operation } from "#http/endpoint/serve.ts";
import type { Mail } from "#mail/mailer.ts";
import { refuseCommonPassword } from "./checks.ts";

const lifeMs = 30 * minuteMs;
/** Far longer than the work before the reply takes, so that its time says nothing about mail that is written meanwhile. */
const replyMs = 100;

/**
 * Promises a link to choose a new password. Everything that depends on the account happens after the reply, so that its
 * text, status and time are the same for addresses without an account, and for accounts that got too many mails.
 */
export const requestReset: Operation<typeof forgotPassword> = async (ctx, _actor, { email }, { address }) => {
  await Promise.all([countMailRequest(ctx, address), sleep(replyMs)]);
  ctx.mailQueue.add(() => writeResetMail(ctx, email), "reserved");
  const findUserId = async () => (await personByEmail(ctx.rows, email))?.id;
  const subject = `reset:${signInHash(ctx, emailKeyOf(email))}`;
  ctx.audit.recordThrottled(subject, findUserId, { event: "password.reset_requested" });
  const message = ctx.mailer.isSending
    ? "If an account has this address, password reset instructions have been sent to it."
    : "If an account has this address, password reset instructions have been written for it. Email is not set up on this server: ask its operator for them.";
  return { message };
};

async function writeResetMail(ctx: Context, email: string): Promise<Mail | undefined> {
  if (!(await takeMailAllowance(ctx, "reset", emailKeyOf(email)))) return undefined;
  const account = await personByEmail(ctx.rows, email);
  if (account === undefined || account.isActive === 0) return undefined;
  const { token } = await createResetToken(ctx, account.id, "reset password");
  ctx.log.info({ userId: account.id }, "password reset requested");
  return resetMail(ctx.config.publicUrl, account.email, token);
}

const replacedBy = {
  "reset password": ["reset password"],
  "reset by operator": resetPurposes,
} as const;

/**
 * A token for a new password. Earlier ones of the account stop working, but anybody can ask for a link, which does not replace one that
 * the operator handed over.
 */
export async function createResetToken(
  ctx: Context,
  userId: string,
  purpose: keyof typeof replacedBy,
): Promise<{ readonly token: string; readonly expiresAt: string }> {
  const { text: token, hash: tokenHash } = createOpaqueToken();
  const now = ctx.now();
  await replaceMailToken(ctx.rows, {
    tokenHash,
    userId,
    purpose,
    replaces: replacedBy[purpose],
    now,
    lifeMs,
  });
  return { token, expiresAt: new Date(now.getTime() + lifeMs).toISOString() };
}

/** The same for a token that never existed, was used, was replaced or expired. */
const unusable = () => invalid("Invalid or missing reset token. Please request a new password reset.");

/** Sets the password, ends all sessions and the lock-out of the account, and sends its owner a notice. */
export const resetPassword: Operation<typeof calls.resetPassword> = async (ctx, _actor, input) => {
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
};

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
