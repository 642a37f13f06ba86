import { call } from "#base/call.ts";

export const analyzeProfile = call("POST", "/api/v1/protected/profile/{id}/analyze");
export const analyzeService = call("POST", "/api/v1/protected/service/{service}/analyze");
export const getAnalysis = call("GET", "/api/v1/protected/analysis/{id}");
export const listProfileAnalyses = call("GET", "/api/v1/protected/profile/{id}/analyses");
export const listServiceAnalyses = call("GET", "/api/v1/protected/service/{service}/analyses");
export const latestAnalyses = call("GET", "/api/v1/protected/service/{service}/latest-analyses");
export const giveFeedback = call(
  "PUT",
  "/api/v1/protected/analysis/{id}/recommendation/{recommendation}/feedback",
);
export const listFindings = call("GET", "/api/v1/protected/findings");
export const updateFinding = call("PATCH", "/api/v1/protected/findings/{id}");
export const getResourcePrice = call("GET", "/api/v1/protected/organization/price");
export const updateResourcePrice = call("PUT", "/api/v1/protected/organization/price");
export const askAboutAnalysis = call("POST", "/api/v1/protected/analysis/{id}/ask");

export const answerContentType = "text/event-stream";
