import { call } from "#base/call.ts";

export const goroutineChart = call("GET", "/api/v1/protected/goroutines/chart/{profileId}");
export const serviceGoroutines = call("GET", "/api/v1/protected/goroutines/service/{service}");
export const mutexChart = call("GET", "/api/v1/protected/mutex/chart/{profileId}");
export const serviceMutex = call("GET", "/api/v1/protected/mutex/service/{service}");
export const blockChart = call("GET", "/api/v1/protected/block/chart/{profileId}");
export const serviceBlock = call("GET", "/api/v1/protected/block/service/{service}");
export const customChart = call("GET", "/api/v1/protected/custom/chart/{profileId}");
export const serviceCustom = call("GET", "/api/v1/protected/custom/service/{service}");
export const serviceSeries = call("GET", "/api/v1/protected/series/service/{service}/{type}");
export const listServiceTags = call("GET", "/api/v1/protected/tags/service/{service}");
export const listDeploys = call("GET", "/api/v1/protected/deploys/service/{service}");
export const typeTimeline = call("GET", "/api/v1/protected/timeline/service/{service}/{type}");
export const serviceTimeline = call("GET", "/api/v1/protected/timeline/service/{service}");
export const httpTimeline = call("GET", "/api/v1/protected/timeline/http/{service}");
export const listHttpMetrics = call("GET", "/api/v1/protected/http-metrics/service/{service}");
export const aggregateHttpMetrics = call(
  "GET",
  "/api/v1/protected/http-metrics/service/{service}/aggregated",
);
export const listHttpPaths = call("GET", "/api/v1/protected/http-metrics/paths");
export const listHttpErrors = call("GET", "/api/v1/protected/http-metrics/service/{service}/errors");
export const listPathMetrics = call("GET", "/api/v1/protected/http-metrics/service/{service}/paths");
export const routeTime = call("GET", "/api/v1/protected/http-metrics/service/{service}/route-time");

export const httpGroupings = ["path", "method", "status"] as const;
export type HttpGrouping = (typeof httpGroupings)[number];

export const httpPathOrders = ["slowest", "requests", "errors"] as const;
export type HttpPathOrder = (typeof httpPathOrders)[number];

export const requestOrders = ["latest", "slowest", "errors"] as const;
export type RequestOrder = (typeof requestOrders)[number];

/** Parts of the time of a request, in the order of the page. */
export const routeTimeParts = ["cpu", "lock", "wait"] as const;
export type RouteTimePart = (typeof routeTimeParts)[number];
