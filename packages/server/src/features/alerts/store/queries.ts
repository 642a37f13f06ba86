import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import { channelsOf, getTargets } from "#alerts/channels/targets.ts";
import { isMuted, mutesAt } from "#alerts/mutes/queries.ts";
import { functionPattern } from "#alerts/row/function-series.ts";
import { type AlertPage, pageOf } from "#alerts/row/paging.ts";
import { silencePattern } from "#alerts/row/silent-series.ts";
import { type AlertRow, alertsOf } from "#alerts/row/stored-alert.ts";
import { openedOrgId } from "#context";
import { type AlertCounts, criticalIncrease, openAlertsByService } from "#store/profiles/open-alerts.ts";
import { acrossOrganizations, type Database, type RowStore } from "#store/row/row-store.ts";

/** Newest first. */
export function alertPage(rows: RowStore, orgId: string, page: AlertPage): Promise<AlertRow[]> {
  const { status, from } = page;
  let query = alertsOf(rows, orgId);
  if (status === "open") query = query.where("resolvedAt", "is", null);
  if (status === "resolved") query = query.where("resolvedAt", "is not", null);
  if (from !== undefined) {
    query = query.where((is) => is.or([is("resolvedAt", "is", null), is("resolvedAt", ">", from)]));
  }
  return pageOf(query, page);
}

export function getAlert(rows: RowStore, orgId: string, id: string): Promise<AlertRow> {
  const alert = alertsOf(rows, orgId).where("id", "=", id);
  return alert.executeTakeFirstOrThrow();
}

const openColumns = [
  "service",
  "type",
  "sampleType",
  "increase",
  "severity",
  "circumstances",
  "ruleId",
] as const;

/** An open alert without its evidence: a large organization has a thousand of them. */
type OpenAlert = Pick<AlertRow, (typeof openColumns)[number]>;

/** The open alerts of an organization that are not muted. */
export async function unmutedAlerts(
  rows: RowStore,
  orgId: string,
  now: Date,
  services: readonly string[] = [],
): Promise<OpenAlert[]> {
  const all = rows
    .selectFrom("alerts")
    .select(openColumns)
    .where("orgId", "=", orgId)
    .where("resolvedAt", "is", null);
  const open = services.length === 0 ? all : all.where("service", "in", services);
  const [alerts, mutes] = await Promise.all([open.execute(), mutesAt(rows, orgId, now)]);
  return alerts.filter((alert) => !isMuted(alert, mutes));
}

/** The same by service, for thousands of services. Without mutes, no alert is read. */
export async function countUnmutedByService(
  rows: RowStore,
  orgId: string,
  now: Date,
): Promise<readonly AlertCounts[]> {
  if ((await mutesAt(rows, orgId, now)).length > 0)
    return openAlertsByService(await unmutedAlerts(rows, orgId, now));
  const found = await rows
    .selectFrom("alerts")
    .select(({ fn, eb }) => {
      const hasRisen = eb.and([eb("severity", "is", null), eb("increase", ">=", criticalIncrease)]);
      const isCritical = eb.or([eb("severity", "=", "critical"), hasRisen]);
      const rank = eb.case().when(isCritical).then(eb.lit(1)).else(eb.lit(0)).end();
      return ["service", fn.countAll().as("count"), fn.max(rank).as("rank")];
    })
    .where("orgId", "=", orgId)
    .where("resolvedAt", "is", null)
    .groupBy("service")
    .execute();
  return found.map(({ service, count, rank }) => ({
    service,
    count: Number(count),
    isCritical: Number(rank) === 1,
  }));
}

/** How many they are, and how many services have one. Without mutes, no alert is read. */
export async function countUnmutedAlerts(rows: RowStore, orgId: string, now: Date) {
  if ((await mutesAt(rows, orgId, now)).length > 0) {
    const alerts = await unmutedAlerts(rows, orgId, now);
    return { alerts: alerts.length, services: new Set(alerts.map(({ service }) => service)).size };
  }
  const { alerts, services } = await rows
    .selectFrom("alerts")
    .select(({ fn }) => [fn.countAll().as("alerts"), fn.count("service").distinct().as("services")])
    .where("orgId", "=", orgId)
    .where("resolvedAt", "is", null)
    .executeTakeFirstOrThrow();
  return { alerts: Number(alerts), services: Number(services) };
}

/** The open alerts that opened while they were muted, and whose first message has not followed, in the order in which they opened. */
export function withheldAlerts(rows: RowStore, orgId: string): Promise<AlertRow[]> {
  return alertsOf(rows, orgId)
    .where("resolvedAt", "is", null)
    .where("withheldAt", "is not", null)
    .where("unmutedAt", "is", null)
    .orderBy("openedAt")
    .orderBy("id")
    .execute();
}

/** Open alerts of the detector about series, without those about silence or functions, and those that opened or were resolved after `since`. */
export function alertsSince(rows: RowStore, orgId: string, since: string): Promise<AlertRow[]> {
  return alertsOf(rows, orgId)
    .where("ruleId", "is", null)
    .where("sampleType", "not like", silencePattern)
    .where("sampleType", "not like", functionPattern)
    .where((eb) =>
      eb.or([eb("resolvedAt", "is", null), eb("resolvedAt", ">", since), eb("openedAt", ">", since)]),
    )
    .execute();
}

export type Progress = Omit<Selectable<Database["alertProgress"]>, "orgId">;

export function getProgress(rows: RowStore, orgId: string): Promise<Progress | undefined> {
  return rows
    .selectFrom("alertProgress")
    .select(["evaluatedTo", "lookedAt"])
    .where("orgId", "=", orgId)
    .executeTakeFirst();
}

/** The time of the last evaluation; undefined before the first one. */
export async function alertsEvaluatedAt(rows: RowStore, orgId: string): Promise<Date | undefined> {
  const progress = await getProgress(rows, orgId);
  return progress && new Date(progress.lookedAt);
}

export async function storeProgress(rows: RowStore, orgId: string, progress: Progress): Promise<void> {
  await rows
    .insertInto("alertProgress")
    .values({ orgId, ...progress })
    .onConflict((conflict) => conflict.column("orgId").doUpdateSet(progress))
    .execute();
}

export async function evaluatedOrganizations(rows: RowStore): Promise<string[]> {
  const found = await rows
    .selectFrom("organizations")
    .select("id")
    .where("suspendedAt", "is", null)
    .where("id", "!=", openedOrgId)
    .execute();
  return found.map(({ id }) => id);
}

export type DeliveryRow = Selectable<Database["alertDeliveries"]>;

/** A delivery for each channel that is set up; none if the alert is muted, unless a message said that it opened and it is over. */
export async function newDeliveries(
  rows: RowStore,
  alert: AlertRow,
  event: DeliveryRow["event"],
  now: Date,
): Promise<DeliveryRow[]> {
  const { orgId, id } = alert;
  if (event !== "resolved" && isMuted(alert, await mutesAt(rows, orgId, now))) return [];
  const at = now.toISOString();
  return channelsOf(await getTargets(rows, orgId)).map((channel) => ({
    id: randomUUID(),
    orgId,
    alertId: id,
    event,
    channel,
    status: "due",
    attempts: 0,
    nextAttemptAt: at,
    lastError: null,
    createdAt: at,
    deliveredAt: null,
  }));
}

/** The deliveries of all organizations, oldest first. */
export function deliveriesDue(rows: RowStore, now: Date, limit: number): Promise<DeliveryRow[]> {
  return acrossOrganizations(rows)
    .selectFrom("alertDeliveries")
    .selectAll()
    .where("status", "=", "due")
    .where("nextAttemptAt", "<=", now.toISOString())
    .orderBy("nextAttemptAt")
    .limit(limit)
    .execute();
}

/** The deliveries about the same incident over the same channel that are not done, with this one if it is not. */
export function pendingOf(
  rows: RowStore,
  { orgId, alertId, channel, event }: DeliveryRow,
): Promise<DeliveryRow[]> {
  const incident = rows
    .selectFrom("alerts as reported")
    .select("reported.incidentId")
    .where("reported.orgId", "=", orgId)
    .where("reported.id", "=", alertId);
  return rows
    .selectFrom("alertDeliveries")
    .innerJoin("alerts", (join) =>
      join
        .onRef("alerts.orgId", "=", "alertDeliveries.orgId")
        .onRef("alerts.id", "=", "alertDeliveries.alertId"),
    )
    .selectAll("alertDeliveries")
    .where("alertDeliveries.orgId", "=", orgId)
    .where("alerts.incidentId", "=", incident)
    .where("channel", "=", channel)
    .where("status", "=", "due")
    .where("event", "in", event === "resolved" ? ["resolved"] : ["opened", "updated"])
    .orderBy("event")
    .orderBy("alertDeliveries.createdAt")
    .orderBy("alertDeliveries.id")
    .execute();
}

export async function recordAttempt(
  rows: RowStore,
  { orgId, id }: Pick<DeliveryRow, "orgId" | "id">,
  attempt: Pick<DeliveryRow, "status" | "attempts" | "nextAttemptAt" | "lastError" | "deliveredAt">,
): Promise<void> {
  const update = rows.updateTable("alertDeliveries").set(attempt);
  await update.where("orgId", "=", orgId).where("id", "=", id).execute();
}
