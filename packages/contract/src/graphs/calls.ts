import { call } from "#base/call.ts";
import { minuteMs } from "#base/durations.ts";

export const flameGraph = call("GET", "/api/v1/protected/flamegraph/{id}");
export const mergedFlameGraph = call("GET", "/api/v1/protected/flamegraph/service/{service}/{type}");
export const demoFlameGraph = call("GET", "/api/v1/demo/flame-graph", "none");
export const flameGraphDiff = call("GET", "/api/v1/protected/flamegraph/diff");
export const listSharedLinks = call("GET", "/api/v1/protected/organization/shared-links");
export const createSharedLink = call("POST", "/api/v1/protected/organization/shared-links");
export const revokeSharedLink = call("DELETE", "/api/v1/protected/organization/shared-links/{id}");
export const allowSharedLinks = call("PUT", "/api/v1/protected/organization/public-links");
export const readSharedView = call("POST", "/api/v1/shared", "none");
export const readSharedGraph = call("POST", "/api/v1/shared/graph", "none");

/** The columns that the web app reads; the flame package describes the layout. */
export const flameGraphContentType = "application/vnd.flamekeep.flamegraph.v3";

/** Rows of numbers as JSON: the same frames as nested JSON in a quarter of the text or less. */
export const flameGraphLevelsContentType = "application/vnd.flamekeep.flamegraph.levels.v1+json";

/** The demo's HTTP metrics of a service: a short recording in each period. Whole days of all requests would be millions. */
export const demoRequests = { everyMs: 5 * minuteMs, recordedSeconds: 10 } as const;

/** The columns that the web app reads; the flame package describes the layout. */
export const flameGraphDiffContentType = "application/vnd.flamekeep.flamegraph-diff.v3";

export const comparisonUnits = ["request", "second", "profile"] as const;

/** How long a public link may work. */
export const sharedLinkDays = [1, 7, 30, 90] as const;
