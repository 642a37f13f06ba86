import type { HttpTimeline } from "@flamekeep/contract";
import type { ChartSeries } from "#charts/chart.ts";

type HttpPoint = HttpTimeline["data_points"][number];
type Points = readonly HttpPoint[];

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

/** Latency has one hue: the higher the percentile, the lighter. */
export function latencySeries(points: Points): ChartSeries[] {
  return [
    { ...httpSeries("avg", "Average", points, (point) => point.avg_duration_ms), color: "latency-avg" },
    { ...httpSeries("p95", "p95", points, (point) => point.p95_duration_ms), color: "latency-p95" },
    { ...httpSeries("p99", "p99", points, (point) => point.p99_duration_ms), color: "latency-p99" },
  ];
}

export function errorSeries(points: Points): ChartSeries {
  const percent = ({ error_rate }: HttpPoint) => (error_rate === null ? null : error_rate * 100);
  return { ...httpSeries("errors", "Error rate", points, percent), color: "critical" };
}
