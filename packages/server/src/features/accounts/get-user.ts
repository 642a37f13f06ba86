import type { ReplyOf, userProfile } from "@flamekeep/contract";
import type { Context, DemoActor, UserActor } from "#context";
import { notFound } from "#failure";
import { presentUser } from "./present.ts";
import { accountInOrganization } from "./queries.ts";

/** The signed-in user; for the demo a fixed user that is not stored. */
export async function getUser(
  ctx: Context,
  actor: UserActor | DemoActor,
): Promise<ReplyOf<typeof userProfile>> {
  if (actor.kind === "demo") return { user: demoUser(ctx, actor) };
  const account = await accountInOrganization(ctx.rows, actor.orgId, actor.userId);
  if (account === undefined) throw notFound("User");
  return { user: presentUser(account) };
}

function demoUser(ctx: Context, actor: DemoActor): ReplyOf<typeof userProfile>["user"] {
  return presentUser({
    id: actor.orgId,
    email: "demo@example.com",
    firstName: "Demo",
    lastName: "User",
    isActive: 1,
    isVerified: 1,
    createdAt: ctx.startedAt.toISOString(),
    lastLoginAt: null,
    role: "admin",
    operatorSlot: null,
    orgId: actor.orgId,
    orgName: "Demo",
    lacksSecondFactor: false,
  });
}
