import type { Endpoint } from "@flamekeep/contract";
import type { Actor, DemoActor, KeyActor, UserActor } from "#context";
import { Failure, forbidden } from "#failure";

/** The actors that `serve` lets through to an endpoint. */
export type ActorOf<E extends Pick<Endpoint, "auth" | "isOpenToDemo">> = E["auth"] extends "session"
  ? true extends E["isOpenToDemo"]
    ? UserActor | DemoActor
    : UserActor
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
    throw forbidden(`You need the role ${roles.join(" or ")} for this. Ask an admin of your organization.`);
  }
  if (isForOperator && !(actor.kind === "user" && actor.isOperator)) {
    throw forbidden("Only the operator of this server may see this.");
  }
}

function checkScope(auth: Endpoint["auth"], { scope }: KeyActor): void {
  if (auth === "ingestKey" && scope !== "ingest") {
    throw forbidden("This API key is read-only. Use a key with the scope ingest to send profiles.");
  }
  if (auth === "readKey" && scope !== "read") {
    throw forbidden(
      "This API key can only send profiles. Create one with the scope read under Settings, API Keys.",
    );
  }
}
