import type { HttpTimeline, RuleSignal } from "@flamekeep/contract";

export type RequestSignal = Exclude<RuleSignal, "profile">;

interface Subject {
  readonly service: string;
  /** All requests of the service where it is left out. */
  readonly route?: string;
}

type Requests = Pick<HttpTimeline, "data_points" | "summary">;

/** The fields of a new rule about requests, with a threshold that their usual values do not reach. */
export function ruleFields(signal: RequestSignal, subject: Subject, requests: Requests) {
  const threshold = thresholdOf(signal, requests);
  return { ...subject, signal, ...(threshold > 0 && { threshold }) };
}

function thresholdOf(signal: RequestSignal, { data_points: points, summary }: Requests): number {
  if (signal === "http_p95") return twoDigits((1.5 * (summary.p95_duration_ms ?? 0)) / 1000);
  if (signal === "http_request_rate") return twoDigits(1.5 * summary.peak_throughput_rps);
  const failed = points.reduce((sum, { status_counts: counts }) => sum + (counts?.["5xx"] ?? 0), 0);
  return Math.min(0.5, Math.max(0.01, twoDigits((2 * failed) / Math.max(1, summary.total_requests))));
}

function twoDigits(value: number): number {
  return Number(value.toPrecision(2));
}
