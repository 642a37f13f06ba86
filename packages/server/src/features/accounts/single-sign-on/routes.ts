import * as calls from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import * as oidc from "openid-client";
import { openSession } from "#accounts/new-session/open-session.ts";
import { accountWithPassword } from "#accounts/passwords/checks.ts";
import type { OidcConfig } from "#config";
import type { Context } from "#context";
import { Failure, invalid, unauthenticated, withHeaders } from "#failure";
import type { Caller } from "#http/endpoint/caller.ts";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import { Reply } from "#http/reply/reply.ts";
import { linkIdentity, listIdentities, unlinkIdentity } from "./identities.ts";
import { type Identity, personOf } from "./person.ts";
import {
  away,
  noPendingCookie,
  openProvider,
  type PendingSignIn,
  type Purpose,
  pendingCookie,
  pendingSignIn,
} from "./provider.ts";

const callsPerMinute = 30;
/** By how much the provider's clock may be ahead of this server's. */
const iatSecondsAheadMax = 60;

export function registerSingleSignOn(app: FastifyInstance, ctx: Context): void {
  const provider = providerOf(ctx);
  const options = { rate: perMinute(app, "single sign-on", callsPerMinute) };
  serve(app, ctx, calls.startSingleSignOn, () => provider().begin("sign in"), options);
  serve(
    app,
    ctx,
    calls.finishSingleSignOn,
    (_ctx, _actor, { query, invitation: token }, caller) => {
      const { config, finish } = provider();
      return finish({ query, caller, purpose: "sign in" }, async (identity) => {
        const { person, invitation } = await personOf(ctx, config, identity, token);
        return openSession(ctx, person, { caller, invitation });
      });
    },
    options,
  );
  serve(app, ctx, calls.listIdentities, listIdentities);
  serve(
    app,
    ctx,
    calls.startIdentityLink,
    async (_ctx, actor, { password }) => {
      await accountWithPassword(ctx, actor, password);
      return provider().begin({ linkTo: actor.sessionId });
    },
    options,
  );
  serve(
    app,
    ctx,
    calls.finishIdentityLink,
    (_ctx, actor, { query }, caller) =>
      provider().finish({ query, caller, purpose: { linkTo: actor.sessionId } }, (identity) =>
        linkIdentity(ctx, actor, identity),
      ),
    options,
  );
  serve(app, ctx, calls.unlinkIdentity, unlinkIdentity);
}

interface Provider {
  readonly config: OidcConfig;
  /** The address of the provider's sign-in page, with the cookie of a pending sign-in. */
  readonly begin: (purpose: Purpose) => Promise<Reply<{ url: string }>>;
  /** Ends the pending sign-in, whether or not the identity is accepted. */
  readonly finish: <T>(
    answer: ProviderAnswer,
    accept: (identity: Identity) => Promise<T>,
  ) => Promise<Reply<T>>;
}

interface ProviderAnswer {
  readonly query: string;
  readonly caller: Caller;
  readonly purpose: Purpose;
}

/** Throws 404 if the server has no identity provider. */
function providerOf(ctx: Context): () => Provider {
  const { oidc: config, publicUrl } = ctx.config;
  if (config === undefined) {
    return () => {
      throw new Failure("not_found", "This server has no single sign-on.");
    };
  }
  const discovered = openProvider(ctx, config);
  const redirectUri = `${publicUrl}/single-sign-on`;
  const identify = async (pending: PendingSignIn, { query, purpose }: ProviderAnswer): Promise<Identity> => {
    const url = new URL(redirectUri);
    url.search = query;
    const checks = {
      expectedState: pending.state,
      expectedNonce: pending.nonce,
      pkceCodeVerifier: pending.verifier,
      idTokenExpected: true,
    };
    return identityOf(await discovered(), { url, checks, now: ctx.now() }).catch((err) => {
      ctx.log.warn({ code: err?.code, reason: err?.message }, "single sign-on failed");
      if (err instanceof TypeError || err?.name === "TimeoutError") throw away(config, err);
      throw notConfirmed(config, purpose);
    });
  };
  const provider: Provider = {
    config,
    begin: async (purpose) => {
      const pending = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(await discovered(), {
        redirect_uri: redirectUri,
        scope: "openid email profile",
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: "S256",
      });
      const headers = { "set-cookie": pendingCookie(ctx, pending, purpose) };
      return new Reply({ url: url.href }, { headers });
    },
    finish: async (answer, accept) => {
      const pending = pendingSignIn(ctx, answer.caller.headers.cookie, answer.purpose);
      if (pending === undefined) throw tooLate(answer.purpose);
      const headers = { "set-cookie": noPendingCookie(ctx) };
      try {
        return new Reply(await accept(await identify(pending, answer)), { headers });
      } catch (error) {
        throw withHeaders(error, headers);
      }
    },
  };
  return () => provider;
}

const tooLate = (purpose: Purpose) =>
  purpose === "sign in"
    ? unauthenticated("Your sign-in took too long. Start again.")
    : linkRefused("Linking the account took too long.");

const notConfirmed = ({ name }: OidcConfig, purpose: Purpose) =>
  purpose === "sign in"
    ? unauthenticated(`${name} did not confirm this sign-in. Start again.`)
    : linkRefused(`${name} did not confirm the account to link.`);

/** Not 401, which would mean that the session has ended. */
function linkRefused(reason: string): Failure {
  return invalid(`${reason} Start again under Settings, Account.`);
}

interface SentBack {
  readonly url: URL;
  readonly checks: oidc.AuthorizationCodeGrantChecks;
  readonly now: Date;
}

async function identityOf(provider: oidc.Configuration, { url, checks, now }: SentBack): Promise<Identity> {
  const tokens = await oidc.authorizationCodeGrant(provider, url, checks);
  const claims = tokens.claims();
  if (claims === undefined) throw new Error("The provider sent no ID token");
  // Everybody without a subject would be the same person. PostgreSQL cannot store a NUL character.
  if (claims.sub === "" || claims.sub.includes("\0"))
    throw new Error("The provider sent an unusable subject");
  if (claims.iat > now.getTime() / 1000 + iatSecondsAheadMax)
    throw new Error("The provider sent an ID token of the future: compare the clocks of both servers");
  // Many providers give the address only here.
  const isComplete = claims.email !== undefined || provider.serverMetadata().userinfo_endpoint === undefined;
  const info = isComplete ? claims : await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub);
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: textOf(info.email),
    isEmailVerified: info.email_verified === true,
    firstName: textOf(info.given_name),
    lastName: textOf(info.family_name),
  };
}

function textOf(claim: unknown): string | undefined {
  return typeof claim === "string" && claim.length <= 254 ? claim : undefined;
}
