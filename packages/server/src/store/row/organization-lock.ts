import type { RowStore } from "./row-store.ts";

/** Call it inside a transaction: others that lock the same organization wait for its end, so that a count stays valid. */
export async function lockOrganization(transaction: RowStore, orgId: string): Promise<void> {
  // SQLite has no SELECT ... FOR UPDATE; an update that changes nothing locks the row in both.
  await transaction
    .updateTable("organizations")
    .set(({ ref }) => ({ name: ref("name") }))
    .where("id", "=", orgId)
    .execute();
}
