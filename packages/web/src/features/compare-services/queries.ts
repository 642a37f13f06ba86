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
import { bucketOf, type Side } from "./model.ts";

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

/** The functions of one side with the largest self values. */
export function hottestQuery(side: Side, range: RangeQuery) {
  const subject = ["compare-services", "hottest", side.key] as const;
  const filter = { type: "cpu", scope: "all", services_min: 1, limit: limits.functionsMax } as const;
  return callQuery(
    [...subject, range],
    sharedFunctions,
    { query: { ...range, ...filter, ...named([side]) } },
    { placeholderData: whileOfSameSubject(subject) },
  );
}

/** Library functions of all sides, each with all services that have it. */
export function sharedQuery(sides: readonly Side[], range: RangeQuery) {
  const subject = ["compare-services", "shared", ...sides.map(({ key }) => key)] as const;
  const filter = { type: "cpu", scope: "libraries", limit: limits.functionsMax } as const;
  // A service may be compared with a group that has it. Then the largest functions may be those of a single side.
  const services_min = sides.some(({ project }) => project !== undefined) ? 1 : 2;
  return callQuery(
    [...subject, range],
    sharedFunctions,
    {
      query: {
        ...range,
        ...filter,
        services_min,
        services_limit: limits.countedServicesMax,
        ...named(sides),
      },
    },
    { placeholderData: whileOfSameSubject(subject) },
  );
}

/** The services and projects of the sides as parameters. */
function named(sides: readonly Side[]) {
  return {
    service: sides.flatMap(({ project, services }) => (project === undefined ? services : [])),
    project: sides.flatMap(({ project }) => project ?? []),
  };
}
