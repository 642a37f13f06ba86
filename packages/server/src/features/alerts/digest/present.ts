import { type AlertDigest, digestChannels, digestWeekdays } from "@flamekeep/contract";
import { z } from "zod";
import type { DigestRow, lastDeliveries } from "./queries.ts";

const defaultDigest = {
  hour_utc: 7,
  weekday: "monday",
  channels: ["email"],
  is_sent_when_empty: false,
} as const;

/** The JSON of the column `channels`. */
export const DigestChannels = z.array(z.enum(digestChannels));

/** @param row undefined if the organization never changed its digest */
export function toDigest(
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
