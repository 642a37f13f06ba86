import { randomUUID } from "node:crypto";
import { emailKeyOf } from "#accounts/people/queries.ts";
import { takeMailAllowance } from "#auth/sign-in-limits/mail-limits.ts";
import type { Context } from "#context";
import type { Mail } from "#mail/mailer.ts";

// The texts name nothing that people choose, except the address they go to: see Mail.

export function resetMail(publicUrl: string, to: string, token: string): Mail {
  return mail(to, "Choose a new password for Flamekeep", [
    "Someone, probably you, asked to reset your password. Choose a new one here:",
    `${publicUrl}/reset-password?token=${token}`,
    "The link works once, for 30 minutes. If it was not you, ignore this email: your password stays as it is.",
  ]);
}

const factorChanges = {
  totpAdded:
    "An authenticator app was added to your account. Signing in with your password now needs its code.",
  totpRemoved: "The authenticator app was removed from your account.",
  passkeyAdded: "A passkey was added to your account. It signs in without the password.",
  passkeyRemoved: "A passkey was removed from your account.",
  identityLinked:
    "An account at an identity provider was linked to your account. It signs in without the password.",
  identityUnlinked:
    "An account at an identity provider was unlinked from your account. It can no longer be used to sign in.",
  recoveryCodeUsed: "Someone signed in to your account with a recovery code, which cannot be used again.",
  allRemoved:
    "The operator of your server removed the authenticator app, the passkeys and the recovery codes of your account. Your password alone signs in until you add new ones.",
  recoveryCodesReplaced: "The recovery codes of your account were replaced. The former ones no longer work.",
} as const;

type FactorChange = keyof typeof factorChanges;

export function verificationMail(publicUrl: string, to: string, token: string): Mail {
  return mail(to, "Confirm your email address for Flamekeep", [
    "An account with this address was created. Confirm that the address is yours:",
    `${publicUrl}/verify-email?token=${token}`,
    "The link works once, for a day. If you did not create an account, ignore this email.",
  ]);
}

export function invitationMail(
  publicUrl: string,
  to: string,
  { token, expiresAt }: { readonly token: string; readonly expiresAt: string },
): Mail {
  return mail(to, "You were invited to Flamekeep", [
    "Someone invited you to their organization on a Flamekeep server. Join it here:",
    `${publicUrl}/invite/${token}`,
    `The link works once, until ${expiresAt.slice(0, 16).replace("T", " ")} UTC. If you do not know the server, ignore this email.`,
  ]);
}

function mail(to: string, subject: string, paragraphs: readonly string[]): Mail {
  return { id: randomUUID(), to: [to], subject, text: `${paragraphs.join("\n\n")}\n` };
}

/** Sends the owner of an account a notice that its password was changed. */
export function queueChangedNotice(ctx: Context, email: string): void {
  queueNotice(ctx, email, "passwordChanged", "Your Flamekeep password was changed", [
    "The password of your account was changed, and its other sessions were ended.",
    "Authenticator apps, passkeys and linked accounts are unchanged. Remove any that is not yours under Settings, Account.",
    "If it was not you, choose a new password now and tell the operator of your server:",
    `${ctx.config.publicUrl}/forgot-password`,
  ]);
}

/** Sends the owner of an account a notice about its second factors. */
export function queueFactorNotice(ctx: Context, email: string, change: FactorChange): void {
  queueNotice(ctx, email, change, "Your Flamekeep sign-in settings were changed", [
    factorChanges[change],
    "If it was not you, sign in and look under Settings, Account: remove what is not yours, replace the recovery codes, and change the password.",
    `${ctx.config.publicUrl}/settings`,
    "A new password alone removes no app, passkey or linked account. If you cannot sign in, tell the operator of your server.",
  ]);
}

/** Sends the former operator of the server a notice that names the new one. */
export function queueOperatorNotice(ctx: Context, email: string, successor: string): void {
  queueNotice(ctx, email, "operatorChanged", "You are no longer the operator of your Flamekeep server", [
    `The role was handed over from your account. The new operator is ${successor}.`,
    "If it was not you, change your password. Only a change in the database of the server can give the role back.",
    `${ctx.config.publicUrl}/settings`,
  ]);
}

/**
 * Limited, because anybody can register with a stranger's address. Each change has its own allowance, so that an intruder cannot
 * suppress the notice of one change by making others.
 */
function queueNotice(
  ctx: Context,
  email: string,
  change: FactorChange | "passwordChanged" | "operatorChanged",
  ...text: readonly [subject: string, paragraphs: readonly string[]]
): void {
  ctx.mailQueue.add(async () =>
    (await takeMailAllowance(ctx, `notice ${change}`, emailKeyOf(email))) ? mail(email, ...text) : undefined,
  );
}
