import { isDeepStrictEqual } from "node:util";
import type * as calls from "@flamekeep/contract";
import { type AlertDigest, digestChannels, digestWeekdays } from "@flamekeep/contract";
import { z } from "zod";
import type { Actor, Context } from "#context";
import type { Operation } from "#http/endpoint/serve.ts";
import { replyTo } from "#http/reply/reply.ts";
import { type DigestRow, getDigest, lastDeliveries, removeDigest, storeDigest } from "./queries.ts";
import { nextDueMs } from "./schedule.ts";

export async function getAlertDigest(ctx: Context, { orgId }: Pick<Actor, "orgId">): Promise<AlertDigest> {
  const [row, deliveries] = await Promise.all([getDigest(ctx.rows, orgId), lastDeliveries(ctx.rows, orgId)]);
  return toDigest(row, deliveries);
}

export const updateAlertDigest: Operation<typeof calls.updateAlertDigest> = async (
  ctx,
  { orgId, userId },
  change,
) => {
  const { frequency, channels } = change;
  const isChanged =
    frequency === "off"
      ? await removeDigest(ctx.rows, orgId)
      : await changeDigest(ctx, orgId, { ...change, frequency });
  if (isChanged) ctx.log.info({ orgId, userId, frequency, channels }, "alert digest changed");
  return replyTo(isChanged, await getAlertDigest(ctx, { orgId }));
};

type DigestChange = calls.InputOf<typeof calls.updateAlertDigest> & Pick<DigestRow, "frequency">;

/** False if the digest is as asked already. */
async function changeDigest(ctx: Context, orgId: string, change: DigestChange): Promise<boolean> {
  const now = ctx.now();
  const schedule = {
    frequency: change.frequency,
    hourUtc: change.hour_utc,
    weekday: digestWeekdays.indexOf(change.weekday),
  };
  const asked = {
    orgId,
    ...schedule,
    channels: JSON.stringify([...new Set(change.channels)]),
    isSentWhenEmpty: change.is_sent_when_empty ? 1 : 0,
  } as const;
  const before = await getDigest(ctx.rows, orgId);
  if (isDeepStrictEqual({ ...before, ...asked }, before)) return false;
  const nextAt = new Date(nextDueMs(schedule, now.getTime())).toISOString();
  // Another schedule leaves nothing out.
  await storeDigest(ctx.rows, { ...asked, nextAt, coveredTo: before?.coveredTo ?? now.toISOString() });
  return true;
}

const defaultDigest = {
  hour_utc: 7,
  weekday: "monday",
  channels: ["email"],
  is_sent_when_empty: false,
} as const;

/** The JSON of the column `channels`. */
export const DigestChannels = z.array(z.enum(digestChannels));

/** @param row undefined if the organization never changed its digest */
function toDigest(
  row: DigestRow | undefined,
  deliveries: Awaited<ReturnType<typeof lastDeliveries>>,
): AlertDigest {
  const [newest] = deliveries;
  const last =
    newest === undefined
      ? null
      : {
          to: newest.coveredTo,
          deliveries: deliveries.map(({ channel, status, lastError: error }) => ({ channel, status, error })),
        };
  if (row === undefined) {
    const { channels, ...rest } = defaultDigest;
    return { frequency: "off", ...rest, channels: [...channels], next_at: null, last };
  }
  return {
    frequency: row.frequency,
    hour_utc: row.hourUtc,
    weekday: digestWeekdays[row.weekday] ?? defaultDigest.weekday,
    channels: DigestChannels.parse(JSON.parse(row.channels)),
    is_sent_when_empty: row.isSentWhenEmpty === 1,
    next_at: row.nextAt,
    last,
  };
}
