import {
  aggregateHttpMetrics,
  flameGraphDiff,
  limits,
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

/** CPU time with the requests answered while profiling. The frames are not needed. */
export function profiledRequestsQuery(service: string, range: RangeQuery) {
  const { from, to } = range;
  const ranges = { before_from: from, before_to: to, after_from: from, after_to: to };
  return callQuery(["compare-services", "profiled-requests", service, range], flameGraphDiff, {
    query: { service, type: "cpu", ...ranges, max_nodes: 1 },
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
