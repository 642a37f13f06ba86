import type { ProfileTab, TimelinePoint } from "@flamekeep/contract";
import type { z } from "zod";
import { type Buckets, bucketStarts } from "#http/time-range.ts";
import type { customByBucket, usageByBucket } from "./queries.ts";

type Usage = z.output<typeof usageByBucket.row>;
type Custom = z.output<typeof customByBucket.row>;
type Field = Exclude<keyof TimelinePoint, "timestamp" | "custom_values">;

/** Which array of the row is which field, and the profile type it belongs to. */
const fields: readonly (readonly [ProfileTab, Field, Exclude<keyof Usage, "starts">])[] = [
  ["cpu", "cpu_seconds", "cpuSeconds"],
  ["cpu", "avg_cpu_percent", "cpuPercent"],
  ["memory", "memory_bytes", "memoryBytes"],
  ["goroutine", "goroutine_count", "goroutines"],
  ["mutex", "mutex_usage", "mutexSeconds"],
  ["block", "block_usage", "blockSeconds"],
];

/** A point for every bucket, with every field of the type; null where the store has nothing. */
export function toPoints(
  buckets: Buckets,
  type: ProfileTab,
  usage: Usage | undefined,
  custom: readonly Custom[],
): TimelinePoint[] {
  const shown = fields.filter(([owner]) => type === "all" || type === owner);
  const blank = Object.fromEntries(shown.map(([, field]) => [field, null]));
  const points: TimelinePoint[] = bucketStarts(buckets).map((timestamp) => ({ timestamp, ...blank }));
  const first = buckets.fromMs / buckets.widthMs;
  for (const [, field, column] of shown) {
    for (const [row, start] of (usage?.starts ?? []).entries()) {
      points[start - first]![field] = usage![column][row] ?? null;
    }
  }
  if (type === "all" || type === "custom") addCustom(points, first, custom);
  return points;
}

function addCustom(points: TimelinePoint[], first: number, custom: readonly Custom[]): void {
  for (const point of points) point.custom_values = null;
  for (const { sampleType, starts, means } of custom) {
    for (const [row, start] of starts.entries()) {
      const point = points[start - first]!;
      point.custom_values = { ...point.custom_values, [sampleType]: means[row]! };
    }
  }
}
