import type { UserActor } from "#context";
import { forbidden } from "#failure";
import type { RowStore } from "#store/row/row-store.ts";
import { roleOf } from "./queries.ts";

/** For a transaction that locked the organization: the actor may have lost the role to a change just before. */
export async function requireAdmin(rows: RowStore, { orgId, userId }: UserActor): Promise<void> {
  const role = await roleOf(rows, orgId, userId);
  if (role !== "admin") throw forbidden("You are no longer an admin of this organization.");
}
