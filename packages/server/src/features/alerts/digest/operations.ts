import type * as calls from "@flamekeep/contract";
import { type AlertDigest, digestWeekdays, type InputOf } from "@flamekeep/contract";
import type { Actor, Context, UserActor } from "#context";
import { toDigest } from "./present.ts";
import { type DigestRow, getDigest, lastDeliveries, removeDigest, storeDigest } from "./queries.ts";
import { nextDueMs } from "./schedule.ts";

export async function getAlertDigest(ctx: Context, { orgId }: Pick<Actor, "orgId">): Promise<AlertDigest> {
  const [row, deliveries] = await Promise.all([getDigest(ctx.rows, orgId), lastDeliveries(ctx.rows, orgId)]);
  return toDigest(row, deliveries);
}

export async function updateAlertDigest(
  ctx: Context,
  { orgId, userId }: UserActor,
  change: InputOf<typeof calls.updateAlertDigest>,
): Promise<AlertDigest> {
  const now = ctx.now();
  const { frequency, channels } = change;
  if (frequency === "off") {
    await removeDigest(ctx.rows, orgId);
  } else {
    const schedule = {
      frequency,
      hourUtc: change.hour_utc,
      weekday: digestWeekdays.indexOf(change.weekday),
    };
    const before = await getDigest(ctx.rows, orgId);
    const row: DigestRow = {
      orgId,
      ...schedule,
      channels: JSON.stringify([...new Set(channels)]),
      isSentWhenEmpty: change.is_sent_when_empty ? 1 : 0,
      nextAt: new Date(nextDueMs(schedule, now.getTime())).toISOString(),
      // Another schedule leaves nothing out.
      coveredTo: before?.coveredTo ?? now.toISOString(),
    };
    await storeDigest(ctx.rows, row);
  }
  ctx.log.info({ orgId, userId, frequency, channels }, "alert digest changed");
  return getAlertDigest(ctx, { orgId });
}
