import type { publicConfig, ReplyOf } from "@flamekeep/contract";
import type { Context } from "#context";
import { hasOperator } from "./register.ts";

/** Settings of the sign-in pages. The first account may register although the server is closed to registration. */
export async function getPublicConfig(ctx: Context): Promise<ReplyOf<typeof publicConfig>> {
  const { oidc, signup } = ctx.config;
  const isClosed = signup === "invite" && (await hasOperator(ctx.rows));
  return {
    demo: ctx.demo !== null,
    mail: ctx.mailer.isSending,
    sign_up: isClosed ? "invite" : "open",
    single_sign_on: oidc === undefined ? null : { name: oidc.name },
  };
}
