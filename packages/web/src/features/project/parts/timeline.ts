import { spanMs, type TimeBucket, type Timeline, timeBuckets } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { TimelineField } from "@flamekeep/contract/profile-types";
import { wholeSums } from "#charts/model/series.ts";

const sums: ReadonlySet<TimelineField> = new Set(["cpu_seconds", "mutex_usage", "block_usage"]);

export function timelineValues(timeline: Timeline, field: TimelineField): readonly (number | null)[] {
  const values = timeline.data_points.map((point) => point[field] ?? null);
  return sums.has(field) ? wholeSums([values], wholeBuckets(timeline, spanMs(timeline.bucket)!))[0]! : values;
}

interface Bucketed {
  readonly data_points: readonly { readonly timestamp: string }[];
  readonly complete_from: string;
  readonly complete_to: string;
}

/** Whether each bucket lies in the range and is over. */
export function wholeBuckets(
  { data_points, complete_from, complete_to }: Bucketed,
  widthMs: number,
): (at: number) => boolean {
  const [fromMs, toMs] = [Date.parse(complete_from), Date.parse(complete_to)];
  return (at) => {
    const startMs = Date.parse(data_points[at]!.timestamp);
    return startMs >= fromMs && startMs + widthMs <= toMs;
  };
}

export function timesOf(points: readonly { readonly timestamp: string }[]): number[] {
  return points.map(({ timestamp }) => Date.parse(timestamp));
}

/** Cores of one instance: a rate, which a bucket that still fills has too. */
export function coresValues(timeline: Timeline): readonly (number | null)[] {
  return timelineValues(timeline, "avg_cpu_percent").map((percent) =>
    percent === null ? null : percent / 100,
  );
}

/** The last measured value; null if there is none. */
export function lastValue(values: readonly (number | null)[]): number | null {
  return values.findLast((value) => value !== null) ?? null;
}

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

/** The page's title: the specification names one service differently. */
export function projectTitle(service: string): string {
  return service === "example-service" ? "Example Service" : service;
}

/** `Over 5 days`: the time between the first and the last profile; in hours below a day. */
export function overDays(days: number): string {
  if (days >= 1) return `Over ${counted(days, "day")}`;
  return days * 24 < 1 ? "Over less than an hour" : `Over ${counted(days * 24, "hour")}`;
}

/** `1 day`, `1.5 days`. */
function counted(value: number, one: string): string {
  const rounded = Math.round(value * 10) / 10;
  return `${rounded} ${one}${rounded === 1 ? "" : "s"}`;
}

/** `Last 24 Hours` or `Last 7 Days`; undefined for a range that does not end now. */
export function rangeBadge(from: string): string | undefined {
  const ms = spanMs(from);
  if (ms === undefined) return undefined;
  const [count, unit] = ms <= dayMs ? [ms / hourMs, "Hour"] : [ms / dayMs, "Day"];
  return `Last ${counted(count, unit)}`;
}
