import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";
import type { Page } from "playwright-core";

export interface IdentityProvider extends AsyncDisposable {
  /** The settings with which Flamekeep uses it. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * A real OpenID Connect provider on loopback, whose own pages ask for a name and accept any password. A person has the address
 * `<name>@mapped.example`, which counts as confirmed unless the name begins with "unconfirmed".
 *
 * @param appUrl the public address of the Flamekeep that uses it
 */
export async function startIdentityProvider(appUrl: string): Promise<IdentityProvider> {
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const client = { client_id: "flamekeep", client_secret: "only for this test" };
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: [`${appUrl}/single-sign-on`] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["given_name", "family_name"] },
    findAccount: (_, id) => ({ accountId: id, claims: () => claimsOf(id) }),
    cookies: { keys: ["only for tests"] },
  });
  http.on("request", provider.callback());
  return {
    env: {
      PUBLIC_URL: appUrl,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: client.client_id,
      OIDC_CLIENT_SECRET: client.client_secret,
      OIDC_NAME: "Example Login",
    },
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

/** Signs in on the provider's own pages, and agrees that it passes the person's address on. */
export async function signInAtProvider(page: Page, name: string): Promise<void> {
  await page.locator("input[name=login]").fill(name);
  await page.locator("input[name=password]").fill("any");
  await page.locator("button[type=submit]").click();
  await page.getByRole("button", { name: "Continue" }).click();
}

function claimsOf(id: string) {
  return {
    sub: id,
    email: `${id}@mapped.example`,
    email_verified: !id.startsWith("unconfirmed"),
    given_name: "Grace",
    family_name: "Hopper",
  };
}
