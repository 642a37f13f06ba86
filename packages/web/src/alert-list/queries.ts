import { limits, listAlerts, listMutes } from "@flamekeep/contract";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#api/call.ts";

/** The server evaluates alerts once a minute. */
const refreshIntervalMs = 15_000;

/** The newest alerts, as many as fit in one reply. The server does not sort by increase; callers do. */
export function alertsQuery(status: "open" | "all") {
  return queryOptions({
    queryKey: ["alerts", status],
    queryFn: ({ signal }) => call(listAlerts, { query: { status, limit: limits.alertListLimitMax }, signal }),
    refetchInterval: refreshIntervalMs,
  });
}

/** The muted series, with the ends of their mutes. */
export const mutesQuery = queryOptions({
  queryKey: ["alert-mutes"],
  queryFn: ({ signal }) => call(listMutes, { signal }),
  refetchInterval: refreshIntervalMs,
});
