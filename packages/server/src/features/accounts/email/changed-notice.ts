import { emailKeyOf } from "#accounts/queries.ts";
import { mayMail } from "#auth/sign-in-limits/mail-limits.ts";
import type { Context } from "#context";
import { passwordChangedMail } from "./mails.ts";

/** Sends the owner of an account a notice that its password was changed. Limited, because anybody can register with a stranger's address. */
export function queueChangedNotice(ctx: Context, email: string): void {
  ctx.mailQueue.add(async () =>
    (await mayMail(ctx, "changed", emailKeyOf(email)))
      ? passwordChangedMail(ctx.config.publicUrl, email)
      : undefined,
  );
}
