import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import type { StoredTargets } from "#store/row/delivery-targets.ts";
import type { Channel, Outgoing, Sent } from "./channels/channel.ts";
import { alertMessage } from "./channels/message.ts";
import { channels } from "./channels/table.ts";
import { getTargets, openTarget } from "./channels/targets.ts";
import { handlingOf } from "./handling/queries.ts";
import { toAlert } from "./present.ts";
import { type DeliveryRow, deliveriesDue, getAlert, mutesAt, recordAttempt } from "./queries.ts";

/** Each may take ten seconds: together less than the lease of the job lasts. */
const perRoundMax = 20;
const delayMsMax = 6 * hourMs;
/** With the delays below about two days. */
const attemptsMax = 15;

/**
 * Sends the deliveries that are due. An attempt is recorded after it was made: after a crash in between, a message is
 * sent twice rather than never. Returns the number of successful ones.
 */
export async function deliverDue(ctx: Context, stopped?: AbortSignal): Promise<number> {
  let delivered = 0;
  for (const delivery of await deliveriesDue(ctx.rows, ctx.now(), perRoundMax)) {
    if (stopped?.aborted) break;
    const sent = await attempt(ctx, delivery);
    const attempts = delivery.attempts + 1;
    const isLast = attempts >= attemptsMax;
    const now = ctx.now();
    await recordAttempt(ctx.rows, delivery, {
      status: sent.ok ? "delivered" : isLast ? "failed" : "due",
      attempts,
      nextAttemptAt: new Date(now.getTime() + delayMs(attempts)).toISOString(),
      lastError: sent.ok ? null : sent.message,
      deliveredAt: sent.ok ? now.toISOString() : null,
    });
    const { orgId, channel, id } = delivery;
    if (sent.ok) delivered++;
    else
      ctx.log.warn({ orgId, channel, deliveryId: id, attempts, reason: sent.message }, "alert not delivered");
  }
  return delivered;
}

async function attempt(ctx: Context, { orgId, alertId, channel, event, id }: DeliveryRow): Promise<Sent> {
  const [row, stored, muted, handling] = await Promise.all([
    getAlert(ctx.rows, orgId, alertId),
    getTargets(ctx.rows, orgId),
    mutesAt(ctx.rows, orgId, ctx.now()),
    handlingOf(ctx.rows, orgId, [alertId]),
  ]);
  const message = alertMessage(
    event,
    { ...toAlert(row, muted), ...handling.get(alertId) },
    ctx.config.publicUrl,
  );
  return sendMessage(ctx, { orgId, stored, channel: channels[channel] }, { id, message });
}

/** One attempt over one channel of an organization. */
export async function sendMessage(
  ctx: Context,
  to: { readonly orgId: string; readonly stored: StoredTargets; readonly channel: Channel },
  outgoing: Outgoing,
): Promise<Sent> {
  const opened = openTarget(to.stored, to.channel, { seal: ctx.seal, orgId: to.orgId });
  if (!opened.ok) return opened;
  if (!to.channel.isSetUp(opened.target)) return { ok: false, message: "This channel is not set up" };
  return to.channel.send(ctx, opened.target, outgoing);
}

/** Doubles from one minute to six hours. */
export function delayMs(attempts: number): number {
  return Math.min(delayMsMax, minuteMs * 2 ** (attempts - 1));
}
