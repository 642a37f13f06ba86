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

/** A transaction that waits for the end of others that lock the same organization, so that a count in it stays valid. */
export function lockedTransaction<T>(
  rows: RowStore,
  orgId: string,
  run: (transaction: RowStore) => Promise<T>,
): Promise<T> {
  return rows.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, orgId);
    return run(transaction);
  });
}
