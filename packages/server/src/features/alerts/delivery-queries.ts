import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import { z } from "zod";
import type { Database, RowStore } from "#store/row/row-store.ts";
import type { Seal, SealFault } from "#store/row/seal.ts";
import { sealedColumns } from "#store/row/seal-delivery-secrets.ts";
import type { AlertRow } from "./stored-alert.ts";

export type DeliveryRow = Selectable<Database["alertDeliveries"]>;
export type Channel = DeliveryRow["channel"];

/** Where an organization wants to hear about alerts, as it is stored: URLs and secrets are encrypted. */
export interface SealedTargets {
  readonly webhookUrl: string | null;
  readonly webhookSecret: string | null;
  readonly slackUrl: string | null;
  readonly emails: readonly string[];
}

/** The same in plain text. */
export interface Targets extends SealedTargets {
  readonly isOpen: true;
}

type OpenedTargets =
  | { readonly ok: true; readonly targets: Targets }
  | { readonly ok: false; readonly message: string };

const Emails = z.array(z.string());

export async function targetsOf(rows: RowStore, orgId: string): Promise<SealedTargets> {
  const row = await rows
    .selectFrom("alertSettings")
    .select(["emails", ...sealedColumns])
    .where("orgId", "=", orgId)
    .executeTakeFirst();
  if (row === undefined) return { webhookUrl: null, webhookSecret: null, slackUrl: null, emails: [] };
  return { ...row, emails: Emails.parse(JSON.parse(row.emails)) };
}

export async function keepTargets(
  rows: RowStore,
  orgId: string,
  targets: SealedTargets,
  now: Date,
): Promise<void> {
  const row = {
    ...targets,
    isSealed: 1 as const,
    emails: JSON.stringify(targets.emails),
    updatedAt: now.toISOString(),
  };
  await rows
    .insertInto("alertSettings")
    .values({ orgId, ...row })
    .onConflict((conflict) => conflict.column("orgId").doUpdateSet(row))
    .execute();
}

/** Decrypts what `channel` needs; all of it where none is named. */
export function openTargets(
  seal: Seal,
  orgId: string,
  stored: SealedTargets,
  channel?: Channel,
): OpenedTargets {
  const targets = { webhookUrl: null, webhookSecret: null, slackUrl: null } as Record<Column, string | null>;
  for (const column of sealedColumns) {
    const sealed = stored[column];
    if (sealed === null || (channel !== undefined && channelOf[column] !== channel)) continue;
    const opened = seal.open(sealed, { orgId, column });
    if (!opened.ok) return { ok: false, message: cannotDecrypt[opened.reason](labelOf[column]) };
    if (column !== "webhookSecret" && !URL.canParse(opened.text))
      return { ok: false, message: isNoUrl(column) };
    targets[column] = opened.text;
  }
  return { ok: true, targets: { ...targets, emails: stored.emails, isOpen: true } };
}

type Column = (typeof sealedColumns)[number];

const channelOf = { webhookUrl: "webhook", webhookSecret: "webhook", slackUrl: "slack" } as const;
const labelOf = {
  webhookUrl: "The webhook's URL",
  webhookSecret: "The webhook's secret",
  slackUrl: "The Slack URL",
} as const;

const cannotDecrypt: Readonly<Record<SealFault, (label: string) => string>> = {
  unknown_key: (label) =>
    `${label} cannot be decrypted: the server's AUTH_SECRET is not the one it was saved with. Save it again, or have the operator restore the former AUTH_SECRET.`,
  changed: (label) =>
    `${label} cannot be decrypted: its stored text was changed, or copied from another organization. Save it again.`,
};

function isNoUrl(column: Column): string {
  return `${labelOf[column]} is stored as a text that is not a URL. Save it again.`;
}

export function channelsOf({ webhookUrl, slackUrl, emails }: SealedTargets): Channel[] {
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
