import type { deleteOrganization as deleteCall, ReplyOf } from "@flamekeep/contract";
import type { Context, UserActor } from "#context";
import { invalid } from "#failure";
import { lockOrganization } from "#store/row/organization-lock.ts";
import type { RowStore } from "#store/row/row-store.ts";
import { moveHome } from "./operations.ts";
import { organizationRow } from "./queries.ts";

/**
 * Ends everybody's access to the organization and records that it is deleted. A job removes its data, which can take minutes:
 * see features/retention/remove-organizations.ts.
 */
export async function deleteOrganization(
  ctx: Context,
  actor: UserActor,
  { confirm }: { readonly confirm: string },
): Promise<ReplyOf<typeof deleteCall>> {
  const { orgId, userId } = actor;
  const { name } = await organizationRow(ctx.rows, orgId);
  if (confirm !== name) throw invalid(`Field 'confirm' must be the name of the organization, ${name}`);
  const ended = await ctx.rows.transaction().execute(async (rows) => {
    await lockOrganization(rows, orgId);
    const removedAt = ctx.now().toISOString();
    await rows
      .insertInto("organizationRemovals")
      .values({ orgId, name, removedBy: userId, removedAt })
      .execute();
    await rows.updateTable("organizations").set({ suspendedAt: removedAt }).where("id", "=", orgId).execute();
    return endAccess(rows, actor, removedAt);
  });
  for (const { publicId } of ended.keys) ctx.keys.forget(publicId);
  for (const member of ended.members) ctx.sessions.forgetUser(member.userId);
  ctx.log.warn({ orgId, userId, members: ended.members.length }, "an organization was deleted");
  return moveHome(ctx, actor);
}

async function endAccess(rows: RowStore, { orgId, sessionId }: UserActor, at: string) {
  const members = await rows
    .deleteFrom("memberships")
    .where("orgId", "=", orgId)
    .returning("userId")
    .execute();
  const keys = await rows.deleteFrom("apiKeys").where("orgId", "=", orgId).returning("publicId").execute();
  await rows.deleteFrom("invitations").where("orgId", "=", orgId).execute();
  await rows
    .updateTable("sessions")
    .set({ endedAt: at })
    .where("orgId", "=", orgId)
    .where("id", "!=", sessionId)
    .where("endedAt", "is", null)
    .execute();
  return { members, keys };
}
