import type { Alert } from "@flamekeep/contract";
import type { Insertable } from "kysely";
import { mutesAt } from "#alerts/mutes/queries.ts";
import { functionPattern } from "#alerts/row/function-series.ts";
import { silencePattern } from "#alerts/row/silent-series.ts";
import { type AlertRow, alertsOf } from "#alerts/row/stored-alert.ts";
import type { Context } from "#context";
import { changesRow, type Database, type RowStore } from "#store/row/row-store.ts";
import { toAlert } from "./present.ts";

type Handling = Pick<Alert, "acknowledged" | "expected">;

/** The handling of these alerts, by their ids. */
async function handlingOf(
  rows: RowStore,
  orgId: string,
  alertIds: readonly string[],
): Promise<ReadonlyMap<string, Handling>> {
  if (alertIds.length === 0) return new Map();
  const found = await rows
    .selectFrom("alertHandling")
    .leftJoin("users as acknowledger", "acknowledger.id", "alertHandling.acknowledgedBy")
    .leftJoin("users as expecter", "expecter.id", "alertHandling.expectedBy")
    .select([
      "alertHandling.alertId",
      "alertHandling.acknowledgedAt",
      "alertHandling.expectedAt",
      "acknowledger.firstName as acknowledgedFirst",
      "acknowledger.lastName as acknowledgedLast",
      "expecter.firstName as expectedFirst",
      "expecter.lastName as expectedLast",
    ])
    .where("alertHandling.orgId", "=", orgId)
    .where("alertHandling.alertId", "in", alertIds)
    .execute();
  return new Map(
    found.map((row) => {
      const acknowledged = handled(row.acknowledgedAt, row.acknowledgedFirst, row.acknowledgedLast);
      const expected = handled(row.expectedAt, row.expectedFirst, row.expectedLast);
      return [row.alertId, { ...(acknowledged && { acknowledged }), ...(expected && { expected }) }];
    }),
  );
}

function handled(at: string | null, first: string | null, last: string | null) {
  return at === null ? undefined : { at, by: first === null ? null : `${first} ${last}` };
}

/** Alerts as they are shown: with what people did about them, and whether they are muted now. In the order of the rows. */
export async function shownAlerts(
  { rows, now }: Pick<Context, "rows" | "now">,
  orgId: string,
  alerts: readonly AlertRow[],
): Promise<Alert[]> {
  const ids = alerts.map(({ id }) => id);
  const [muted, handling] = await Promise.all([mutesAt(rows, orgId, now()), handlingOf(rows, orgId, ids)]);
  return alerts.map((row) => ({ ...toAlert(row, muted), ...handling.get(row.id) }));
}

type Change = Partial<Omit<Insertable<Database["alertHandling"]>, "orgId" | "alertId">>;

export async function storeHandling(
  rows: RowStore,
  { orgId, id }: Pick<AlertRow, "orgId" | "id">,
  change: Change,
): Promise<void> {
  await rows
    .insertInto("alertHandling")
    .values({ orgId, alertId: id, ...change })
    .onConflict((conflict) => conflict.columns(["orgId", "alertId"]).doUpdateSet(change))
    .execute();
}

/** False if the alert is not marked as expected. */
export function removeExpected(
  rows: RowStore,
  { orgId, id }: Pick<AlertRow, "orgId" | "id">,
): Promise<boolean> {
  return changesRow(
    rows
      .updateTable("alertHandling")
      .set({ expectedBy: null, expectedAt: null })
      .where("orgId", "=", orgId)
      .where("alertId", "=", id)
      .where("expectedAt", "is not", null),
  );
}

export function findAlert(rows: RowStore, orgId: string, id: string): Promise<AlertRow | undefined> {
  const alert = alertsOf(rows, orgId).where("id", "=", id);
  return alert.executeTakeFirst();
}

/** Alerts about series that were marked as expected since this time, oldest first. */
export function expectedAlerts(rows: RowStore, orgId: string, since: Date) {
  return rows
    .selectFrom("alertHandling")
    .innerJoin("alerts", (join) =>
      join.onRef("alerts.orgId", "=", "alertHandling.orgId").onRef("alerts.id", "=", "alertHandling.alertId"),
    )
    .select([
      "alerts.service",
      "alerts.type",
      "alerts.sampleType",
      "alerts.beganAt",
      "alerts.reference",
      "alertHandling.expectedAt",
    ])
    .where("alertHandling.orgId", "=", orgId)
    .where("alerts.sampleType", "not like", silencePattern)
    .where("alerts.sampleType", "not like", functionPattern)
    .where("alertHandling.expectedAt", ">", since.toISOString())
    .orderBy("alertHandling.expectedAt")
    .$narrowType<{ expectedAt: string }>()
    .execute();
}
