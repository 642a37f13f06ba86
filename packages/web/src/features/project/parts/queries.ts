import {
  type HttpRoute,
  httpTimeline,
  limits,
  listHttpErrors,
  listPathMetrics,
  listProjects,
  type RequestOrder,
  routeTime,
  serviceSummary,
  serviceTimeline,
} from "@flamekeep/contract";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { callQuery } from "#api/call-query.ts";
import { refreshSteps } from "#time-range/refresh-steps.ts";
import type { RangeQuery } from "#time-range/view-range.ts";

/** The data of a service in a range, for all calls of the page. */
export interface Scope {
  readonly service: string;
  readonly range: RangeQuery;
  readonly refetchInterval: number | false;
}

const unreadableTimeline =
  "Invalid response format: expected an array or object with points/data_points array";

const keepOld = { placeholderData: keepPreviousData } as const;

export function timelineQuery({ service, range, refetchInterval }: Scope, bucket: string) {
  return queryOptions({
    queryKey: ["timeline", service, range, bucket],
    queryFn: async ({ signal }) => {
      const query = { ...range, bucket };
      const timeline = await call(serviceTimeline, { params: { service }, query, signal });
      // The reply of something in front of the server, such as a proxy, cannot be drawn.
      if (!Array.isArray(timeline?.data_points)) throw new Error(unreadableTimeline);
      return timeline;
    },
    ...keepOld,
    refetchInterval,
  });
}

export function summaryQuery({ service, range, refetchInterval }: Scope) {
  return callQuery(
    ["summary", service, range],
    serviceSummary,
    { params: { service }, query: range },
    { ...keepOld, refetchInterval },
  );
}

/** Those with the name or id come first. */
const namesakesMax = 20;

/** The project that an address names: by the name of its service, or by its id. */
export function namedProjectQuery(nameOrId: string) {
  return queryOptions({
    queryKey: ["projects", "named", nameOrId],
    queryFn: ({ signal }) =>
      call(listProjects, {
        query: { q: nameOrId.slice(0, limits.searchLengthMax), order: "name", limit: namesakesMax },
        signal,
      }),
    select: ({ projects }) => projects.find(({ id, name }) => id === nameOrId || name === nameOrId),
  });
}

/** @param route all requests of the service where it is left out */
export function httpTimelineQuery(
  { service, range, refetchInterval }: Scope,
  interval: number,
  route?: HttpRoute,
) {
  const query = { ...range, ...(route && routeParams(route)), interval, include_statuses: "true" } as const;
  return callQuery(
    ["http", "timeline", service, query],
    httpTimeline,
    { params: { service }, query },
    { ...keepOld, refetchInterval },
  );
}

export function httpErrorsQuery({ service, range, refetchInterval }: Scope) {
  return callQuery(
    ["http", "errors", service, range],
    listHttpErrors,
    { params: { service }, query: range },
    { ...keepOld, refetchInterval },
  );
}

const requestsShown = 20;

/** A route as parameters of a call. */
function routeParams({ method, path }: HttpRoute) {
  return { path, ...(method !== "" && { method }) };
}

/** Single requests of a route, each with a CPU profile of its time. */
export function routeRequestsQuery({ service, range }: Scope, route: HttpRoute, order: RequestOrder) {
  const profile_type = "cpu" as const;
  const query = { ...range, ...routeParams(route), order, profile_type, limit: requestsShown };
  return callQuery(["http", "route", service, query], listPathMetrics, { params: { service }, query });
}

/** The label that somebody chose for the route; by default the server finds one. */
export interface ChosenLabel {
  readonly name: string | undefined;
  readonly value: string | undefined;
}

/** The mean latency of a route, divided into what profiles tell about it. */
export function routeTimeQuery(
  { service, range, refetchInterval }: Scope,
  route: HttpRoute,
  label: ChosenLabel,
) {
  const query = { ...range, ...routeParams(route), label: label.name, label_value: label.value };
  return callQuery(
    ["http", "route-time", service, query],
    routeTime,
    { params: { service }, query },
    { ...keepOld, refetchInterval: refetchInterval && Math.max(refetchInterval, refreshSteps.graphMs) },
  );
}
