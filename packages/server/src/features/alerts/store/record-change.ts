import { hourMs } from "@flamekeep/contract/durations";
import { isMuted, mutesAt } from "#alerts/mutes/queries.ts";
import {
  type AlertRow,
  alertsOf,
  Circumstances,
  type NewAlert,
  ofDetector,
} from "#alerts/row/stored-alert.ts";
import { toRuleOfAlert } from "#alerts/row/stored-rule.ts";
import { lockedTransaction } from "#store/row/organization-lock.ts";
import { changesRow, type RowStore } from "#store/row/row-store.ts";
import { openSignals, signalsOf } from "./incidents.ts";
import { severityOf } from "./present.ts";
import { type DeliveryRow, newDeliveries, withheldAlerts } from "./queries.ts";

/** A rise that returns within this time goes on: its alert is open again, in its incident. */
const returnsWithinMs = 6 * hourMs;

/**
 * Stores an alert, in the incident of the service that began with it or in a new one, and its deliveries in one
 * transaction. If the series or the rule had an alert until shortly before, that one is open again instead. Returns what is stored;
 * undefined if the series or the rule has an open alert already, because another process was first, or if `isWanted` says no.
 */
export function recordOpened(
  rows: RowStore,
  alert: NewAlert,
  now: Date,
  isWanted?: (transaction: RowStore) => Promise<boolean>,
): Promise<NewAlert | undefined> {
  return lockedTransaction(rows, alert.orgId, async (transaction) => {
    // Two processes that open alerts of one service at the same time must see each other's incidents.
    if (isWanted !== undefined && !(await isWanted(transaction))) return undefined;
    const open = await openSignals(transaction, alert.orgId, alert.service);
    const isMutedNow = isMuted(alert, await mutesAt(transaction, alert.orgId, now));
    const withheld = { withheldAt: isMutedNow ? now.toISOString() : null, unmutedAt: null };
    const earlier = await alertBefore(transaction, alert);
    const stored =
      earlier === undefined
        ? { ...ofDetector, ...alert, ...withheld, incidentId: incidentOf(alert, open) ?? alert.id }
        : { ...earlier, ...returned(alert, earlier), ...withheld };
    const isStored =
      earlier === undefined ? await insert(transaction, stored) : await reopen(transaction, stored);
    if (!isStored) return undefined;
    await addDeliveries(transaction, stored, await eventOf(transaction, stored, now), now);
    return stored;
  });
}

/** The alert of the series, or of the rule, that was resolved last, if that was shortly before and nobody expects its level. */
async function alertBefore(transaction: RowStore, alert: NewAlert): Promise<AlertRow | undefined> {
  const { orgId, service, type, sampleType, ruleId = null } = alert;
  const expected = transaction
    .selectFrom("alertHandling")
    .select("alertId")
    .where("orgId", "=", orgId)
    .where("expectedAt", "is not", null);
  const all = await alertsOf(transaction, orgId)
    .where("service", "=", service)
    .where("type", "=", type)
    .where("sampleType", "=", sampleType)
    .where("ruleId", ruleId === null ? "is" : "=", ruleId)
    .where("resolvedAt", ">", new Date(Date.parse(alert.openedAt) - returnsWithinMs).toISOString())
    .where("id", "not in", expected)
    .orderBy("resolvedAt", "desc")
    .execute();
  // A rule that was changed says something else.
  return all.find(({ rule }) => rule === null || toRuleOfAlert(rule).ended === undefined);
}

/** The columns that change when an alert is open again. It keeps its identity and its beginning. */
function returned(
  { id: _id, openedAt: _openedAt, beganAt: _beganAt, ...alert }: NewAlert,
  { resolvedAt }: AlertRow,
) {
  const circumstances = alert.circumstances === null ? {} : (JSON.parse(alert.circumstances) as object);
  return { ...alert, circumstances: JSON.stringify({ ...circumstances, resolvedBefore: resolvedAt }) };
}

function insert(transaction: RowStore, alert: AlertRow): Promise<boolean> {
  return changesRow(
    transaction
      .insertInto("alerts")
      .values(alert)
      .onConflict((conflict) => conflict.doNothing()),
  );
}

/** False if the series or the rule has another open alert. */
async function reopen(transaction: RowStore, { id, orgId, ...values }: AlertRow): Promise<boolean> {
  const { service, type, sampleType, ruleId } = values;
  const other = await alertsOf(transaction, orgId)
    .where("service", "=", service)
    .where("type", "=", type)
    .where("sampleType", "=", sampleType)
    .where("ruleId", ruleId === null ? "is" : "=", ruleId)
    .where("resolvedAt", "is", null)
    .executeTakeFirst();
  if (other !== undefined) return false;
  const update = transaction.updateTable("alerts").set(values);
  return changesRow(update.where("orgId", "=", orgId).where("id", "=", id));
}

type GrownValues = Partial<
  Pick<
    AlertRow,
    | "profileId"
    | "previousValue"
    | "currentValue"
    | "increase"
    | "currentFrom"
    | "currentTo"
    | "functions"
    | "circumstances"
  >
>;

/** Stores larger values of an open alert, with deliveries if it reached a higher severity or is not muted any more. */
export function recordGrown(
  rows: RowStore,
  { orgId, id }: Pick<AlertRow, "orgId" | "id">,
  values: GrownValues,
  now: Date,
): Promise<void> {
  return lockedTransaction(rows, orgId, async (transaction) => {
    const open = alertsOf(transaction, orgId).where("id", "=", id).where("resolvedAt", "is", null);
    const before = await open.executeTakeFirst();
    if (before === undefined) return;
    const grown = { ...before, ...values, circumstances: stillReturned(before, values) };
    const update = transaction.updateTable("alerts").set({ ...values, circumstances: grown.circumstances });
    await update.where("orgId", "=", orgId).where("id", "=", id).execute();
    const mutes = await mutesAt(transaction, orgId, now);
    // The first message of a withheld alert is added by recordUnmuted.
    if (isWithheld(before)) return;
    if (isMuted(before, mutes) && !isMuted(grown, mutes)) {
      await addDeliveries(transaction, grown, await eventOf(transaction, grown, now), now);
    } else if (
      grown.increase > before.increase &&
      severityOf(grown.increase) !== severityOf(before.increase)
    ) {
      await addDeliveries(transaction, grown, "updated", now);
    }
  });
}

/** The new circumstances, with what the old ones have about an alert that is open again. */
function stillReturned(
  before: AlertRow,
  { circumstances = before.circumstances }: GrownValues,
): string | null {
  if (circumstances === null || before.circumstances === null) return circumstances;
  const { resolvedBefore } = Circumstances.parse(JSON.parse(before.circumstances));
  if (resolvedBefore === undefined) return circumstances;
  return JSON.stringify({ ...(JSON.parse(circumstances) as object), resolvedBefore });
}

/**
 * Adds the first message of each open alert that opened while it was muted and is not muted any more. Returns the number of
 * these alerts.
 */
export function recordUnmuted(rows: RowStore, orgId: string, now: Date): Promise<number> {
  return lockedTransaction(rows, orgId, async (transaction) => {
    const mutes = await mutesAt(transaction, orgId, now);
    const unmuted = (await withheldAlerts(transaction, orgId)).filter((alert) => !isMuted(alert, mutes));
    for (const alert of unmuted) {
      const event = await eventOf(transaction, alert, now);
      await transaction
        .updateTable("alerts")
        .set({ unmutedAt: now.toISOString() })
        .where("orgId", "=", orgId)
        .where("id", "=", alert.id)
        .execute();
      await addDeliveries(transaction, alert, event, now);
    }
    return unmuted.length;
  });
}

/** The message that an incident is over follows its last signal. Muted and withheld ones do not delay it. */
export function recordResolved(
  rows: RowStore,
  alert: Pick<AlertRow, "orgId" | "id">,
  resolvedAt: string,
  now: Date,
): Promise<boolean> {
  return lockedTransaction(rows, alert.orgId, async (transaction) => {
    return resolveIn(transaction, alert, resolvedAt, now);
  });
}

/** As `recordResolved`, in a transaction that has locked the organization. */
export async function resolveIn(
  transaction: RowStore,
  { orgId, id }: Pick<AlertRow, "orgId" | "id">,
  resolvedAt: string,
  now: Date,
): Promise<boolean> {
  const resolved = await transaction
    .updateTable("alerts")
    .set({ resolvedAt })
    .where("orgId", "=", orgId)
    .where("id", "=", id)
    .where("resolvedAt", "is", null)
    .returningAll()
    .executeTakeFirst();
  if (resolved === undefined) return false;
  // No message said that it opened.
  if (isWithheld(resolved)) return true;
  if (await hasOtherOpen(transaction, resolved, now)) return true;
  await addDeliveries(transaction, resolved, "resolved", now);
  return true;
}

/** The event of a signal that was in no message yet. */
async function eventOf(rows: RowStore, alert: AlertRow, now: Date): Promise<"opened" | "updated"> {
  return (await hasOtherOpen(rows, alert, now)) ? "updated" : "opened";
}

/** Whether another signal of the incident is open, and neither muted nor withheld: the organization has a message about the incident. */
async function hasOtherOpen(rows: RowStore, alert: AlertRow, now: Date): Promise<boolean> {
  const signals = await signalsOf(rows, alert.orgId, [alert.incidentId]);
  const mutes = await mutesAt(rows, alert.orgId, now);
  return signals.some(
    (signal) =>
      signal.id !== alert.id && signal.resolvedAt === null && !isWithheld(signal) && !isMuted(signal, mutes),
  );
}

/** Whether it opened while it was muted, and its first message has not followed. */
function isWithheld({ withheldAt, unmutedAt }: AlertRow): boolean {
  return withheldAt !== null && unmutedAt === null;
}

async function addDeliveries(
  rows: RowStore,
  alert: AlertRow,
  event: DeliveryRow["event"],
  now: Date,
): Promise<void> {
  const deliveries = await newDeliveries(rows, alert, event, now);
  if (deliveries.length === 0) return;
  // An alert that grows twice has one row for each channel: its new id makes it a new message.
  await rows
    .deleteFrom("alertDeliveries")
    .where("orgId", "=", alert.orgId)
    .where("alertId", "=", alert.id)
    .where("event", "=", event)
    .execute();
  await rows.insertInto("alertDeliveries").values(deliveries).execute();
}

/**
 * Signals that begin this close to each other are one incident. A release reaches all instances within minutes to an hour,
 * and the change point of noisy series is known to about an hour. Half a day would join two releases of one day; half an
 * hour would split the rollout of one.
 */
const togetherMs = 2 * hourMs;

export type Signal = Pick<AlertRow, "id" | "incidentId" | "beganAt" | "openedAt">;

/**
 * The incident that a new signal of a service joins, the nearest of several; undefined if it begins one. The signal is
 * compared with the first signal of each incident: compared with all of them, an incident could grow for days.
 *
 * @param open the signals of the service's open incidents, each with its first
 */
export function incidentOf(signal: Omit<Signal, "incidentId">, open: readonly Signal[]): string | undefined {
  const near = open
    .filter(({ id, incidentId }) => id === incidentId)
    .map((first) => ({ id: first.incidentId, apartMs: apartMs(signal, first) }))
    .filter((each) => each.apartMs <= togetherMs)
    .sort((a, b) => a.apartMs - b.apartMs || (a.id < b.id ? -1 : 1));
  return near[0]?.id;
}

/** Between the beginnings. The times of opening are compared if a beginning is not known. */
function apartMs(a: Omit<Signal, "incidentId">, b: Signal): number {
  const between = (one: string, other: string) => Math.abs(Date.parse(one) - Date.parse(other));
  if (a.beganAt === null || b.beganAt === null) return between(a.openedAt, b.openedAt);
  return between(a.beganAt, b.beganAt);
}
