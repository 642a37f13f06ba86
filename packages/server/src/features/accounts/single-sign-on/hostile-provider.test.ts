import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "#testing/start-app.ts";

const secret = "a client secret that the provider knows";
const keys = await generateKeyPair("RS256");
const otherKeys = await generateKeyPair("RS256");
const jwk = { ...(await exportJWK(keys.publicKey)), kid: "first", use: "sig" };

let provider: Server;
let issuer: string;
let server: TestApp;
/** The answer of the provider to the next code. */
let idToken: string;

beforeAll(async () => {
  provider = createServer((request, response) => {
    const replies: Record<string, object> = {
      "/.well-known/openid-configuration": {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
      },
      "/jwks": { keys: [jwk] },
      "/token": { access_token: "any", token_type: "Bearer", id_token: idToken },
    };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(replies[request.url ?? ""]));
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const env = { PUBLIC_URL: "http://flamekeep.test", OIDC_ISSUER: issuer, OIDC_CLIENT_ID: "flamekeep" };
  server = await startApp({ env: { ...env, OIDC_CLIENT_SECRET: secret } });
});
afterAll(async () => {
  await server?.close();
  await new Promise((resolve) => provider.close(resolve));
});

interface Forgery {
  readonly claims?: object;
  readonly header?: Partial<JWTHeaderParameters>;
  readonly key?: CryptoKey | Uint8Array;
  readonly edit?: (token: string) => string;
}

let people = 0;
async function signIn({ claims, header, key = keys.privateKey, edit = (token) => token }: Forgery) {
  const remoteAddress = `198.51.100.${++people}`;
  const begun = await server.app.inject({ method: "POST", url: "/auth/single-sign-on", remoteAddress });
  const { searchParams } = new URL(begun.json().url);
  const nowSeconds = Math.floor(Date.now() / 1000);
  const payload = {
    iss: issuer,
    aud: "flamekeep",
    sub: randomUUID(),
    iat: nowSeconds,
    exp: nowSeconds + 300,
    nonce: searchParams.get("nonce"),
    email: `person${people}@example.com`,
    email_verified: true,
    ...claims,
  };
  const signed = new SignJWT(payload).setProtectedHeader({ alg: "RS256", kid: "first", ...header });
  idToken = edit(await signed.sign(key));
  const reply = await server.app.inject({
    method: "POST",
    url: "/auth/single-sign-on/finish",
    remoteAddress,
    headers: { cookie: String(begun.headers["set-cookie"]).split(";")[0] as string },
    payload: { query: `?code=any&state=${searchParams.get("state")}` },
  });
  return [reply.statusCode, reply.json().error];
}

const ahead = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const refused = [401, "single sign-on did not confirm this sign-in. Start again."];

describe("an ID token", () => {
  it("signs in with the signature of the provider and a clock that is a little ahead", async () => {
    expect(await signIn({})).toEqual([200, undefined]);
    expect(await signIn({ claims: { iat: ahead(30) } })).toEqual([200, undefined]);
  });

  it.each<[string, Forgery]>([
    ["signed with another key", { key: otherKeys.privateKey }],
    [
      "signed with a key that the provider does not list",
      { key: otherKeys.privateKey, header: { kid: "x" } },
    ],
    ["signed with the client's secret", { key: Buffer.from(secret), header: { alg: "HS256" } }],
    ["without a signature", { edit: (token) => token.slice(0, token.lastIndexOf(".") + 1) }],
    ["of the algorithm none", { edit: (token) => `${encoded({ alg: "none" })}.${token.split(".")[1]}.` }],
    [
      "whose claims were changed",
      {
        edit: (token) => {
          const [head, body = "", signature] = token.split(".");
          const claims = JSON.parse(Buffer.from(body, "base64url").toString());
          return [head, encoded({ ...claims, email: "victim@example.com" }), signature].join(".");
        },
      },
    ],
    ["without a subject", { claims: { sub: undefined } }],
    ["with an empty subject", { claims: { sub: "" } }],
    ["issued in the future", { claims: { iat: ahead(120) } }],
    ["that has expired", { claims: { exp: ahead(-60) } }],
    ["of another issuer", { claims: { iss: "https://other.example" } }],
    ["for another client", { claims: { aud: "other" } }],
    ["for several clients", { claims: { aud: ["flamekeep", "other"] } }],
    ["with another nonce", { claims: { nonce: "other" } }],
    ["without a nonce", { claims: { nonce: undefined } }],
  ])("%s is refused", async (_, forgery) => {
    expect(await signIn(forgery)).toEqual(refused);
  });
});
