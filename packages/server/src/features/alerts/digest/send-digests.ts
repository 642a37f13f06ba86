import { randomUUID } from "node:crypto";
import { dayMs } from "@flamekeep/contract/durations";
import { z } from "zod";
import type { Message } from "#alerts/channels/message.ts";
import { channels } from "#alerts/channels/table.ts";
import { channelsOf, delayMs, getTargets, sendMessage } from "#alerts/channels/targets.ts";
import { mutesAt } from "#alerts/mutes/queries.ts";
import { toAlert } from "#alerts/store/present.ts";
import type { Context } from "#context";
import { isoRange } from "#http/query/time-range.ts";
import type { JobLog } from "#store/job-log.ts";
import { DigestChannels } from "./operations.ts";
import {
  addDeliveries,
  advanceDigest,
  alertsBetween,
  claimAttempt,
  type DigestDeliveryRow,
  type DigestRow,
  digestDeliveriesDue,
  digestsDue,
  recordResult,
  removeOldDeliveries,
} from "./queries.ts";
import { lastDueMs, nextDueMs } from "./schedule.ts";
import { digestMessage, isEmpty, summaryOf } from "./summary.ts";

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
  const period = isoRange({ fromMs, toMs });
  const [alerts, mutes, targets] = await Promise.all([
    alertsBetween(ctx.rows, orgId, period),
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
