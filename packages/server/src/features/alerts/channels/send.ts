import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import type { StoredTargets } from "#store/row/delivery-targets.ts";
import type { Channel, Outgoing, Sent } from "./channel.ts";
import { isSetUp, openTarget } from "./targets.ts";

const delayMsMax = 6 * hourMs;

/** One attempt over one channel of an organization. */
export async function sendMessage(
  ctx: Context,
  to: { readonly orgId: string; readonly stored: StoredTargets; readonly channel: Channel },
  outgoing: Outgoing,
): Promise<Sent> {
  const opened = openTarget(to.stored, to.channel, { seal: ctx.seal, orgId: to.orgId });
  if (!opened.ok) return opened;
  if (!isSetUp(opened.target)) return { ok: false, message: "This channel is not set up" };
  return to.channel.send(ctx, opened.target, outgoing);
}

/** Doubles from one minute to six hours. */
export function delayMs(attempts: number): number {
  return Math.min(delayMsMax, minuteMs * 2 ** (attempts - 1));
}
