import {
  type Access,
  demoPlaceholder,
  type Endpoint,
  organizationHeader,
  sessionEndedMessage,
} from "@flamekeep/contract";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { hasExpired } from "#auth/keys/key-lookup.ts";
import { type AccessClaims, readAccessToken } from "#auth/tokens/access-token.ts";
import type { Actor, Context, DemoActor, KeyActor, UserActor } from "#context";
import { Failure, forbidden, invalid, notFound, unauthenticated } from "#failure";
import { apiKeyOf, bearerOf } from "./credentials.ts";

const keyMissing =
  "An API key is required. Create one under Settings, API Keys, and send it in the X-API-Key header.";
const keyInAddress =
  "API keys in the address are rejected, because addresses are logged. Send the key in the X-API-Key header, and revoke this one under Settings, API Keys.";
const onlyOwnOrganization = `This call reads the organization of the session alone. Leave out the header ${organizationHeader}, or switch to the organization.`;
const keyInvalid = "This API key is not valid. Check that it was copied completely and not revoked.";

/** Turns the credentials of a request into an actor. Throws `unauthenticated` if they are missing or not valid. */
export async function authenticate(
  ctx: Context,
  endpoint: Pick<Endpoint, "isOpenToOtherOrganizations"> & { readonly auth: Exclude<Access, "none"> },
  request: FastifyRequest,
): Promise<Actor> {
  if (endpoint.auth !== "session") return keyActor(ctx, request);
  const actor = await sessionActor(ctx, request);
  const orgId = namedOrganization(request);
  if (orgId === undefined || orgId === actor.orgId) return actor;
  if (!endpoint.isOpenToOtherOrganizations) throw invalid(onlyOwnOrganization);
  return inOrganization(ctx, actor, orgId);
}

function namedOrganization({ headers }: FastifyRequest): string | undefined {
  const value = headers[organizationHeader.toLowerCase()];
  // Node joins a header that is sent twice: the text is no id then.
  return value === undefined ? undefined : String(value).toLowerCase();
}

/** The person as a member of another organization. An unknown organization gets the same reply as one without the person. */
async function inOrganization(ctx: Context, actor: UserActor | DemoActor, orgId: string): Promise<UserActor> {
  const session =
    actor.kind === "user" && z.uuid().safeParse(orgId).success
      ? await ctx.sessions.findIn(actor.sessionId, orgId)
      : undefined;
  if (session === undefined) throw notFound("Organization");
  return { ...(actor as UserActor), ...session };
}

async function sessionActor(ctx: Context, request: FastifyRequest): Promise<UserActor | DemoActor> {
  const token = bearerOf(request.headers);
  if (token === undefined) throw unauthenticated();
  if (token === demoPlaceholder && ctx.demo !== null) return { kind: "demo", orgId: ctx.demo.orgId };
  const claims = await readAccessToken(ctx.accessKeys, token, ctx.now());
  if (claims === undefined) throw unauthenticated(sessionEndedMessage);
  const session = await sessionOf(ctx, claims);
  if (session === undefined || session.userId !== claims.userId || session.orgId !== claims.orgId) {
    throw unauthenticated(sessionEndedMessage);
  }
  return { kind: "user", sessionId: claims.sessionId, ...session } satisfies UserActor;
}

async function sessionOf(ctx: Context, { sessionId, orgId }: AccessClaims) {
  const session = await ctx.sessions.find(sessionId);
  if (session === undefined || session.orgId === orgId) return session;
  // Another process may have moved the session to the organization of this token.
  ctx.sessions.forget(sessionId);
  return ctx.sessions.find(sessionId);
}

async function keyActor(ctx: Context, request: FastifyRequest): Promise<Actor> {
  const text = apiKeyOf(request.headers);
  if (text === undefined) throw unauthenticated(hasKeyInAddress(request) ? keyInAddress : keyMissing);
  if (text === demoPlaceholder && ctx.demo !== null) return { kind: "demo", orgId: ctx.demo.orgId };
  const key = await ctx.keys.find(text);
  if (key === undefined) throw unauthenticated(keyInvalid);
  const { expiresAt, ...found } = key;
  if (hasExpired(key, ctx.now())) {
    const failure = keyExpired(String(expiresAt));
    ctx.keyUsage.countRefused(found, failure);
    throw failure;
  }
  return { kind: "key", ...found };
}

/** Names under which other products read keys. */
function hasKeyInAddress({ query }: FastifyRequest): boolean {
  return ["api_key", "apikey", "key", "token"].some((name) => Object.hasOwn(query as object, name));
}

function keyExpired(at: string): Failure {
  const message = `This API key expired on ${at.slice(0, 10)}. Create a new one under Settings and replace it in your senders.`;
  return new Failure("key_expired", message);
}

/** The actors that `serve` lets through to an endpoint. */
export type ActorOf<E extends Pick<Endpoint, "auth" | "isOpenToDemo" | "isOpenToAgents">> =
  E["auth"] extends "session"
    ?
        | UserActor
        | (true extends E["isOpenToDemo"] ? DemoActor : never)
        | (true extends E["isOpenToAgents"] ? KeyActor : never)
    : E["auth"] extends "ingestKey"
      ? KeyActor
      : E["auth"] extends "readKey"
        ? KeyActor | DemoActor
        : null;

/**
 * Throws `forbidden` unless the contract admits the actor: the demo where the endpoint is open to it, a key by scope, a user by role. People
 * without the second factor that their organization requires may only make the calls that are open to them.
 */
export function authorize(endpoint: Endpoint, actor: Actor): void {
  const { auth, roles, isOpenToDemo, isForOperator, isOpenWithoutSecondFactor } = endpoint;
  if (actor.kind === "demo" && !isOpenToDemo) throw forbidden("The demo is read-only");
  if (actor.kind === "key") checkScope(auth, actor);
  if (actor.kind === "user" && actor.lacksSecondFactor && !isOpenWithoutSecondFactor) {
    throw new Failure(
      "second_factor_required",
      "Your organization requires a second factor. Set one up under Settings, Account.",
    );
  }
  if (actor.kind === "user" && !roles.includes(actor.role)) {
    throw forbidden(`This needs the role ${roles.join(" or ")}. Ask an admin of your organization.`);
  }
  if (isForOperator && !(actor.kind === "user" && actor.isOperator)) {
    throw forbidden("Only the operator of this server has access.");
  }
}

function checkScope(auth: Endpoint["auth"], { scope }: KeyActor): void {
  if (auth === "ingestKey" && scope !== "ingest") {
    throw forbidden("This API key is read-only. Use a key with the scope ingest to send profiles.");
  }
  if (auth === "readKey" && scope === "ingest") {
    throw forbidden(
      "This API key can only send profiles. Create one that reads (scope read) under Settings, API Keys.",
    );
  }
}
