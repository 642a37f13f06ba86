import { createHmac, timingSafeEqual } from "node:crypto";
import { minuteMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";

const lifeMs = 10 * minuteMs;
const cookieName = "flamekeep_single_sign_on";
/** State, nonce, verifier and expiry, then their MAC. */
const pendingPattern = new RegExp(
  String.raw`(?:^|;\s*)${cookieName}=(([\w-]{1,200})\.([\w-]{1,200})\.([\w-]{1,200})\.(\d{1,15}))\.([\w-]{43})(?:;|$)`,
);

/** A sign-in that began here and waits for the provider. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  /** The secret of PKCE. */
  readonly verifier: string;
}

/** The provider's answer is for a sign-in, or for a link to the account of the session with this id. */
export type Purpose = "sign in" | { readonly linkTo: string };

/** The `Set-Cookie` of a sign-in that waits for the provider. */
export function pendingCookie(
  ctx: Context,
  { state, nonce, verifier }: PendingSignIn,
  purpose: Purpose,
): string {
  const text = [state, nonce, verifier, ctx.now().getTime() + lifeMs].join(".");
  return cookie(ctx, `${text}.${macOf(ctx, text, purpose)}`, lifeMs / 1000);
}

/** The `Set-Cookie` that removes it. */
export function noPendingCookie(ctx: Context): string {
  return cookie(ctx, "", 0);
}

/** Undefined without a cookie, with a changed one or one for another purpose, and after ten minutes. */
export function pendingSignIn(
  ctx: Context,
  cookies: string | undefined,
  purpose: Purpose,
): PendingSignIn | undefined {
  const match = pendingPattern.exec(cookies ?? "");
  if (match === null) return undefined;
  const [, text = "", state = "", nonce = "", verifier = "", expires = "", mac = ""] = match;
  if (Number(expires) <= ctx.now().getTime()) return undefined;
  const isOurs = timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(ctx, text, purpose)));
  return isOurs ? { state, nonce, verifier } : undefined;
}

function cookie(ctx: Context, value: string, seconds: number): string {
  const parts = [
    `${cookieName}=${value}`,
    `Path=${ctx.config.basePath}/auth/single-sign-on`,
    `Max-Age=${seconds}`,
    "HttpOnly",
    "SameSite=Lax",
  ];
  if (ctx.config.publicUrl.startsWith("https:")) parts.push("Secure");
  return parts.join("; ");
}

function macOf(ctx: Context, text: string, purpose: Purpose): string {
  const macPurpose = purpose === "sign in" ? "single sign-on" : `single sign-on link ${purpose.linkTo}`;
  return createHmac("sha256", ctx.signInKey).update(`${macPurpose} ${text}`).digest("base64url");
}
