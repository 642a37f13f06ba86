import { emailKeyOf } from "#accounts/queries.ts";
import { takeMailAllowance } from "#auth/sign-in-limits/mail-limits.ts";
import type { Context } from "#context";
import type { Mail } from "#mail/mailer.ts";
import { type FactorChange, factorChangedMail, operatorChangedMail, passwordChangedMail } from "./mails.ts";

/** Sends the owner of an account a notice that its password was changed. */
export function queueChangedNotice(ctx: Context, email: string): void {
  queueNotice(ctx, { email, change: "passwordChanged" }, passwordChangedMail(ctx.config.publicUrl, email));
}

/** Sends the owner of an account a notice about its second factors. */
export function queueFactorNotice(ctx: Context, email: string, change: FactorChange): void {
  queueNotice(ctx, { email, change }, factorChangedMail(ctx.config.publicUrl, email, change));
}

/** Sends the former operator of the server a notice that names the new one. */
export function queueOperatorNotice(ctx: Context, email: string, successor: string): void {
  const mail = operatorChangedMail(ctx.config.publicUrl, email, successor);
  queueNotice(ctx, { email, change: "operatorChanged" }, mail);
}

interface Notice {
  readonly email: string;
  readonly change: FactorChange | "passwordChanged" | "operatorChanged";
}

/**
 * Limited, because anybody can register with a stranger's address. Each change has its own allowance, so that an intruder cannot
 * suppress the notice of one change by making others.
 */
function queueNotice(ctx: Context, { email, change }: Notice, mail: Mail): void {
  ctx.mailQueue.add(async () =>
    (await takeMailAllowance(ctx, `notice ${change}`, emailKeyOf(email))) ? mail : undefined,
  );
}
