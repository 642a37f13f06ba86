import { type GraphType, graphTypes, type HttpTimeline } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import type { Lane } from "#charts/lanes/lanes.tsx";
import { typeColor } from "#charts/model/colours.ts";
import { spanOf, type TimeSpan } from "#charts/model/series.ts";
import type { TimedChart } from "./timed-charts.ts";

const laneLabels: Partial<Record<GraphType, string>> = {
  cpu: "CPU",
  memory: "Memory",
  goroutine: "Goroutines",
  mutex: "Lock wait",
  block: "Blocking",
};

/** A lane for each profile type that the service sends. Mutex profiles say more about locks than block profiles. */
export function profileLanes(charts: readonly TimedChart[]): Lane[] {
  const hasMutex = charts.some(({ type }) => type === "mutex");
  return charts
    .filter(({ type, series }) => series.length > 0 && !(type === "block" && hasMutex))
    .map(({ type, title, unit, timesMs, bucketMs, series }) => ({
      id: type,
      label: laneLabels[type] ?? title,
      color: typeColor(type),
      values: series[0]!.values,
      unit,
      timesMs,
      bucketMs,
    }));
}

/** The 95th percentile of the durations and the share of failed requests, where requests were sent. */
export function httpLanes({ data_points: points, interval_minutes }: HttpTimeline): Lane[] {
  const isCounted = points.map(({ request_count }) => request_count > 0);
  const [first, last] = [isCounted.indexOf(true), isCounted.lastIndexOf(true)];
  if (first === -1) return [];
  // Outside, no requests may have been sent yet, or not arrived.
  const valuesOf = (value: (point: (typeof points)[number]) => number | null) =>
    points.map((point, at) => (at < first || at > last ? null : value(point)));
  const axis = {
    timesMs: points.map(({ timestamp }) => Date.parse(timestamp)),
    bucketMs: interval_minutes * minuteMs,
  };
  return [
    {
      ...axis,
      id: "p95",
      label: "p95 latency",
      unit: "milliseconds",
      color: "latency-p95",
      values: valuesOf(({ p95_duration_ms }) => p95_duration_ms),
    },
    {
      ...axis,
      id: "errors",
      label: "Errors",
      unit: "percent",
      color: "critical",
      values: valuesOf(({ error_rate }) => (error_rate === null ? null : error_rate * 100)),
    },
  ];
}

/** The profile type of a lane; undefined for lanes of requests. */
export function laneType(id: string | undefined): GraphType | undefined {
  return graphTypes.find((type) => type === id);
}

/** The axis that holds all lanes, and the narrowest of their buckets. */
export function wholeOf(lanes: readonly Lane[]): { readonly whole: TimeSpan; readonly stepMs: number } {
  const spans = lanes.map(({ timesMs, bucketMs }) => spanOf(timesMs, bucketMs));
  return {
    whole: {
      fromMs: Math.min(...spans.map(({ fromMs }) => fromMs)),
      toMs: Math.max(...spans.map(({ toMs }) => toMs)),
    },
    stepMs: Math.min(...lanes.map(({ bucketMs }) => bucketMs)),
  };
}
