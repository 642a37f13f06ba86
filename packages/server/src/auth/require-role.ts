import type { Role } from "@flamekeep/contract";
import type { UserActor } from "#context";
import { forbidden } from "#failure";
import type { RowStore } from "#store/row/row-store.ts";

/**
 * For a transaction that locked the organization and gives access to it: the actor may have lost the role, or left, just before. The
 * check of the route is older than the lock.
 */
export async function requireRole(
  rows: RowStore,
  { orgId, userId }: UserActor,
  allowed: readonly Role[],
): Promise<void> {
  const membership = await rows
    .selectFrom("memberships")
    .select("role")
    .where("orgId", "=", orgId)
    .where("userId", "=", userId)
    .executeTakeFirst();
  if (membership !== undefined && allowed.includes(membership.role)) return;
  throw forbidden(
    membership === undefined
      ? "You are no longer a member of this organization."
      : `You are no longer ${allowed.length === 1 ? "an admin" : "allowed to make changes"} in this organization.`,
  );
}
