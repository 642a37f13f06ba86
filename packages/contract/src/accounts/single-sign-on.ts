import { z } from "zod";
import { roles } from "#base/call.ts";
import { endpointIn } from "#base/endpoint.ts";
import { Instant } from "#base/moments.ts";
import { invitation, SignedIn } from "./account.ts";
import * as calls from "./calls.ts";
import { PasswordAgain } from "./second-factor.ts";

const SignInPage = z.object({
  url: z.string().meta({
    description: "The provider's sign-in page.",
    example: "https://login.example.com/authorize?client_id=flamekeep",
  }),
});

const query = z.string().min(1).max(8000).meta({
  description: "Query parameters of the provider's redirect.",
  example: "?code=Zq3c&state=1f7A",
});

const Identity = z
  .object({
    id: z.string().meta({ example: "5d2b0c7f9a1e4c33" }),
    issuer: z.string().meta({ description: "The provider.", example: "https://login.example.com" }),
    linked_at: Instant,
  })
  .meta({ id: "Identity" });
export type Identity = z.output<typeof Identity>;

const endpoint = endpointIn("Accounts");

export const singleSignOnEndpoints = [
  endpoint(calls.startSingleSignOn, {
    summary: "Begin to sign in with the identity provider",
    description:
      "Returns the address to open, and sets a cookie that is required to finish within ten minutes. 404 without an identity provider, 503 if it cannot be reached.",
    reply: SignInPage,
    failures: ["not_found", "rate_limited"],
  }),
  endpoint(calls.finishSingleSignOn, {
    summary: "Finish signing in with the identity provider",
    description:
      "Exchanges the provider's code, once. The provider must have confirmed the email address. The second factor is up to the provider: a local one is not asked for. With an invitation, the session is in the joined organization.",
    body: z.object({
      query,
      invitation,
    }),
    reply: SignedIn,
    failures: ["unauthenticated", "forbidden", "not_found", "rate_limited", "conflict"],
  }),
  endpoint(calls.listIdentities, {
    summary: "Accounts at identity providers that sign you in",
    isOpenToDemo: false,
    reply: z.object({
      provider: z.string().nullable().meta({
        description: "Name of the server's identity provider; null if it has none.",
        example: "Example Login",
      }),
      identities: z.array(Identity),
    }),
  }),
  endpoint(calls.startIdentityLink, {
    summary: "Begin to link your account at the identity provider",
    description:
      "Needs the password. Returns the address to open, and sets a cookie that is required to finish within ten minutes. 404 without an identity provider, 503 if it cannot be reached.",
    roles,
    body: PasswordAgain,
    reply: SignInPage,
    failures: ["not_found", "rate_limited"],
  }),
  endpoint(calls.finishIdentityLink, {
    summary: "Link the account at the identity provider that you have signed in to",
    description:
      "Only in the session that started it. 409 if the provider account is linked to another account here.",
    roles,
    body: z.object({ query }),
    reply: z.object({ identity: Identity }),
    failures: ["not_found", "rate_limited", "conflict"],
  }),
  endpoint(calls.unlinkIdentity, {
    summary: "Unlink an account at an identity provider",
    description:
      "Needs the password, which becomes your way to sign in. The provider account no longer signs in until it is linked again.",
    roles,
    params: z.object({ id: z.string().meta({ example: "5d2b0c7f9a1e4c33" }) }),
    body: PasswordAgain,
    reply: z.object({ identity: Identity }),
    failures: ["not_found", "rate_limited"],
  }),
] as const;
