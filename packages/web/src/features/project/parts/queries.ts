import {
  aggregateHttpMetrics,
  type HttpGrouping,
  httpTimeline,
  limits,
  listAlerts,
  listHttpErrors,
  listPathMetrics,
  listProjects,
  type RequestOrder,
  serviceSummary,
  serviceTimeline,
} from "@flamekeep/contract";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { callQuery } from "#api/call-query.ts";
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

/** The project that an address names: by the name of its service, or by its id. */
export function namedProjectQuery(nameOrId: string) {
  return queryOptions({
    queryKey: ["projects"],
    queryFn: ({ signal }) => call(listProjects, { signal }),
    select: ({ projects }) => projects.find(({ id, name }) => id === nameOrId || name === nameOrId),
  });
}

/** The service's open alerts now, whatever the range. */
export function openAlertsQuery({ service, refetchInterval }: Scope) {
  const query = { service, status: "open", limit: limits.alertListLimitMax } as const;
  return callQuery(["alerts", "open", service], listAlerts, { query }, { refetchInterval });
}

export function httpTimelineQuery({ service, range, refetchInterval }: Scope, interval: number) {
  const query = { ...range, interval, include_statuses: "true" } as const;
  return callQuery(
    ["http", "timeline", service, query],
    httpTimeline,
    { params: { service }, query },
    { ...keepOld, refetchInterval },
  );
}

export function endpointsQuery({ service, range, refetchInterval }: Scope, groupBy: HttpGrouping) {
  const query = { ...range, group_by: groupBy };
  return callQuery(
    ["http", "groups", service, query],
    aggregateHttpMetrics,
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

const requestsShown = 50;

/** Single requests of a path. */
export function pathRequestsQuery({ service, range }: Scope, path: string, order: RequestOrder) {
  const query = { ...range, path, order, limit: requestsShown };
  return callQuery(["http", "path", service, query], listPathMetrics, { params: { service }, query });
}
