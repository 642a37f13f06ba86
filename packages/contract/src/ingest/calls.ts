import { call } from "#base/call.ts";
import type { FailureCode } from "#base/failure-status.ts";

export const ingestProfile = call("POST", "/api/v1/ingest/profiles", "ingestKey");
/** A person opens a profile file in the browser. */
export const openProfileFile = call("POST", "/api/v1/protected/profiles");
/** Anyone opens a profile file, where the operator allows it. */
export const openFile = call("POST", "/api/v1/open", "none");
export const ingestPyroscope = call("POST", "/ingest", "ingestKey");
export const ingestHttpMetrics = call("POST", "/api/v1/ingest/http-metrics", "ingestKey");
export const pushProfiles = call("POST", "/push.v1.PusherService/Push", "ingestKey");
export const writeRawProfiles = call(
  "POST",
  "/parca.profilestore.v1alpha1.ProfileStoreService/WriteRaw",
  "ingestKey",
);
export const ingestOtlpProfiles = call("POST", "/v1development/profiles", "ingestKey");
export const ingestOtlpTraces = call("POST", "/v1/traces", "ingestKey");
export const ingestOtlpMetrics = call("POST", "/v1/metrics", "ingestKey");
export const ingestDatadog = call("POST", "/profiling/v1/input", "ingestKey");
export const readDatadogAgent = call("GET", "/info", "none");
export const sendToDatadogAgent = call("POST", "/v0.4/traces", "none");
export const listTargets = call("GET", "/api/v1/protected/targets");
export const createTarget = call("POST", "/api/v1/protected/targets");
export const updateTarget = call("PUT", "/api/v1/protected/targets/{id}");
export const removeTarget = call("DELETE", "/api/v1/protected/targets/{id}");
export const testTarget = call("POST", "/api/v1/protected/targets/test");
export const modelContextProtocol = call("POST", "/mcp", "readKey");

/** The codes of Connect errors that the server sends (https://connectrpc.com/docs/protocol#error-codes). */
export const connectCodes = [
  "invalid_argument",
  "unauthenticated",
  "permission_denied",
  "not_found",
  "already_exists",
  "resource_exhausted",
  "unimplemented",
  "internal",
  "unavailable",
] as const;
export type ConnectCode = (typeof connectCodes)[number];

/** The status codes of gRPC (https://grpc.io/docs/guides/status-codes), by their names in Connect. */
export const grpcStatus: Readonly<Record<ConnectCode, number>> = {
  invalid_argument: 3,
  not_found: 5,
  already_exists: 6,
  permission_denied: 7,
  resource_exhausted: 8,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
};

/**
 * The Connect error for each failure. A profile that is too large is an invalid argument and not an
 * exhausted resource, because clients send again what was refused with 429.
 */
export const connectErrors: Readonly<
  Record<FailureCode, { readonly code: ConnectCode; readonly status: number }>
> = {
  invalid: { code: "invalid_argument", status: 400 },
  too_large: { code: "invalid_argument", status: 400 },
  unprocessable: { code: "invalid_argument", status: 400 },
  unauthenticated: { code: "unauthenticated", status: 401 },
  key_expired: { code: "unauthenticated", status: 401 },
  forbidden: { code: "permission_denied", status: 403 },
  second_factor_required: { code: "permission_denied", status: 403 },
  // Not resource_exhausted either: clients would send the same profiles again.
  quota_exceeded: { code: "permission_denied", status: 403 },
  not_found: { code: "not_found", status: 404 },
  method_not_allowed: { code: "unimplemented", status: 405 },
  conflict: { code: "already_exists", status: 409 },
  rate_limited: { code: "resource_exhausted", status: 429 },
  headers_too_large: { code: "invalid_argument", status: 431 },
  internal: { code: "internal", status: 500 },
  damaged: { code: "internal", status: 500 },
  unsupported: { code: "unimplemented", status: 415 },
  unimplemented: { code: "unimplemented", status: 501 },
  unavailable: { code: "unavailable", status: 503 },
  // Connect has no status for it: clients treat 503 as temporary.
  disk_full: { code: "unavailable", status: 503 },
};

/** Profiles that a target can be asked for; the names of Go's endpoints, except `cpu`. */
export const targetProfiles = [
  "cpu",
  "heap",
  "allocs",
  "goroutine",
  "mutex",
  "block",
  "goroutineleak",
  "fgprof",
  "delta_heap",
  "delta_mutex",
  "delta_block",
] as const;
export type TargetProfile = (typeof targetProfiles)[number];

/** Profiles with the same figures: a target is asked for one of each group. */
export const targetAlternatives: readonly (readonly TargetProfile[])[] = [
  ["heap", "allocs", "delta_heap"],
  ["mutex", "delta_mutex"],
  ["block", "delta_block"],
];
