import {
  aggregateHttpMetrics,
  limits,
  serviceSummary,
  serviceTimeline,
  sharedFunctions,
} from "@flamekeep/contract";
import { callQuery } from "#api/call-query.ts";
import { whileOfSameSubject } from "#profile-series/series-query.ts";
import type { RangeQuery } from "#time-range/view-range.ts";
import { bucketOf } from "./model.ts";

// The last part of each key is the range; the parts before it are the subject.

export function timelineQuery(service: string, range: RangeQuery, rangeMs: number) {
  return callQuery(["compare-services", "timeline", service, range], serviceTimeline, {
    params: { service },
    query: { ...range, bucket: bucketOf(rangeMs) },
  });
}

export function requestsQuery(service: string, range: RangeQuery) {
  return callQuery(["compare-services", "requests", service, range], aggregateHttpMetrics, {
    params: { service },
    query: range,
  });
}

export function summaryQuery(service: string, range: RangeQuery) {
  return callQuery(["compare-services", "summary", service, range], serviceSummary, {
    params: { service },
    query: range,
  });
}

/** The functions of one service with the largest self values. */
export function hottestQuery(service: string, range: RangeQuery) {
  const subject = ["compare-services", "hottest", service] as const;
  const filter = { type: "cpu", scope: "all", services_min: 1, limit: limits.functionsMax } as const;
  return callQuery(
    [...subject, range],
    sharedFunctions,
    { query: { ...range, ...filter, service: [service] } },
    { placeholderData: whileOfSameSubject(subject) },
  );
}

export function sharedQuery(services: readonly string[], range: RangeQuery) {
  const subject = ["compare-services", "shared", ...services] as const;
  const filter = { type: "cpu", scope: "libraries", services_min: 2, limit: limits.functionsMax } as const;
  return callQuery(
    [...subject, range],
    sharedFunctions,
    { query: { ...range, ...filter, service: [...services] } },
    { placeholderData: whileOfSameSubject(subject) },
  );
}
