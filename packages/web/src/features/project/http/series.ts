import type { HttpTimeline } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import type { ChartSeries } from "#charts/model/chart.ts";
import { wholeSums } from "#charts/model/series.ts";
import { wholeBuckets } from "#project/parts/timeline.ts";

type HttpPoint = HttpTimeline["data_points"][number];
type Figure = (point: HttpPoint) => number | null;

/**
 * The intervals from the first to the last one with requests. Outside, no requests may have been sent yet, or not arrived: the
 * reply has 0 there, but nothing was measured.
 */
function isCovered(points: readonly HttpPoint[]): (at: number) => boolean {
  const first = points.findIndex(({ request_count }) => request_count > 0);
  const last = points.findLastIndex(({ request_count }) => request_count > 0);
  return (at) => first !== -1 && at >= first && at <= last;
}

/** A figure of each interval; null where nothing was measured. */
function figuresOf({ data_points: points }: HttpTimeline, figure: Figure): (number | null)[] {
  const covered = isCovered(points);
  return points.map((point, at) => (covered(at) ? figure(point) : null));
}

/** Sums of the intervals that are over and lie in the range. */
function sumsOf(timeline: HttpTimeline, figures: readonly Figure[]): readonly (readonly (number | null)[])[] {
  const isWhole = wholeBuckets(timeline, timeline.interval_minutes * minuteMs);
  return wholeSums(
    figures.map((figure) => figuresOf(timeline, figure)),
    isWhole,
  );
}

export function countSeries(timeline: HttpTimeline): ChartSeries {
  const [values] = sumsOf(timeline, [(point) => point.request_count]);
  return { id: "requests", label: "Requests", values: values!, color: "series-2" };
}

/** The rate of the current interval is not known before it is over. */
export function rateSeries(timeline: HttpTimeline): ChartSeries {
  const isWhole = wholeBuckets(timeline, timeline.interval_minutes * minuteMs);
  const rates = figuresOf(timeline, (point) => point.throughput_rps);
  const values = rates.map((rate, at) => (isWhole(at) ? rate : null));
  return { id: "rps", label: "Requests per second", values, color: "series-3" };
}

const statusClasses = [
  ["2xx", "ok"],
  ["3xx", "info"],
  ["4xx", "warning"],
  ["5xx", "critical"],
  ["Other", "muted"],
] as const;

/** Requests by status class, those that occur. */
export function statusSeries(timeline: HttpTimeline): ChartSeries[] {
  const counts = sumsOf(
    timeline,
    statusClasses.map(
      ([name]) =>
        (point: HttpPoint) =>
          point.status_counts?.[name] ?? null,
    ),
  );
  return statusClasses
    .map(([label, color], at) => ({ id: label, label, color, values: counts[at]! }))
    .filter(({ values }) => values.some((count) => (count ?? 0) > 0));
}

/** Latency has one hue: the higher the percentile, the lighter. */
export function latencySeries(timeline: HttpTimeline): ChartSeries[] {
  const line = (id: string, label: string, figure: Figure) => ({
    id,
    label,
    values: figuresOf(timeline, figure),
  });
  return [
    { ...line("avg", "Average", (point) => point.avg_duration_ms), color: "latency-avg" },
    { ...line("p95", "p95", (point) => point.p95_duration_ms), color: "latency-p95" },
    { ...line("p99", "p99", (point) => point.p99_duration_ms), color: "latency-p99" },
  ];
}

/** As `latencySeries`, with the median in place of the average. */
export function percentileSeries(timeline: HttpTimeline): ChartSeries[] {
  const [, ...upper] = latencySeries(timeline);
  const values = figuresOf(timeline, (point) => point.p50_duration_ms);
  return [{ id: "p50", label: "p50", values, color: "latency-avg" }, ...upper];
}

/** The share of requests with status 4xx, which the callers caused, and with status 5xx. */
export function failureSeries(timeline: HttpTimeline): ChartSeries[] {
  const share = (name: "4xx" | "5xx") => (point: HttpPoint) =>
    point.request_count === 0 ? null : (100 * (point.status_counts?.[name] ?? 0)) / point.request_count;
  return [
    { id: "5xx", label: "5xx", values: figuresOf(timeline, share("5xx")), color: "critical" },
    { id: "4xx", label: "4xx", values: figuresOf(timeline, share("4xx")), color: "warning" },
  ];
}

export function errorSeries(timeline: HttpTimeline): ChartSeries {
  const percent = ({ error_rate }: HttpPoint) => (error_rate === null ? null : error_rate * 100);
  return { id: "errors", label: "Error rate", values: figuresOf(timeline, percent), color: "critical" };
}
