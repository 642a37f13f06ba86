import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import { mutedSeries } from "./alert-queries.ts";
import { type DeliveryRow, deliveriesDue, noteAttempt, openTargets, targetsOf } from "./delivery-queries.ts";
import { alertMessage } from "./message.ts";
import type { Sent } from "./post.ts";
import { toAlert } from "./present.ts";
import { sendMessage } from "./send-message.ts";

/** Each may take ten seconds: together less than the lease of the job lasts. */
const perRoundMax = 20;
const delayMsMax = 6 * hourMs;
/** With the delays below about two days. */
const attemptsMax = 15;

/**
 * Sends what is due. An attempt is noted after it was made: a crash in between sends again, never not at all.
 * Returns how many arrived.
 */
export async function deliverDue(ctx: Context, stopped?: AbortSignal): Promise<number> {
  let delivered = 0;
  for (const delivery of await deliveriesDue(ctx.rows, ctx.now(), perRoundMax)) {
    if (stopped?.aborted) break;
    const sent = await attempt(ctx, delivery);
    const attempts = delivery.attempts + 1;
    const isLast = attempts >= attemptsMax;
    const now = ctx.now();
    await noteAttempt(ctx.rows, delivery.id, {
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
  const [row, stored, muted] = await Promise.all([
    ctx.rows.selectFrom("alerts").selectAll().where("id", "=", alertId).executeTakeFirstOrThrow(),
    targetsOf(ctx.rows, orgId),
    mutedSeries(ctx.rows, orgId),
  ]);
  const opened = openTargets(ctx.seal, orgId, stored, channel);
  if (!opened.ok) return { ok: false, message: opened.message };
  const message = alertMessage(event, toAlert(row, muted), ctx.config.publicUrl);
  return sendMessage(ctx, channel, opened.targets, id, message);
}

/** Doubles from one minute to six hours. */
export function delayMs(attempts: number): number {
  return Math.min(delayMsMax, minuteMs * 2 ** (attempts - 1));
}
