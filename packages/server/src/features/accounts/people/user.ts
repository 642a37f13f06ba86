import type { ReplyOf, User, userProfile } from "@flamekeep/contract";
import type { Context, DemoActor, UserActor } from "#context";
import { type AccountRow, ownAccount } from "./queries.ts";

/** The signed-in user; for the demo a fixed user that is not stored. */
export async function getUser(
  ctx: Context,
  actor: UserActor | DemoActor,
): Promise<ReplyOf<typeof userProfile>> {
  if (actor.kind === "demo") return { user: demoUser(ctx, actor) };
  return { user: presentUser(await ownAccount(ctx, actor)) };
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

export function presentUser(row: AccountRow): User {
  return {
    id: row.id,
    email: row.email,
    first_name: row.firstName,
    last_name: row.lastName,
    name: fullName(row),
    avatar: null,
    role: row.role,
    is_active: row.isActive === 1,
    is_verified: row.isVerified === 1,
    created_at: row.createdAt,
    last_login_at: row.lastLoginAt,
    is_operator: row.operatorSlot !== null,
    needs_second_factor: Boolean(row.lacksSecondFactor),
    organization: { id: row.orgId, name: row.orgName },
  };
}

export function fullName({ firstName, lastName }: Pick<AccountRow, "firstName" | "lastName">): string {
  return `${firstName} ${lastName}`;
}
