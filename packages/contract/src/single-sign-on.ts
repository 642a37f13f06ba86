import { z } from "zod";
import { invitation, SignedIn } from "./accounts.ts";
import { endpoint } from "./endpoint.ts";

const area = "Accounts";

export const startSingleSignOn = endpoint({
  method: "POST",
  path: "/auth/single-sign-on",
  area,
  summary: "Begin to sign in with the identity provider",
  description:
    "Sets a cookie for ten minutes, without which the sign-in cannot be finished, and returns the address to open. 404 if the server has no identity provider, 503 if it cannot be reached.",
  auth: "none",
  reply: z.object({
    url: z.string().meta({
      description: "The provider's sign-in page.",
      example: "https://login.example.com/authorize?client_id=flamekeep",
    }),
  }),
  failures: ["not_found", "rate_limited"],
});

export const finishSingleSignOn = endpoint({
  method: "POST",
  path: "/auth/single-sign-on/finish",
  area,
  summary: "Finish signing in with the identity provider",
  description:
    "Exchanges the code with which the provider sent the browser back, once. The provider must have confirmed the email address. A local second factor is not asked: the provider is responsible for it. With an invitation, the session is in the organization that is joined.",
  auth: "none",
  body: z.object({
    query: z.string().min(1).max(8000).meta({
      description: "The query with which the provider sent the browser back.",
      example: "?code=Zq3c&state=1f7A",
    }),
    invitation,
  }),
  reply: SignedIn,
  failures: ["unauthenticated", "forbidden", "not_found", "rate_limited", "conflict"],
});
