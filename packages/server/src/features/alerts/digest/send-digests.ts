import { randomUUID } from "node:crypto";
import type { Alert, Incident } from "@flamekeep/contract";
import { sinceText } from "@flamekeep/contract/alert-text";
import { dayMs } from "@flamekeep/contract/durations";
import { z } from "zod";
import type { Message } from "#alerts/channels/message.ts";
import { delayMs, sendMessage } from "#alerts/channels/send.ts";
import { minuteText, placeText, riseText } from "#alerts/channels/signal-text.ts";
import { channels } from "#alerts/channels/table.ts";
import { channelsOf, getTargets } from "#alerts/channels/targets.ts";
import { toIncident } from "#alerts/incidents/present.ts";
import { mutesAt } from "#alerts/mutes/queries.ts";
import { toAlert } from "#alerts/store/present.ts";
import type { Context } from "#context";
import type { JobLog } from "#store/job-log.ts";
import { DigestChannels } from "./operations.ts";
import {
  addDeliveries,
  advanceDigest,
  alertsOf,
  claimAttempt,
  type DigestDeliveryRow,
  type DigestRow,
  digestDeliveriesDue,
  digestsDue,
  recordResult,
  removeOldDeliveries,
} from "./queries.ts";
import { lastDueMs, nextDueMs } from "./schedule.ts";

/** Each may take ten seconds: together with the messages of alerts, less than the lease of the job lasts. */
const perRoundMax = 8;
const attemptsMax = 15;
/** After an outage of the server a digest covers no more than this. */
const coveredMsMax = 31 * dayMs;
const keptMs = 60 * dayMs;

/** The JSON of the column `message`. */
const StoredMessage = z.object({ title: z.string(), text: z.string(), link: z.string() });

/** Writes the digests that are due, and sends those that wait. Returns false if one of them failed: it does not keep the others back. */
export async function runDigests(ctx: Context, jobLog: JobLog, stopped?: AbortSignal): Promise<boolean> {
  let isComplete = true;
  const attempt = async (orgId: string, part: () => Promise<void>) => {
    if (stopped?.aborted) return;
    await part().catch((error: unknown) => {
      isComplete = false;
      jobLog.failed(error, { orgId });
    });
  };
  for (const digest of await digestsDue(ctx.rows, ctx.now()))
    await attempt(digest.orgId, () => writeDigest(ctx, digest));
  for (const delivery of await digestDeliveriesDue(ctx.rows, ctx.now(), perRoundMax))
    await attempt(delivery.orgId, () => deliver(ctx, delivery));
  return isComplete;
}

/**
 * Stores the message for each channel and moves the digest on to its next time in one transaction, which only one process
 * can do: a digest is written once, and one that was written is sent after a restart.
 */
async function writeDigest(ctx: Context, digest: DigestRow): Promise<void> {
  const { orgId, frequency } = digest;
  const nowMs = ctx.now().getTime();
  const toMs = lastDueMs(digest, nowMs);
  const fromMs = Math.max(Date.parse(digest.coveredTo), toMs - coveredMsMax);
  const period = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
  const [alerts, mutes, targets] = await Promise.all([
    alertsOf(ctx.rows, orgId, period),
    mutesAt(ctx.rows, orgId, ctx.now()),
    getTargets(ctx.rows, orgId),
  ]);
  const summary = summaryOf(
    alerts.map((row) => toAlert(row, mutes)),
    period,
  );
  const isWanted = digest.isSentWhenEmpty === 1 || !isEmpty(summary);
  const { title, text, link } = digestMessage(summary, { ...period, frequency }, ctx.config.publicUrl);
  const setUp = channelsOf(targets);
  const to = DigestChannels.parse(JSON.parse(digest.channels)).filter((channel) => setUp.includes(channel));
  const deliveries = (isWanted ? to : []).map(
    (channel): DigestDeliveryRow => ({
      id: randomUUID(),
      orgId,
      channel,
      coveredTo: period.to,
      message: JSON.stringify({ title, text, link }),
      status: "due",
      attempts: 0,
      nextAttemptAt: ctx.now().toISOString(),
      lastError: null,
    }),
  );
  await ctx.rows.transaction().execute(async (rows) => {
    const next = { nextAt: new Date(nextDueMs(digest, nowMs)).toISOString(), coveredTo: period.to };
    if (!(await advanceDigest(rows, digest, next))) return;
    await removeOldDeliveries(rows, orgId, new Date(nowMs - keptMs).toISOString());
    await addDeliveries(rows, deliveries);
  });
}

async function deliver(ctx: Context, delivery: DigestDeliveryRow): Promise<void> {
  const { orgId, id, channel } = delivery;
  const attempts = delivery.attempts + 1;
  const retryAt = new Date(ctx.now().getTime() + delayMs(attempts)).toISOString();
  if (!(await claimAttempt(ctx.rows, delivery, retryAt))) return;
  const stored = await getTargets(ctx.rows, orgId);
  const written = StoredMessage.parse(JSON.parse(delivery.message));
  const message: Message = {
    event: "digest",
    ...written,
    incident_link: null,
    alert: null,
    incident: null,
  };
  const sent = await sendMessage(ctx, { orgId, stored, channel: channels[channel] }, { id, message });
  const isLast = attempts >= attemptsMax;
  const status = sent.ok ? "delivered" : isLast ? "failed" : "due";
  await recordResult(ctx.rows, delivery, { status, lastError: sent.ok ? null : sent.message });
  if (!sent.ok) {
    ctx.log.warn({ orgId, channel, deliveryId: id, attempts, reason: sent.message }, "digest not delivered");
  }
}

/** The text of a digest from the alerts of its time. Pure. */
interface Period {
  readonly from: string;
  readonly to: string;
}

interface Summary {
  readonly opened: readonly Incident[];
  readonly resolved: readonly Incident[];
  /** Those that opened before the period. */
  readonly stillOpen: readonly Incident[];
  /** The largest rises of all of them. */
  readonly largest: readonly Alert[];
}

const largestMax = 5;
/** A chat message is cut off after some thousand characters. */
const listedMax = 10;

/**
 * Takes all alerts that opened before the end of the period and were not resolved before its beginning, in the order in which they
 * opened; muted ones do not count.
 */
function summaryOf(alerts: readonly Alert[], { from, to }: Period): Summary {
  const audible = alerts.filter((alert) => !alert.is_muted).map((alert) => asOf(to, alert));
  const incidents = [...Map.groupBy(audible, ({ incident_id: id }) => id)].map(([id, signals]) =>
    toIncident(id, signals, { assignee: undefined, commentCount: 0 }),
  );
  const isWithin = (at: string | null) => at !== null && at >= from && at < to;
  const opened = incidents.filter(({ timestamp }) => isWithin(timestamp));
  const resolved = incidents.filter(({ resolved_at: at }) => isWithin(at));
  const stillOpen = incidents.filter((incident) => isOpen(incident) && !opened.includes(incident));
  const largest = [...opened, ...stillOpen]
    .flatMap(({ signals }) => signals)
    .toSorted((a, b) => b.increase - a.increase)
    .slice(0, largestMax);
  return { opened, resolved, stillOpen, largest };
}

/** An alert that was resolved later was open at this time. */
function asOf(at: string, alert: Alert): Alert {
  if (alert.resolved_at !== null && alert.resolved_at < at) return alert;
  return { ...alert, status: "open", resolved_at: null };
}

function isOpen({ status }: Incident): boolean {
  return status === "open";
}

/** Whether no incident opened, was resolved or is open. */
function isEmpty({ opened, resolved, stillOpen }: Summary): boolean {
  return opened.length + resolved.length + stillOpen.length === 0;
}

function digestMessage(
  summary: Summary,
  period: Period & { readonly frequency: "daily" | "weekly" },
  publicUrl: string,
): Message {
  const { opened, resolved, stillOpen } = summary;
  const open = [...stillOpen, ...opened].filter(isOpen).length;
  const counts = [
    `${opened.length} ${opened.length === 1 ? "incident" : "incidents"} opened`,
    `${resolved.length} resolved`,
    `${open} open`,
  ];
  const name = period.frequency === "daily" ? "Daily digest" : "Weekly digest";
  const text = [
    `From ${minuteText(period.from)} to ${minuteText(period.to)}.`,
    ...(isEmpty(summary) ? ["No incident opened, was resolved or is open."] : []),
    ...listed("Opened", opened),
    ...listed("Resolved", resolved),
    ...listed("Still open", stillOpen),
    ...largestLines(summary.largest),
  ].join("\n");
  return {
    event: "digest",
    title: `${name}: ${counts.join(", ")}`,
    text,
    link: `${publicUrl}/alerts`,
    incident_link: null,
    alert: null,
    incident: null,
  };
}

function listed(title: string, incidents: readonly Incident[]): string[] {
  if (incidents.length === 0) return [];
  const more = incidents.length - listedMax;
  return [
    "",
    `${title} (${incidents.length}):`,
    ...incidents.slice(0, listedMax).map((incident) => `- ${incidentText(incident)}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ];
}

/** `checkout: CPU up 42.0%, memory in use up 95.0%, since 2026-11-20 12:00 UTC, open` */
function incidentText(incident: Incident): string {
  const { service, signals, resolved_at: at } = incident;
  const end = at === null ? "open" : `over at ${minuteText(at)}`;
  return `${service}: ${signals.map(riseText).join(", ")}, since ${sinceText(incident, minuteText)}, ${end}`;
}

function largestLines(alerts: readonly Alert[]): string[] {
  if (alerts.length === 0) return [];
  return [
    "",
    "Largest rises:",
    ...alerts.map((alert) => `- ${alert.service}: ${riseText(alert)}${causeText(alert)}`),
  ];
}

function causeText({ culprit }: Alert): string {
  if (culprit === undefined) return "";
  return `, ${Math.round(100 * culprit.share)}% of it in ${culprit.name}${placeText(culprit)}`;
}
