import { newDeliveries } from "#alerts/queries.ts";
import type { AlertRow } from "#alerts/stored-alert.ts";
import type { RowStore } from "#store/row/row-store.ts";

/**
 * Stores an alert and its deliveries in one transaction. False if the series has an open alert already, because another
 * process was first.
 */
export function recordOpened(rows: RowStore, alert: AlertRow, now: Date): Promise<boolean> {
  return rows.transaction().execute(async (transaction) => {
    const inserted = await transaction
      .insertInto("alerts")
      .values(alert)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if ((inserted.numInsertedOrUpdatedRows ?? 0n) === 0n) return false;
    await addDeliveries(transaction, alert, "opened", now);
    return true;
  });
}

export function recordResolved(
  rows: RowStore,
  alert: AlertRow,
  resolvedAt: string,
  now: Date,
): Promise<boolean> {
  return rows.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable("alerts")
      .set({ resolvedAt })
      .where("orgId", "=", alert.orgId)
      .where("id", "=", alert.id)
      .where("resolvedAt", "is", null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return false;
    await addDeliveries(transaction, alert, "resolved", now);
    return true;
  });
}

async function addDeliveries(
  rows: RowStore,
  alert: AlertRow,
  event: "opened" | "resolved",
  now: Date,
): Promise<void> {
  const deliveries = await newDeliveries(rows, alert, event, now);
  if (deliveries.length > 0) await rows.insertInto("alertDeliveries").values(deliveries).execute();
}
