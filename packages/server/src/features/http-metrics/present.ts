import type { HttpAggregates, HttpStatusCounts, HttpTimeline, StoredMetric } from "@flamekeep/contract";
import { type Buckets, bucketStarts } from "#http/query/time-range.ts";
import type { RequestRow } from "./request-queries.ts";
import type { IntervalCounts, IntervalQuantiles, IntervalStatuses } from "./timeline-queries.ts";
import type { GroupRow } from "./total-queries.ts";

export function toMetric(row: RequestRow): StoredMetric {
  return {
    timestamp: row.at.toISOString(),
    duration: row.duration_seconds,
    status_code: row.status_code,
    method: row.method,
    path: row.path,
    request_id: row.request_id,
  };
}

export function toAggregates(row: Omit<GroupRow, "name">): HttpAggregates {
  const [p95, p99] = row.quantiles;
  return {
    count: row.requests,
    avg_duration: row.seconds / row.requests,
    p95_duration: p95,
    p99_duration: p99,
    error_rate: row.errors / row.requests,
  };
}

export const noAggregates: HttpAggregates = {
  count: 0,
  avg_duration: null,
  p95_duration: null,
  p99_duration: null,
  error_rate: null,
};

export interface TimelineRow extends IntervalCounts {
  /** By interval; 0 is the whole range. */
  readonly quantiles: ReadonlyMap<number, IntervalQuantiles["quantiles"]>;
}

/**
 * A point for every interval. Rates are over the whole interval, the current one too: requests arrive in batches, so that dividing
 * by the time since its start would invent a peak.
 */
export function toHttpPoints(buckets: Buckets, row: TimelineRow): HttpTimeline["data_points"] {
  const first = buckets.fromMs / buckets.widthMs;
  const points: HttpTimeline["data_points"] = bucketStarts(buckets).map((timestamp) => ({
    timestamp,
    request_count: 0,
    avg_duration_ms: null,
    p50_duration_ms: null,
    p95_duration_ms: null,
    p99_duration_ms: null,
    throughput_rps: 0,
    error_rate: null,
  }));
  for (const [index, start] of row.starts.entries()) {
    const count = row.requests[index]!;
    const [p95, p99, p50] = row.quantiles.get(start) ?? [null, null, null];
    points[start - first] = {
      timestamp: points[start - first]!.timestamp,
      request_count: count,
      avg_duration_ms: (1000 * row.seconds[index]!) / count,
      p50_duration_ms: p50 === null ? null : 1000 * p50,
      p95_duration_ms: p95 === null ? null : 1000 * p95,
      p99_duration_ms: p99 === null ? null : 1000 * p99,
      throughput_rps: (1000 * count) / buckets.widthMs,
      error_rate: row.errors[index]! / count,
    };
  }
  return points;
}

/** The points with their requests by class of status. */
export function withStatuses(
  buckets: Buckets,
  points: HttpTimeline["data_points"],
  { starts, classes }: IntervalStatuses,
): HttpTimeline["data_points"] {
  const first = buckets.fromMs / buckets.widthMs;
  const byPoint = new Map(starts.map((start, index) => [start - first, classes[index]!]));
  return points.map((point, at) => {
    const [ok, redirected, refused, failed] = byPoint.get(at) ?? [0, 0, 0, 0];
    const other = Math.max(0, point.request_count - ok - redirected - refused - failed);
    const status_counts: HttpStatusCounts = {
      "2xx": ok,
      "3xx": redirected,
      "4xx": refused,
      "5xx": failed,
      Other: other,
    };
    return { ...point, status_counts };
  });
}

export function toHttpSummary(
  row: TimelineRow,
  points: HttpTimeline["data_points"],
): HttpTimeline["summary"] {
  const sum = (figures: readonly number[] = []) => figures.reduce((total, figure) => total + figure, 0);
  const total = sum(row.requests);
  const overall = row.quantiles.get(0);
  return {
    total_requests: total,
    avg_duration_ms: total === 0 ? null : (1000 * sum(row.seconds)) / total,
    p95_duration_ms: total === 0 || overall === undefined ? null : 1000 * overall[0],
    peak_throughput_rps: points.reduce((peak, { throughput_rps }) => Math.max(peak, throughput_rps), 0),
    overall_error_rate: total === 0 ? null : sum(row.errors) / total,
    total_data_mb: null,
  };
}
