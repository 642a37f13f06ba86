import type { Access, Role } from "@flamekeep/contract";
import type { Actor, DemoActor, KeyActor, UserActor } from "#context";
import { forbidden } from "#failure";

/** Who stands behind a call, by what the call asks for. */
export type ActorOf<A extends Access> = A extends "session"
  ? UserActor | DemoActor
  : A extends "key"
    ? KeyActor
    : null;

export const demoIsReadOnly = "The demo is read-only";

/** First line of every verb that changes something: throws unless the actor holds one of the roles. */
export function requireRole(actor: Actor, ...roles: readonly Role[]): asserts actor is UserActor {
  if (actor.kind === "demo") throw forbidden(demoIsReadOnly);
  if (actor.kind !== "user" || !roles.includes(actor.role)) {
    throw forbidden(`This needs the role ${roles.join(" or ")}. Ask an admin of your organization.`);
  }
}
