import type * as calls from "@flamekeep/contract";
import type { InputOf, ReplyOf } from "@flamekeep/contract";
import { requireRole } from "#auth/require-role.ts";
import type { Context, UserActor } from "#context";
import { Failure, invalid } from "#failure";
import { lockedTransaction } from "#store/row/organization-lock.ts";
import { changesRow, type RowStore } from "#store/row/row-store.ts";
import { endSessionsIn } from "./member-queries.ts";
import { moveHome, organizationRow } from "./operations.ts";

/**
 * Ends everybody's access to the organization and records that it is deleted. A job removes its data, which can take minutes:
 * see features/retention/remove-organizations.ts.
 */
export async function deleteOrganization(
  ctx: Context,
  actor: UserActor,
  { confirm }: InputOf<typeof calls.deleteOrganization>,
): Promise<ReplyOf<typeof calls.deleteOrganization>> {
  const { orgId, userId } = actor;
  const { name } = await organizationRow(ctx.rows, orgId);
  if (confirm !== name) throw invalid(`Field 'confirm' must be the name of the organization, ${name}`);
  const ended = await lockedTransaction(ctx.rows, orgId, async (rows) => {
    const removedAt = ctx.now();
    const removal = { orgId, name, removedBy: userId, removedAt: removedAt.toISOString() };
    const insertion = rows
      .insertInto("organizationRemovals")
      .values(removal)
      .onConflict((conflict) => conflict.column("orgId").doNothing());
    // Another admin may have deleted it at the same time.
    if (!(await changesRow(insertion)))
      throw new Failure("conflict", "The organization has already been deleted.");
    await requireRole(rows, actor, ["admin"]);
    await rows
      .updateTable("organizations")
      .set({ suspendedAt: removal.removedAt })
      .where("id", "=", orgId)
      .execute();
    return endAccess(rows, actor, removedAt);
  });
  for (const { publicId } of ended.keys) ctx.keys.forget(publicId);
  for (const member of ended.members) ctx.sessions.forgetUser(member.userId);
  ctx.log.warn({ orgId, userId, members: ended.members.length }, "an organization was deleted");
  return moveHome(ctx, actor);
}

async function endAccess(rows: RowStore, { orgId, sessionId }: UserActor, at: Date) {
  const members = await rows
    .deleteFrom("memberships")
    .where("orgId", "=", orgId)
    .returning("userId")
    .execute();
  const keys = await rows.deleteFrom("apiKeys").where("orgId", "=", orgId).returning("publicId").execute();
  await rows.deleteFrom("invitations").where("orgId", "=", orgId).execute();
  await endSessionsIn(rows, orgId, { at, except: sessionId });
  return { members, keys };
}
