import { hourMs } from "@flamekeep/contract/durations";
import { isMuted, mutesAt } from "#alerts/mutes/queries.ts";
import {
  type AlertRow,
  alertsOf,
  Circumstances,
  type NewAlert,
  ofDetector,
  toEvidence,
} from "#alerts/row/stored-alert.ts";
import { lockedTransaction } from "#store/row/organization-lock.ts";
import { changesRow, type RowStore } from "#store/row/row-store.ts";
import { openSignals, signalsOf } from "./incidents.ts";
import { severityOf } from "./present.ts";
import { type DeliveryRow, newDeliveries, withheldAlerts } from "./queries.ts";

/** A rise that returns within this time goes on: its incident is open again. */
const returnsWithinMs = 6 * hourMs;

/**
 * Stores an alert, in the incident of the service that it began with or that it returns to, or in a new one, and its deliveries in
 * one transaction. False if the series or the rule has an open alert already, because another process was first, or if `isWanted`
 * says no.
 */
export function recordOpened(
  rows: RowStore,
  alert: NewAlert,
  now: Date,
  isWanted?: (transaction: RowStore) => Promise<boolean>,
): Promise<boolean> {
  return lockedTransaction(rows, alert.orgId, async (transaction) => {
    // Two processes that open alerts of one service at the same time must see each other's incidents.
    if (isWanted !== undefined && !(await isWanted(transaction))) return false;
    const open = await openSignals(transaction, alert.orgId, alert.service);
    const earlier = await returnedFrom(transaction, alert);
    const isMutedNow = isMuted(alert, await mutesAt(transaction, alert.orgId, now));
    const joined = {
      ...ofDetector,
      ...alert,
      ...(earlier && { circumstances: withResolvedBefore(alert, earlier) }),
      incidentId: earlier?.incidentId ?? incidentOf(alert, open) ?? alert.id,
      withheldAt: isMutedNow ? now.toISOString() : null,
      unmutedAt: null,
    };
    const insertion = transaction
      .insertInto("alerts")
      .values(joined)
      .onConflict((conflict) => conflict.doNothing());
    if (!(await changesRow(insertion))) return false;
    if (earlier !== undefined) await withdrawResolved(transaction, earlier);
    await addDeliveries(transaction, joined, await eventOf(transaction, joined, now), now);
    return true;
  });
}

/**
 * The alert before this one of the series, or of the rule, if it was resolved shortly before and this rise is the same: of the same
 * instances, not of a release since then, and nobody expects its level.
 */
async function returnedFrom(transaction: RowStore, alert: NewAlert): Promise<AlertRow | undefined> {
  const { orgId, service, type, sampleType, ruleId = null } = alert;
  const expected = transaction
    .selectFrom("alertHandling")
    .select("alertId")
    .where("orgId", "=", orgId)
    .where("expectedAt", "is not", null);
  const resolved = await alertsOf(transaction, orgId)
    .where("service", "=", service)
    .where("type", "=", type)
    .where("sampleType", "=", sampleType)
    .where("ruleId", ruleId === null ? "is" : "=", ruleId)
    .where("resolvedAt", ">", new Date(Date.parse(alert.openedAt) - returnsWithinMs).toISOString())
    .where("id", "not in", expected)
    .orderBy("resolvedAt", "desc")
    .execute();
  const last = resolved.find((each) => instancesOf(each) === instancesOf(alert));
  const released = circumstancesOf(alert)?.release?.at;
  return last !== undefined && released !== undefined && released > last.openedAt ? undefined : last;
}

/** Channels get no late message that an incident has resolved while it is open again. */
async function withdrawResolved(
  transaction: RowStore,
  { orgId, incidentId }: Pick<AlertRow, "orgId" | "incidentId">,
): Promise<void> {
  const signals = transaction
    .selectFrom("alerts")
    .select("id")
    .where("orgId", "=", orgId)
    .where("incidentId", "=", incidentId);
  await transaction
    .deleteFrom("alertDeliveries")
    .where("orgId", "=", orgId)
    .where("alertId", "in", signals)
    .where("event", "=", "resolved")
    .where("status", "=", "due")
    .execute();
}

function instancesOf({ reference }: Pick<AlertRow, "reference">): string {
  return JSON.stringify(toEvidence(reference).scope?.instances.toSorted());
}

function circumstancesOf({ circumstances }: Pick<AlertRow, "circumstances">): Circumstances | undefined {
  return circumstances === null ? undefined : Circumstances.parse(JSON.parse(circumstances));
}

function withResolvedBefore(alert: NewAlert, { resolvedAt }: AlertRow): string | null {
  const circumstances = circumstancesOf(alert);
  if (circumstances === undefined || resolvedAt === null) return alert.circumstances;
  return JSON.stringify({ ...circumstances, resolvedBefore: resolvedAt });
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

/** The new circumstances, with what the old ones have about the alert before this one. */
function stillReturned(before: AlertRow, values: GrownValues): string | null {
  const { circumstances = before.circumstances } = values;
  const resolvedBefore = circumstancesOf(before)?.resolvedBefore;
  const changed = circumstancesOf({ circumstances });
  if (changed === undefined || resolvedBefore === undefined) return circumstances;
  return JSON.stringify({ ...changed, resolvedBefore });
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
  if ((await otherAnnounced(transaction, resolved)).length > 0) return true;
  await addDeliveries(transaction, resolved, "resolved", now);
  return true;
}

/** The event of a signal that was in no message yet. */
async function eventOf(rows: RowStore, alert: AlertRow, now: Date): Promise<"opened" | "updated"> {
  return (await hasOtherOpen(rows, alert, now)) ? "updated" : "opened";
}

/** Whether another signal of the incident is open, and neither muted nor withheld: the organization has a message about the incident. */
async function hasOtherOpen(rows: RowStore, alert: AlertRow, now: Date): Promise<boolean> {
  const mutes = await mutesAt(rows, alert.orgId, now);
  return (await otherAnnounced(rows, alert)).some((signal) => !isMuted(signal, mutes));
}

/** The other open signals of the incident that a message was about, muted since or not. */
async function otherAnnounced(rows: RowStore, { orgId, id, incidentId }: AlertRow): Promise<AlertRow[]> {
  const signals = await signalsOf(rows, orgId, [incidentId]);
  return signals.filter((signal) => signal.id !== id && signal.resolvedAt === null && !isWithheld(signal));
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
