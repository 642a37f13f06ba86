import { type AlertPage, isAfter } from "#alerts/paging.ts";
import type { AlertRow } from "#alerts/stored-alert.ts";
import type { RowStore } from "#store/row/row-store.ts";

/** The first signal of each incident, which has its id, newest first. */
export function incidentPage(rows: RowStore, orgId: string, page: AlertPage): Promise<AlertRow[]> {
  const { service, status, from, to, before, limit } = page;
  const signals = rows.selectFrom("alerts as signals").select("signals.incidentId");
  const own = signals.where("signals.orgId", "=", orgId);
  const open = own.where("signals.resolvedAt", "is", null);
  let query = rows
    .selectFrom("alerts")
    .selectAll()
    .where("orgId", "=", orgId)
    .whereRef("id", "=", "incidentId");
  if (service !== undefined) query = query.where("service", "=", service);
  if (status === "open") query = query.where("id", "in", open);
  if (status === "resolved") query = query.where("id", "not in", open);
  if (from !== undefined) {
    const later = own.where("signals.resolvedAt", ">", from);
    query = query.where((is) => is.or([is("id", "in", open), is("id", "in", later)]));
  }
  if (to !== undefined) query = query.where("openedAt", "<", to);
  if (before !== undefined) {
    query = query.where(isAfter(before));
  }
  return query.orderBy("openedAt", "desc").orderBy("id", "desc").limit(limit).execute();
}

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
