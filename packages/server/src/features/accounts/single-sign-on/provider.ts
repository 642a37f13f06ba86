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

function discover({ issuer, clientId, clientSecret }: OidcConfig): Promise<oidc.Configuration> {
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
