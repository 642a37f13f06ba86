import { call } from "#base/call.ts";

export const ingestProfile = call("POST", "/api/v1/ingest/profiles", "ingestKey");
export const ingestPyroscope = call("POST", "/ingest", "ingestKey");
export const ingestHttpMetrics = call("POST", "/api/v1/ingest/http-metrics", "ingestKey");
export const pushProfiles = call("POST", "/push.v1.PusherService/Push", "ingestKey");
export const modelContextProtocol = call("POST", "/mcp", "readKey");
