import type { AlertRow } from "#alerts/stored-alert.ts";
import type { RowStore } from "#store/row/row-store.ts";

/** All signals of these incidents, in the order in which they opened. */
export function signalsOf(
  rows: RowStore,
  orgId: string,
  incidentIds: readonly string[],
): Promise<AlertRow[]> {
  return rows
    .selectFrom("alerts")
    .selectAll()
    .where("orgId", "=", orgId)
    .where("incidentId", "in", incidentIds)
    .orderBy("openedAt")
    .orderBy("type")
    .orderBy("id")
    .execute();
}

/** All signals of the incidents of a service that have an open one. */
export function openSignals(rows: RowStore, orgId: string, service: string): Promise<AlertRow[]> {
  const open = rows
    .selectFrom("alerts as open")
    .select("open.incidentId")
    .where("open.orgId", "=", orgId)
    .where("open.service", "=", service)
    .where("open.resolvedAt", "is", null);
  return rows
    .selectFrom("alerts")
    .selectAll()
    .where("orgId", "=", orgId)
    .where("incidentId", "in", open)
    .execute();
}
