import type { Endpoint } from "@flamekeep/contract";
import type { Actor, DemoActor, KeyActor, UserActor } from "#context";
import { forbidden } from "#failure";

/** The actors that `serve` lets through to an endpoint. */
export type ActorOf<E extends Pick<Endpoint, "auth" | "isOpenToDemo">> = E["auth"] extends "session"
  ? true extends E["isOpenToDemo"]
    ? UserActor | DemoActor
    : UserActor
  : E["auth"] extends "key"
    ? KeyActor
    : null;

/** Throws `forbidden` unless the contract admits the actor: the demo where the endpoint is open to it, a user by role. */
export function checkAdmission({ roles, isOpenToDemo }: Endpoint, actor: Actor): void {
  if (actor.kind === "demo" && !isOpenToDemo) throw forbidden("The demo is read-only");
  if (actor.kind === "user" && !roles.includes(actor.role)) {
    throw forbidden(`This needs the role ${roles.join(" or ")}. Ask an admin of your organization.`);
  }
}
