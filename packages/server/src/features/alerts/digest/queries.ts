import type { DigestChannel } from "@flamekeep/contract";
import type { Selectable } from "kysely";
import { type AlertRow, alertsOf } from "#alerts/row/stored-alert.ts";
import { acrossOrganizations, changesRow, type Database, type RowStore } from "#store/row/row-store.ts";

export type DigestRow = Selectable<Database["alertDigests"]>;
export type DigestDeliveryRow = Selectable<Database["digestDeliveries"]>;

export function getDigest(rows: RowStore, orgId: string): Promise<DigestRow | undefined> {
  return rows.selectFrom("alertDigests").selectAll().where("orgId", "=", orgId).executeTakeFirst();
}

export async function storeDigest(rows: RowStore, digest: DigestRow): Promise<void> {
  const { orgId, ...values } = digest;
  await rows
    .insertInto("alertDigests")
    .values({ orgId, ...values })
    .onConflict((conflict) => conflict.column("orgId").doUpdateSet(values))
    .execute();
}

/** False if the organization has no digest. */
export function removeDigest(rows: RowStore, orgId: string): Promise<boolean> {
  return changesRow(rows.deleteFrom("alertDigests").where("orgId", "=", orgId));
}

/** The digests of organizations that are in use. */
export function digestsDue(rows: RowStore, now: Date): Promise<DigestRow[]> {
  return acrossOrganizations(rows)
    .selectFrom("alertDigests")
    .innerJoin("organizations", "organizations.id", "alertDigests.orgId")
    .selectAll("alertDigests")
    .where("nextAt", "<=", now.toISOString())
    .where("organizations.suspendedAt", "is", null)
    .execute();
}

/** False if another process moved this digest on, or somebody changed it. */
export function advanceDigest(
  rows: RowStore,
  { orgId, nextAt }: Pick<DigestRow, "orgId" | "nextAt">,
  next: Pick<DigestRow, "nextAt" | "coveredTo">,
): Promise<boolean> {
  return changesRow(
    rows.updateTable("alertDigests").set(next).where("orgId", "=", orgId).where("nextAt", "=", nextAt),
  );
}

/**
 * Alerts that opened before the end and were not resolved before the beginning, without those that resolved while nothing was sent
 * about them: their mute may be over by now.
 */
export function alertsBetween(
  rows: RowStore,
  orgId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<AlertRow[]> {
  return alertsOf(rows, orgId)
    .where("openedAt", "<", to)
    .where((is) => is.or([is("resolvedAt", "is", null), is("resolvedAt", ">=", from)]))
    .where((is) =>
      is.or([is("resolvedAt", "is", null), is("withheldAt", "is", null), is("unmutedAt", "is not", null)]),
    )
    .orderBy("openedAt")
    .orderBy("id")
    .execute();
}

export async function addDeliveries(rows: RowStore, deliveries: readonly DigestDeliveryRow[]): Promise<void> {
  if (deliveries.length === 0) return;
  await rows.insertInto("digestDeliveries").values(deliveries).execute();
}

/** The deliveries of all organizations, oldest first. */
export function digestDeliveriesDue(rows: RowStore, now: Date, limit: number): Promise<DigestDeliveryRow[]> {
  return acrossOrganizations(rows)
    .selectFrom("digestDeliveries")
    .selectAll()
    .where("status", "=", "due")
    .where("nextAttemptAt", "<=", now.toISOString())
    .orderBy("nextAttemptAt")
    .limit(limit)
    .execute();
}

/** Counts the attempt before it is made. False if another process makes it. */
export function claimAttempt(
  rows: RowStore,
  { orgId, id, attempts }: Pick<DigestDeliveryRow, "orgId" | "id" | "attempts">,
  nextAttemptAt: string,
): Promise<boolean> {
  return changesRow(
    rows
      .updateTable("digestDeliveries")
      .set({ attempts: attempts + 1, nextAttemptAt })
      .where("orgId", "=", orgId)
      .where("id", "=", id)
      .where("status", "=", "due")
      .where("attempts", "=", attempts),
  );
}

export async function recordResult(
  rows: RowStore,
  { orgId, id }: Pick<DigestDeliveryRow, "orgId" | "id">,
  result: Pick<DigestDeliveryRow, "status" | "lastError">,
): Promise<void> {
  const update = rows.updateTable("digestDeliveries").set(result);
  await update.where("orgId", "=", orgId).where("id", "=", id).execute();
}

/** The deliveries of the newest digest that had something to send. */
export async function lastDeliveries(
  rows: RowStore,
  orgId: string,
): Promise<(Omit<DigestDeliveryRow, "channel"> & { readonly channel: DigestChannel })[]> {
  const newest = rows
    .selectFrom("digestDeliveries as all")
    .select(({ fn }) => fn.max("all.coveredTo").as("coveredTo"))
    .where("all.orgId", "=", orgId);
  const found = rows.selectFrom("digestDeliveries").selectAll().where("orgId", "=", orgId);
  return found.where("coveredTo", "=", newest).orderBy("channel").execute();
}

/** Removes deliveries that ended before. */
export async function removeOldDeliveries(rows: RowStore, orgId: string, before: string): Promise<void> {
  await rows
    .deleteFrom("digestDeliveries")
    .where("orgId", "=", orgId)
    .where("coveredTo", "<", before)
    .execute();
}
