import { busyService, steadyService } from "./data-set.ts";

export interface MeasuredCall {
  readonly what: string;
  /** As the contract names it: whether it is served. */
  readonly route: string;
  readonly url: string;
  /** p95, milliseconds. */
  readonly barMs: number;
  /** Whether its cost must not grow with the history: paged and rolled-up calls. */
  readonly isFlat: boolean;
}

const api = "/api/v1/protected";
const flame = `${api}/flamegraph/service`;
const typeTimeline = `${api}/timeline/service/{service}/{type}`;

function call(what: string, route: string, url: string, barMs: number, isFlat = true): MeasuredCall {
  return { what, route: `${api}${route}`, url: `${api}${url}`, barMs, isFlat };
}

export const calls: readonly MeasuredCall[] = [
  call("profiles page, 24 h", "/profiles", "/profiles?since=24h", 50),
  call("profiles page, 30 d", "/profiles", "/profiles?since=720h", 50),
  call(
    "profiles page of a service, 7 d",
    "/profiles/service/{service}",
    `/profiles/service/${steadyService}?since=168h`,
    50,
  ),
  call("services with totals, 7 d", "/services", "/services?include_totals=true", 50),
  call("services with totals, 30 d", "/services", "/services?include_totals=true&since=720h", 50),
  call("projects", "/projects", "/projects", 50),
  call("summary, 5 d", "/summary", "/summary", 50),
  call("summary, 30 d", "/summary", "/summary?since=720h", 50),
  call("summary of a service", "/summary/service/{service}", `/summary/service/${steadyService}`, 50),
  call("alerts", "/alerts", "/alerts", 50),
  call(
    "timeline, 24 h",
    typeTimeline.slice(api.length),
    `/timeline/service/${steadyService}/cpu?from=24h&bucket=15m`,
    50,
  ),
  call(
    "timeline, 30 d",
    typeTimeline.slice(api.length),
    `/timeline/service/${steadyService}/cpu?from=720h&bucket=4h`,
    100,
  ),
  call("HTTP timeline, 24 h", "/timeline/http/{service}", `/timeline/http/${steadyService}`, 100),
  call(
    "merged flame graph, 1 h, busy service",
    `${flame.slice(api.length)}/{service}/{type}`,
    `/flamegraph/service/${busyService}/cpu?from=1h`,
    60,
    false,
  ),
  call(
    "merged flame graph, 24 h, busy service",
    `${flame.slice(api.length)}/{service}/{type}`,
    `/flamegraph/service/${busyService}/cpu?from=24h`,
    150,
    false,
  ),
  call(
    "merged flame graph, 30 d",
    `${flame.slice(api.length)}/{service}/{type}`,
    `/flamegraph/service/${steadyService}/cpu?from=720h`,
    500,
    false,
  ),
];
