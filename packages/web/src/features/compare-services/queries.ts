import {
  aggregateHttpMetrics,
  limits,
  organizationFigures,
  organizationRequests,
  serviceSummary,
  serviceTimeline,
  sharedFunctions,
} from "@flamekeep/contract";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { callQuery } from "#api/call-query.ts";
import { whileOfSameSubject } from "#profile-series/series-query.ts";
import type { RangeQuery } from "#time-range/view-range.ts";
import { bucketOf, haveSingleFunctions, partsOf, type SharedPart, type Side } from "./model.ts";

// The last part of each key is the range; the parts before it are the subject.

export function timelineQuery({ key, id, organization }: Side, range: RangeQuery, rangeMs: number) {
  return callQuery(["compare-services", "timeline", key, range], serviceTimeline, {
    params: { service: id },
    query: { ...range, bucket: bucketOf(rangeMs) },
    organization,
  });
}

export function requestsQuery({ key, id, organization }: Side, range: RangeQuery) {
  return callQuery(["compare-services", "requests", key, range], aggregateHttpMetrics, {
    params: { service: id },
    query: range,
    organization,
  });
}

export function summaryQuery({ key, id, organization }: Side, range: RangeQuery) {
  return callQuery(["compare-services", "summary", key, range], serviceSummary, {
    params: { service: id },
    query: range,
    organization,
  });
}

/** Memory and goroutines of all services of an organization. */
export function allFiguresQuery({ key, organization }: Side, range: RangeQuery) {
  return callQuery(["compare-services", "figures", key, range], organizationFigures, {
    query: range,
    organization,
  });
}

/** HTTP requests of all services of an organization. */
export function allRequestsQuery({ key, organization }: Side, range: RangeQuery) {
  return callQuery(["compare-services", "all-requests", key, range], organizationRequests, {
    query: range,
    organization,
  });
}

/** The functions of one side with the largest self values. */
export function hottestQuery(side: Side, range: RangeQuery) {
  const subject = ["compare-services", "hottest", side.key] as const;
  const filter = { type: "cpu", scope: "all", services_min: 1, limit: limits.functionsMax } as const;
  return callQuery(
    [...subject, range],
    sharedFunctions,
    { query: { ...range, ...filter, ...named([side]) }, organization: side.organization },
    { placeholderData: whileOfSameSubject(subject) },
  );
}

/** Library functions of the sides, each with all services that have it. */
export function sharedQuery(sides: readonly Side[], range: RangeQuery) {
  const subject = ["compare-services", "shared", ...sides.map(({ key }) => key)] as const;
  const filter = {
    type: "cpu",
    scope: "libraries",
    limit: limits.functionsMax,
    services_min: haveSingleFunctions(sides) ? 1 : 2,
    services_limit: limits.countedServicesMax,
  } as const;
  return queryOptions({
    queryKey: [...subject, range],
    queryFn: ({ signal }) =>
      Promise.all(
        partsOf(sides).map(async (part): Promise<SharedPart> => {
          const query = { ...range, ...filter, ...named(part) };
          const organization = part[0]?.organization;
          const reply = await call(sharedFunctions, { query, organization, signal });
          return { sides: part.map(({ key }) => key), reply };
        }),
      ),
    placeholderData: whileOfSameSubject(subject),
  });
}

/** The services and projects of the sides as parameters; none for all services. */
function named(sides: readonly Side[]) {
  if (sides.some(({ services }) => services === "all")) return {};
  const idsOf = (wanted: Side["kind"]) => sides.flatMap(({ kind, id }) => (kind === wanted ? id : []));
  return { service: idsOf("service"), project: idsOf("project") };
}
