import type * as calls from "@flamekeep/contract";
import type { Member } from "@flamekeep/contract";
import { removeInvitationsBy } from "#accounts/invitations/queries.ts";
import { fullName } from "#accounts/people/user.ts";
import { announceRevoked, type RevokedKey, revokeKeys } from "#auth/keys/revoke-keys.ts";
import { requireRole } from "#auth/require-role.ts";
import type { Context, UserActor } from "#context";
import { Failure, notFound } from "#failure";
import type { Operation } from "#http/endpoint/serve.ts";
import { replyTo } from "#http/reply/reply.ts";
import { lockedTransaction } from "#store/row/organization-lock.ts";
import type { RowStore } from "#store/row/row-store.ts";
import {
  endSessionsIn,
  findMember,
  hasOtherAdmin,
  type MemberRow,
  membersOf,
  removeMembership,
  setRole,
} from "./member-queries.ts";
import { moveHome } from "./operations.ts";

export const listMembers: Operation<typeof calls.listMembers> = async (ctx, actor) => {
  const members = await membersOf(ctx.rows, actor.orgId, ctx.now());
  return { members: members.map((member) => presentMember(member, actor)) };
};

export const changeMemberRole: Operation<typeof calls.changeMemberRole> = async (
  ctx,
  actor,
  { id, role },
) => {
  let isChanged = false;
  const member = await asAdmin(ctx, actor, id, async (rows, before) => {
    if (before.role === role) return before;
    if (role !== "admin") await stopBeingAdmin(rows, actor.orgId, before);
    await setRole(rows, actor.orgId, { userId: id, role });
    isChanged = true;
    return { ...before, role };
  });
  ctx.sessions.forgetUser(id);
  if (isChanged) {
    ctx.log.info(
      { orgId: actor.orgId, userId: actor.userId, memberId: id, role },
      "role of a member changed",
    );
  }
  return replyTo(isChanged, { member: presentMember(member, actor) });
};

export const transferOrganization: Operation<typeof calls.transferOrganization> = async (
  ctx,
  actor,
  { id },
) => {
  if (id === actor.userId) throw new Failure("conflict", "You are an admin of the organization already.");
  const member = await asAdmin(ctx, actor, id, async (rows, before) => {
    if (before.isActive === 0) {
      throw new Failure("conflict", "The operator disabled this account. Choose a member who can sign in.");
    }
    await setRole(rows, actor.orgId, { userId: id, role: "admin" });
    await setRole(rows, actor.orgId, { userId: actor.userId, role: "member" });
    await removeInvitationsBy(rows, actor.orgId, actor.userId);
    return { ...before, role: "admin" as const };
  });
  for (const userId of [id, actor.userId]) ctx.sessions.forgetUser(userId);
  ctx.log.info({ orgId: actor.orgId, userId: actor.userId, memberId: id }, "organization transferred");
  return { member: presentMember(member, actor) };
};

export const removeMember: Operation<typeof calls.removeMember> = async (
  ctx,
  actor,
  { id, revoke_api_keys: revokesKeys },
) => {
  if (id === actor.userId)
    throw new Failure("conflict", "You cannot remove yourself. Leave the organization instead.");
  const { orgId } = actor;
  const now = ctx.now();
  let revoked: RevokedKey[] = [];
  const member = await asAdmin(ctx, actor, id, async (rows, before) => {
    await stopBeingAdmin(rows, orgId, before);
    await removeMembership(rows, orgId, id);
    await endSessionsIn(rows, orgId, { userId: id, at: now });
    if (!revokesKeys) return before;
    revoked = await revokeKeys(rows, { orgId, now }, { createdBy: id });
    return { ...before, activeKeys: 0 };
  });
  ctx.sessions.forgetUser(id);
  ctx.log.info({ orgId, userId: actor.userId, memberId: id }, "member removed");
  await announceRevoked(ctx, actor, revoked);
  return { member: presentMember(member, actor), revoked_api_keys: revoked.length };
};

export const leaveOrganization: Operation<typeof calls.leaveOrganization> = async (ctx, actor) => {
  const { orgId, userId, sessionId } = actor;
  await withMember(ctx, orgId, userId, async (rows, before) => {
    await stopBeingAdmin(rows, orgId, before);
    await removeMembership(rows, orgId, userId);
    await endSessionsIn(rows, orgId, { userId, at: ctx.now(), except: sessionId });
    return before;
  });
  ctx.sessions.forgetUser(userId);
  ctx.log.info({ orgId, userId }, "member left");
  return moveHome(ctx, actor);
};

/** Runs a change of a member in a transaction, one at a time per organization, so that the number of admins stays valid. */
function withMember(
  ctx: Context,
  orgId: string,
  userId: string,
  change: (rows: RowStore, before: MemberRow) => Promise<MemberRow>,
): Promise<MemberRow> {
  return lockedTransaction(ctx.rows, orgId, async (rows) => {
    const before = await findMember(rows, orgId, { userId, now: ctx.now() });
    if (before === undefined) throw notFound("Member", userId);
    return change(rows, before);
  });
}

/** As `withMember`, for a change that only an admin may make. */
function asAdmin(
  ctx: Context,
  actor: UserActor,
  userId: string,
  change: (rows: RowStore, before: MemberRow) => Promise<MemberRow>,
): Promise<MemberRow> {
  return withMember(ctx, actor.orgId, userId, async (rows, before) => {
    await requireRole(rows, actor, ["admin"]);
    return change(rows, before);
  });
}

/** Nothing for other roles. Throws for the last admin; invitations of an admin end with the role. */
async function stopBeingAdmin(rows: RowStore, orgId: string, { id, role }: MemberRow): Promise<void> {
  if (role !== "admin") return;
  if (!(await hasOtherAdmin(rows, orgId, id))) {
    throw new Failure(
      "conflict",
      "The organization needs an admin who can sign in. Make another member an admin first.",
    );
  }
  await removeInvitationsBy(rows, orgId, id);
}

function presentMember(row: MemberRow, actor: UserActor): Member {
  return {
    id: row.id,
    name: fullName(row),
    email: row.email,
    role: row.role,
    is_active: row.isActive === 1,
    joined_at: row.joinedAt,
    last_login_at: row.lastLoginAt,
    is_you: row.id === actor.userId,
    active_api_keys: row.activeKeys,
  };
}
