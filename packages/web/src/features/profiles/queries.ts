import { type HttpPathOrder, limits, listHttpPaths } from "@flamekeep/contract";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import type { RangeQuery } from "#time-range/view-range.ts";

/** Requests of all services by path. */
export function httpPathsQuery(range: RangeQuery, order: HttpPathOrder) {
  const query = { ...range, order, limit: limits.httpMetricsLimit };
  return queryOptions({
    queryKey: ["http", "paths", query],
    queryFn: ({ signal }) => call(listHttpPaths, { query, signal }),
    placeholderData: keepPreviousData,
  });
}
