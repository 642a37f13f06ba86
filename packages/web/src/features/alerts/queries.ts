import { getIncident, limits, listIncidents, listServices } from "@flamekeep/contract";
import { callQuery } from "#api/call-query.ts";
import { refreshSteps } from "#time-range/refresh-steps.ts";

/** The newest incidents with their alerts, as many as fit in one reply. Changes of alerts invalidate the key `alerts`. */
export const incidentsQuery = callQuery(
  ["alerts", "incidents"],
  listIncidents,
  { query: { limit: limits.incidentListLimitMax } },
  { refetchInterval: refreshSteps.listMs },
);

export function incidentQuery(id: string) {
  return callQuery(
    ["alerts", "incident", id],
    getIncident,
    { params: { id } },
    { refetchInterval: refreshSteps.listMs },
  );
}

/** The first service by name of those that sent profiles in the last week. */
export const firstServiceQuery = callQuery(["services", "7d", "first"], listServices, {
  query: { since: "7d", order: "name", limit: 1 },
});
