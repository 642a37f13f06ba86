import { finishSingleSignOn, startSingleSignOn } from "@flamekeep/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import * as oidc from "openid-client";
import type { Caller } from "#accounts/caller.ts";
import { openSession } from "#accounts/open-session.ts";
import type { Context } from "#context";
import { notFound, unauthenticated } from "#failure";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import { noPendingCookie, pendingCookie, pendingSignIn } from "./pending-cookie.ts";
import { type Identity, personOf } from "./person.ts";
import { away, openProvider } from "./provider.ts";

const callsPerMinute = 30;

export function registerSingleSignOn(
  app: FastifyInstance,
  ctx: Context,
  callerOf: (request: FastifyRequest) => Caller,
): void {
  const config = ctx.config.oidc;
  const provider = config && openProvider(ctx, config);
  const redirectUri = `${ctx.config.publicUrl}/single-sign-on`;
  const rate = perMinute(app, callsPerMinute);
  serve(
    app,
    ctx,
    startSingleSignOn,
    async ({ reply }) => {
      if (provider === undefined) throw notFound("Single sign-on");
      const pending = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(await provider(), {
        redirect_uri: redirectUri,
        scope: "openid email profile",
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: "S256",
      });
      reply.header("set-cookie", pendingCookie(ctx, pending));
      return { url: url.href };
    },
    { rate },
  );
  serve(
    app,
    ctx,
    finishSingleSignOn,
    async ({ body, request, reply }) => {
      if (config === undefined || provider === undefined) throw notFound("Single sign-on");
      const caller = callerOf(request);
      const pending = pendingSignIn(ctx, caller.cookies);
      if (pending === undefined) throw unauthenticated("Your sign-in took too long. Begin again.");
      reply.header("set-cookie", noPendingCookie(ctx));
      const url = new URL(redirectUri);
      url.search = body.query;
      const checks = {
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        pkceCodeVerifier: pending.verifier,
        idTokenExpected: true,
      };
      const identity = await identityOf(await provider(), url, checks).catch((err) => {
        ctx.log.warn({ code: err?.code, reason: err?.message }, "single sign-on failed");
        if (err instanceof TypeError || err?.name === "TimeoutError") throw away(config, err);
        throw unauthenticated(`${config.name} did not confirm this sign-in. Begin again.`);
      });
      const { person, invitation } = await personOf(ctx, config, identity, body.invitation);
      return openSession(ctx, person, { caller, invitation });
    },
    { rate },
  );
}

async function identityOf(
  provider: oidc.Configuration,
  url: URL,
  checks: oidc.AuthorizationCodeGrantChecks,
): Promise<Identity> {
  const tokens = await oidc.authorizationCodeGrant(provider, url, checks);
  const claims = tokens.claims();
  if (claims === undefined) throw new Error("The provider sent no ID token");
  // Many providers give the address only here.
  const isComplete =
    claims["email"] !== undefined || provider.serverMetadata().userinfo_endpoint === undefined;
  const info = isComplete ? claims : await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub);
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: textOf(info["email"]),
    isEmailVerified: info["email_verified"] === true,
    firstName: textOf(info["given_name"]),
    lastName: textOf(info["family_name"]),
  };
}

function textOf(claim: unknown): string | undefined {
  return typeof claim === "string" && claim.length <= 254 ? claim : undefined;
}
