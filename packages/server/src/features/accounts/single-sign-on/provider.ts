import { createHmac, timingSafeEqual } from "node:crypto";
import { minuteMs } from "@flamekeep/contract/durations";
import * as oidc from "openid-client";
import type { OidcConfig } from "#config";
import type { Context } from "#context";
import { unavailable } from "#failure";

const timeoutSeconds = 5;

/** Reads the provider's metadata at the first sign-in, so that a provider that is away does not delay the start. */
export function openProvider(ctx: Context, config: OidcConfig): () => Promise<oidc.Configuration> {
  let discovered: Promise<oidc.Configuration> | undefined;
  return () => {
    discovered ??= discover(config).catch((err) => {
      discovered = undefined;
      ctx.log.warn({ err, issuer: config.issuer }, "the identity provider cannot be reached");
      throw away(config, err);
    });
    return discovered;
  };
}

export function away({ name }: OidcConfig, cause: unknown) {
  return unavailable(`${name} cannot be reached at the moment. Try again, or sign in another way.`, cause);
}

/** Reads the metadata of the provider. Throws if it cannot be reached or names another issuer. */
export function discover({ issuer, clientId, clientSecret }: OidcConfig): Promise<oidc.Configuration> {
  const basic = oidc.ClientSecretBasic(clientSecret);
  const post = oidc.ClientSecretPost(clientSecret);
  const authenticate: oidc.ClientAuth = (server, ...rest) => {
    // Basic is what a provider supports that lists nothing (OpenID Connect Discovery 1.0, section 3).
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    return (methods.includes("client_secret_basic") ? basic : post)(server, ...rest);
  };
  // The library trusts the connection to the provider instead, and takes any signature.
  const execute = [oidc.enableNonRepudiationChecks];
  // Only for a provider on this machine: the settings are checked at the start.
  if (issuer.startsWith("http:")) execute.push(oidc.allowInsecureRequests);
  const options = { timeout: timeoutSeconds, execute };
  return oidc.discovery(new URL(issuer), clientId, clientSecret, authenticate, options);
}

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
