import { getIncident, limits, listIncidents } from "@flamekeep/contract";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#api/call.ts";

/** The server evaluates alerts once a minute. */
const refreshIntervalMs = 15_000;

/** The newest incidents with their alerts, as many as fit in one reply. Changes of alerts invalidate the key `alerts`. */
export const incidentsQuery = queryOptions({
  queryKey: ["alerts", "incidents"],
  queryFn: ({ signal }) => call(listIncidents, { query: { limit: limits.incidentListLimitMax }, signal }),
  refetchInterval: refreshIntervalMs,
});

export function incidentQuery(id: string) {
  return queryOptions({
    queryKey: ["alerts", "incident", id],
    queryFn: ({ signal }) => call(getIncident, { params: { id }, signal }),
    refetchInterval: refreshIntervalMs,
  });
}
