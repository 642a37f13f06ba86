import { call } from "#base/call.ts";

export const healthz = call("GET", "/healthz", "none");
export const readyz = call("GET", "/readyz", "none");
export const serverStatus = call("GET", "/api/v1/status");
export const publicConfig = call("GET", "/api/v1/config", "none");
export const operatorOverview = call("GET", "/api/v1/protected/operator/overview");
export const setOrganizationLimits = call("PATCH", "/api/v1/protected/operator/organizations/{id}/limits");
export const setStoragePrice = call("PUT", "/api/v1/protected/operator/storage-price");
export const findAccount = call("POST", "/api/v1/protected/operator/accounts/find");
export const setAccountActive = call("PUT", "/api/v1/protected/operator/accounts/{id}/active");
export const createResetLink = call("POST", "/api/v1/protected/operator/accounts/{id}/reset-link");
export const removeSecondFactors = call(
  "POST",
  "/api/v1/protected/operator/accounts/{id}/remove-second-factors",
);
export const transferOperatorRole = call("POST", "/api/v1/protected/operator/accounts/{id}/operator");
