import { listDashboards, readDashboard } from "@flamekeep/contract";
import { callQuery } from "#api/call-query.ts";

export const dashboardsQuery = callQuery(["dashboards"], listDashboards);

export function dashboardQuery(id: string) {
  return callQuery(["dashboard", id], readDashboard, { params: { id } });
}

/** The queries that a change of a dashboard concerns. */
export function queriesOfDashboard(id: string) {
  return [dashboardsQuery, { queryKey: ["dashboard", id] }] as const;
}
