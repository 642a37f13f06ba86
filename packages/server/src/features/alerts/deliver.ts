import type { Context } from "#context";
import type { Sent } from "./channels/channel.ts";
import { incidentMessage } from "./channels/message.ts";
import { channels } from "./channels/table.ts";
import { delayMs, getTargets, sendMessage } from "./channels/targets.ts";
import { shownAlerts } from "./store/handling.ts";
import { signalsOf } from "./store/incidents.ts";
import { type DeliveryRow, deliveriesDue, getAlert, pendingOf, recordAttempt } from "./store/queries.ts";

/** Each may take ten seconds: together less than the lease of the job lasts. */
const perRoundMax = 20;
/** With the delays below about two days. */
const attemptsMax = 15;

/**
 * Sends the deliveries that are due. An attempt is recorded after it was made: after a crash in between, a message is
 * sent twice rather than never. Returns the number of successful ones.
 */
export async function deliverDue(ctx: Context, stopped?: AbortSignal): Promise<number> {
  let delivered = 0;
  const due = await deliveriesDue(ctx.rows, ctx.now(), perRoundMax);
  for (const delivery of due) {
    if (stopped?.aborted) break;
    if (await deliver(ctx, delivery)) delivered++;
  }
  return delivered;
}

/**
 * Sends one message for all deliveries of the incident and the channel that wait: signals of one round, and those that
 * joined while earlier attempts failed. They are read before the message is written, so that a signal that joins
 * afterwards has its own message. False if nothing was delivered.
 */
async function deliver(ctx: Context, delivery: DeliveryRow): Promise<boolean> {
  const pending = await pendingOf(ctx.rows, delivery);
  const own = pending.find(({ id }) => id === delivery.id);
  // A message of this round reported it already, or failed.
  if (own === undefined || own.nextAttemptAt > ctx.now().toISOString()) return false;
  const first = pending[0] ?? own;
  const sent = await attempt(ctx, first);
  const now = ctx.now();
  const attempts = first.attempts + 1;
  const outcome = {
    status: sent.ok ? "delivered" : attempts >= attemptsMax ? "failed" : "due",
    attempts,
    nextAttemptAt: new Date(now.getTime() + delayMs(attempts)).toISOString(),
    lastError: sent.ok ? null : sent.message,
    deliveredAt: sent.ok ? now.toISOString() : null,
  } as const;
  for (const each of pending) await recordAttempt(ctx.rows, each, outcome);
  const { orgId, channel, id } = first;
  if (!sent.ok) {
    ctx.log.warn({ orgId, channel, deliveryId: id, attempts, reason: sent.message }, "alert not delivered");
  }
  return sent.ok;
}

async function attempt(ctx: Context, { orgId, alertId, channel, event, id }: DeliveryRow): Promise<Sent> {
  const { incidentId } = await getAlert(ctx.rows, orgId, alertId);
  const [rows, stored] = await Promise.all([
    signalsOf(ctx.rows, orgId, [incidentId]),
    getTargets(ctx.rows, orgId),
  ]);
  const all = await shownAlerts(ctx, orgId, rows);
  const signals = all.filter((signal) => signal.id === alertId || !signal.is_muted);
  const message = incidentMessage(event, { id: incidentId, signals }, ctx.config.publicUrl);
  return sendMessage(ctx, { orgId, stored, channel: channels[channel] }, { id, message });
}
