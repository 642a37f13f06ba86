import { randomUUID } from "node:crypto";
import { emailKeyOf } from "#accounts/people/queries.ts";
import { takeMailAllowance } from "#auth/sign-in-limits/mail-limits.ts";
import type { Context } from "#context";
import type { Mail } from "#mail/mailer.ts";

// The texts name nothing that people choose, except addresses, and the inviter and the organization of an invitation: see Mail.

export function resetMail(publicUrl: string, to: string, token: string): Mail {
  return mail(to, "Reset your Flamekeep password", [
    "You asked to reset your password. Choose a new one here:",
    `${publicUrl}/reset-password?token=${token}`,
    "The link can be used once and expires in 30 minutes. If you did not ask for it, ignore this email: your password stays unchanged.",
  ]);
}

const factorChanges = {
  totpAdded:
    "An authenticator app was added to your account. Signing in with your password now also needs its code.",
  totpRemoved: "The authenticator app was removed from your account.",
  passkeyAdded: "A passkey was added to your account. It signs in without a password.",
  passkeyRemoved: "A passkey was removed from your account.",
  identityLinked: "An identity provider account was linked to your account. It signs in without a password.",
  identityUnlinked: "An identity provider account was unlinked from your account. It can no longer sign in.",
  recoveryCodeUsed: "A recovery code was used to sign in to your account. It cannot be used again.",
  allRemoved:
    "The operator of your server removed the authenticator app, passkeys and recovery codes of your account. Your password alone signs in until you add new ones.",
  recoveryCodesReplaced: "The recovery codes of your account were replaced. The old codes no longer work.",
} as const;

type FactorChange = keyof typeof factorChanges;

export function verificationMail(publicUrl: string, to: string, token: string): Mail {
  return mail(to, "Confirm your email address for Flamekeep", [
    "An account with this address was created. Confirm that the address is yours:",
    `${publicUrl}/verify-email?token=${token}`,
    "The link can be used once and expires in a day. If you did not create an account, ignore this email.",
  ]);
}

interface Inviter {
  readonly name: string;
  readonly email: string;
  readonly organization: string;
}

export function invitationMail(
  to: string,
  { name, email, organization }: Inviter,
  { url, expiresAt }: { readonly url: string; readonly expiresAt: string },
): Mail {
  return mail(to, "You were invited to Flamekeep", [
    `${nameInMail(name)} (${email}) invited you to ${nameInMail(organization)} on this server. Join here:`,
    url,
    `The link works once, until ${expiresAt.slice(0, 16).replace("T", " ")} UTC. If you do not know the server, ignore this email.`,
  ]);
}

const nameLengthMax = 60;

/** A chosen name without the characters of links and messages: a stranger must not write a mail with it. */
function nameInMail(name: string): string {
  const words = name.replace(/[^\p{L}\p{M}\p{N}'’&+-]+/gu, " ").trim();
  return words.length > nameLengthMax
    ? `${words.slice(0, nameLengthMax).trim().toWellFormed()}…`
    : words || "Somebody";
}

function mail(to: string, subject: string, paragraphs: readonly string[]): Mail {
  return { id: randomUUID(), to: [to], subject, text: `${paragraphs.join("\n\n")}\n` };
}

/** Sends the owner of an account a notice that its password was changed. */
export function queueChangedNotice(ctx: Context, email: string): void {
  queueNotice(ctx, email, "passwordChanged", "Your Flamekeep password was changed", [
    "Your password was changed, and your other sessions were signed out.",
    "Authenticator apps, passkeys and linked accounts are unchanged. Remove those you do not recognize under Settings, Account.",
    "If this was not you, reset your password now and contact the operator of your server:",
    `${ctx.config.publicUrl}/forgot-password`,
  ]);
}

/** Sends the owner of an account a notice about its second factors. */
export function queueFactorNotice(ctx: Context, email: string, change: FactorChange): void {
  queueNotice(ctx, email, change, "Your Flamekeep sign-in settings were changed", [
    factorChanges[change],
    "If this was not you, open Settings, Account: remove everything you do not recognize, replace the recovery codes, and change the password.",
    `${ctx.config.publicUrl}/settings`,
    "A new password alone does not remove apps, passkeys or linked accounts. If you cannot sign in, contact the operator of your server.",
  ]);
}

/** Sends the former operator of the server a notice that names the new one. */
export function queueOperatorNotice(ctx: Context, email: string, successor: string): void {
  queueNotice(ctx, email, "operatorChanged", "You are no longer the operator of your Flamekeep server", [
    `The role was transferred from your account. The new operator is ${successor}.`,
    "If this was not you, change your password. Only a change in the server's database can return the role.",
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
