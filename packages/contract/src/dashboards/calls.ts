import { call } from "#base/call.ts";
import { type GraphType, graphTypes } from "#base/profile-types.ts";

export const listDashboards = call("GET", "/api/v1/protected/dashboards");
export const createDashboard = call("POST", "/api/v1/protected/dashboards");
export const readDashboard = call("GET", "/api/v1/protected/dashboards/{id}");
export const saveDashboard = call("PUT", "/api/v1/protected/dashboards/{id}");
export const removeDashboard = call("DELETE", "/api/v1/protected/dashboards/{id}");
export const listDashboardVersions = call("GET", "/api/v1/protected/dashboards/{id}/versions");
export const restoreDashboard = call("POST", "/api/v1/protected/dashboards/{id}/restore");

/** Figures of the HTTP requests of a service over time: the 95th percentile of their durations, and the share that failed. */
export const requestFigures = ["p95", "errors"] as const;
export type RequestFigure = (typeof requestFigures)[number];

/** Figures of a service over time: of its profiles, and of its HTTP requests. */
export type LaneFigure = GraphType | RequestFigure;
export const laneFigures: readonly LaneFigure[] = [...graphTypes, ...requestFigures];

export function isRequestFigure(figure: LaneFigure): figure is RequestFigure {
  return requestFigures.some((each) => each === figure);
}

/** The service of a panel that follows the variable of its dashboard. */
export const serviceVariable = "$service";

/** Values that a dashboard's panels share, each empty where nothing is chosen. Version and region are tags of profiles. */
export const dashboardVariables = ["service", "version", "region"] as const;
export type DashboardVariable = (typeof dashboardVariables)[number];
