import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import { z } from "zod";
import type { Database, RowStore } from "#store/row/row-store.ts";
import type { AlertRow } from "./stored-alert.ts";

export type DeliveryRow = Selectable<Database["alertDeliveries"]>;
export type Channel = DeliveryRow["channel"];

/** Where an organization wants to hear about alerts. */
export interface Targets {
  readonly webhookUrl: string | null;
  readonly webhookSecret: string | null;
  readonly slackUrl: string | null;
  readonly emails: readonly string[];
}

const Emails = z.array(z.string());

export async function targetsOf(rows: RowStore, orgId: string): Promise<Targets> {
  const row = await rows
    .selectFrom("alertSettings")
    .select(["webhookUrl", "webhookSecret", "slackUrl", "emails"])
    .where("orgId", "=", orgId)
    .executeTakeFirst();
  if (row === undefined) return { webhookUrl: null, webhookSecret: null, slackUrl: null, emails: [] };
  return { ...row, emails: Emails.parse(JSON.parse(row.emails)) };
}

export async function keepTargets(rows: RowStore, orgId: string, targets: Targets, now: Date): Promise<void> {
  const row = { ...targets, emails: JSON.stringify(targets.emails), updatedAt: now.toISOString() };
  await rows
    .insertInto("alertSettings")
    .values({ orgId, ...row })
    .onConflict((conflict) => conflict.column("orgId").doUpdateSet(row))
    .execute();
}

export function channelsOf({ webhookUrl, slackUrl, emails }: Targets): Channel[] {
  const channels: Channel[] = [];
  if (webhookUrl !== null) channels.push("webhook");
  if (slackUrl !== null) channels.push("slack");
  if (emails.length > 0) channels.push("email");
  return channels;
}

/** One for each channel that is set, none where the series is muted. */
export async function dueDeliveries(
  rows: RowStore,
  { orgId, id, service, type }: AlertRow,
  event: DeliveryRow["event"],
  now: Date,
): Promise<DeliveryRow[]> {
  const muted = await rows
    .selectFrom("alertMutes")
    .select("service")
    .where("orgId", "=", orgId)
    .where("service", "=", service)
    .where("type", "=", type)
    .executeTakeFirst();
  if (muted !== undefined) return [];
  const at = now.toISOString();
  return channelsOf(await targetsOf(rows, orgId)).map((channel) => ({
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

/** Oldest first. */
export function deliveriesDue(rows: RowStore, now: Date, limit: number): Promise<DeliveryRow[]> {
  return rows
    .selectFrom("alertDeliveries")
    .selectAll()
    .where("status", "=", "due")
    .where("nextAttemptAt", "<=", now.toISOString())
    .orderBy("nextAttemptAt")
    .limit(limit)
    .execute();
}

export async function noteAttempt(
  rows: RowStore,
  id: string,
  attempt: Pick<DeliveryRow, "status" | "attempts" | "nextAttemptAt" | "lastError" | "deliveredAt">,
): Promise<void> {
  await rows.updateTable("alertDeliveries").set(attempt).where("id", "=", id).execute();
}
