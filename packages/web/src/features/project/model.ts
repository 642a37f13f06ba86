import {
  type Alert,
  type Deploy,
  type HttpTimeline,
  spanMs,
  type TimeBucket,
  type Timeline,
  timeBuckets,
} from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { severityOf } from "#alert-list/model.ts";
import type { ChartMarker, ChartSeries } from "#charts/chart.ts";
import { measureText } from "#format/measure.ts";
import { profileTypeLabel } from "#format/names.ts";
import { changeMeasure } from "#format/number.ts";

/** The page's title: the specification names one service differently. */
export function projectTitle(service: string): string {
  return service === "example-service" ? "Example Service" : service;
}

export type Health = "healthy" | "warning" | "critical";

/** The worst of the open alerts that are not muted. */
export function healthOf(alerts: readonly Alert[]): Health {
  const open = openAlerts(alerts).map(severityOf);
  if (open.includes("critical")) return "critical";
  return open.includes("warning") ? "warning" : "healthy";
}

export function openAlerts(alerts: readonly Alert[]): Alert[] {
  return alerts.filter(({ status, is_muted }) => status === "open" && !is_muted);
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

export type TimelineField =
  | "cpu_seconds"
  | "memory_bytes"
  | "goroutine_count"
  | "mutex_usage"
  | "block_usage";

export function timelineValues({ data_points }: Timeline, field: TimelineField): (number | null)[] {
  return data_points.map((point) => point[field] ?? null);
}

export function timesOf(points: readonly { readonly timestamp: string }[]): number[] {
  return points.map(({ timestamp }) => Date.parse(timestamp));
}

/** The last measured value; null if there is none. */
export function lastValue(values: readonly (number | null)[]): number | null {
  return values.findLast((value) => value !== null) ?? null;
}

type HttpPoint = HttpTimeline["data_points"][number];

/**
 * Whether each interval lies between the first and the last one with requests. Outside, no requests may have been sent yet, or
 * not arrived: the reply has 0 there, but nothing was measured.
 */
function isCovered(points: readonly HttpPoint[]): (at: number) => boolean {
  const first = points.findIndex(({ request_count }) => request_count > 0);
  const last = points.findLastIndex(({ request_count }) => request_count > 0);
  return (at) => first !== -1 && at >= first && at <= last;
}

/** A line of a chart of requests. */
export function httpSeries(
  id: string,
  label: string,
  points: readonly HttpPoint[],
  figure: (point: HttpPoint) => number | null,
): ChartSeries {
  const covered = isCovered(points);
  return { id, label, values: points.map((point, at) => (covered(at) ? figure(point) : null)) };
}

const statusClasses = [
  ["2xx", "ok"],
  ["3xx", "info"],
  ["4xx", "warning"],
  ["5xx", "critical"],
  ["Other", "muted"],
] as const;

/** Requests by class of status, those that occur. */
export function statusSeries(points: readonly HttpPoint[]): ChartSeries[] {
  const covered = isCovered(points);
  return statusClasses
    .map(([label, color]) => ({
      id: label,
      label,
      color,
      values: points.map((point, at) => (covered(at) ? (point.status_counts?.[label] ?? null) : null)),
    }))
    .filter(({ values }) => values.some((count) => (count ?? 0) > 0));
}

/** Deploys, and the alerts of the given profile types, as markers of a chart. */
export function markersOf(
  deploys: readonly Deploy[],
  alerts: readonly Alert[],
  openProfile: (profileId: string) => void,
): ChartMarker[] {
  return [
    ...deploys.map(({ timestamp, tag, value, previous }) => ({
      atMs: Date.parse(timestamp),
      kind: "deploy" as const,
      label: `Deploy of ${tag} ${value}`,
      details: `It was ${previous} before`,
    })),
    ...alerts.map((alert) => ({
      atMs: Date.parse(alert.timestamp),
      kind: "alert" as const,
      label: `Alert: ${profileTypeLabel(alert.profile_type)} ${measureText(changeMeasure(alert.percent_change))}`,
      ...(alert.functions[0] && { details: `Most of it in ${alert.functions[0].name}` }),
      onOpen: () => openProfile(alert.profile_id),
    })),
  ];
}
