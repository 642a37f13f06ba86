import { type TimeBucket, type TimeRange, timeBuckets, timeRanges } from "@flamekeep/contract";
import { readStored, storageKeys, writeStored } from "./storage.ts";

const renamedRanges: Record<string, TimeRange> = { "7d": "168h", "30d": "720h" };

/** A saved or linked range; older names are taken for what they meant, anything else is 24 hours. */
export function timeRangeOf(text: string | null | undefined): TimeRange {
  const current = renamedRanges[text ?? ""] ?? text;
  return timeRanges.find((range) => range === current) ?? "24h";
}

export function timeBucketOf(text: string | null | undefined): TimeBucket {
  return timeBuckets.find((bucket) => bucket === text) ?? "15m";
}

/** What somebody chose before, undefined for who never did. */
export function chosenTimeRange(): TimeRange | undefined {
  return readStored(storageKeys.timeRange) === null ? undefined : savedTimeRange();
}

export function savedTimeRange(): TimeRange {
  return timeRangeOf(readStored(storageKeys.timeRange));
}

export function saveTimeRange(range: TimeRange): void {
  writeStored(storageKeys.timeRange, range);
}
