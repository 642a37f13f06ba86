import { spanMs, type TimeBucket, timeBuckets } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";

/** Widths of a timeline's points and the longest range for which each is chosen without being asked for. */
const automatic: readonly (readonly [rangeMs: number, bucket: TimeBucket])[] = [
  [90 * minuteMs, "1m"],
  [8 * hourMs, "5m"],
  [2 * dayMs, "15m"],
  [8 * dayMs, "1h"],
];

/** The bucket for a range: 15 minutes for a day. */
export function automaticBucket(rangeMs: number): TimeBucket {
  return automatic.find(([longest]) => rangeMs <= longest)?.[1] ?? "4h";
}

/** `15m` is 15, `4h` is 240; anything else is 5. */
export function intervalMinutes(bucket: string): number {
  const ms = timeBuckets.some((each) => each === bucket) ? spanMs(bucket) : undefined;
  return ms === undefined ? 5 : ms / minuteMs;
}
