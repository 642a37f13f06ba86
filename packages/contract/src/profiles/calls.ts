import { call } from "#base/call.ts";

export const listProfiles = call("GET", "/api/v1/protected/profiles");
export const listServiceProfiles = call("GET", "/api/v1/protected/profiles/service/{service}");
export const getProfile = call("GET", "/api/v1/protected/profile/{id}");
export const downloadProfile = call("GET", "/api/v1/protected/profile/{id}/download");
export const listServices = call("GET", "/api/v1/protected/services");
export const listSenders = call("GET", "/api/v1/protected/senders");
export const listSenderInstances = call("GET", "/api/v1/protected/senders/{service}/instances");
export const profileNeighbours = call("GET", "/api/v1/protected/profile/{id}/neighbours");
export const findFunctions = call("GET", "/api/v1/protected/functions");
export const sharedFunctions = call("GET", "/api/v1/protected/functions/shared");
export const profileStatistics = call("GET", "/api/v1/protected/profile/{id}/stats");
export const serviceLabels = call("GET", "/api/v1/protected/labels/service/{service}/{type}");
export const profileLabels = call("GET", "/api/v1/protected/labels/{id}");
export const organizationSummary = call("GET", "/api/v1/protected/summary");
export const servicesSummary = call("GET", "/api/v1/protected/summary/services");
export const serviceSummary = call("GET", "/api/v1/protected/summary/service/{service}");
export const serviceTrends = call("GET", "/api/v1/protected/services/trends");

/** A header of a download whose bytes are not those that were sent; its value is `rebuiltNote`. */
export const rebuiltHeader = "x-flamekeep-rebuilt";
export const rebuiltNote =
  "A pprof made of stored columns: the bytes that were sent are no longer kept (KEEP_ORIGINALS).";

/** Latest and largest first, except for names. `alerts` is by health: silent and critical services first. */
export const serviceOrders = ["activity", "name", "alerts", "cpu", "change", "profiles"] as const;
export type ServiceOrder = (typeof serviceOrders)[number];

/** Largest first, except for the oldest. */
export const profileOrders = ["newest", "oldest", "samples", "duration"] as const;
export type ProfileOrder = (typeof profileOrders)[number];
