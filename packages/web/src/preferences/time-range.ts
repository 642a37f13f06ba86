import { type TimeBucket, type TimeRange, timeBuckets, timeRanges } from "@flamekeep/contract";
import { readStored, storageKeys, writeStored } from "./storage.ts";

const renamedRanges: Record<string, TimeRange> = { "7d": "168h", "30d": "720h" };

/** The range that a stored or linked text means, including older names; 24 hours if it means none. */
export function timeRangeOf(text: string | null | undefined): TimeRange {
  const current = renamedRanges[text ?? ""] ?? text;
  return timeRanges.find((range) => range === current) ?? "24h";
}

export function timeBucketOf(text: string | null | undefined): TimeBucket {
  return timeBuckets.find((bucket) => bucket === text) ?? "15m";
}

/** The saved range; undefined if none was ever chosen. */
export function chosenTimeRange(): TimeRange | undefined {
  return readStored(storageKeys.timeRange) === null ? undefined : savedTimeRange();
}

export function savedTimeRange(): TimeRange {
  return timeRangeOf(readStored(storageKeys.timeRange));
}

export function saveTimeRange(range: TimeRange): void {
  writeStored(storageKeys.timeRange, range);
}
