import { call } from "#base/call.ts";

export const listAlerts = call("GET", "/api/v1/protected/alerts");
export const acknowledgeAlert = call("POST", "/api/v1/protected/alerts/{id}/acknowledge");
export const expectAlert = call("POST", "/api/v1/protected/alerts/{id}/expect");
export const listIncidents = call("GET", "/api/v1/protected/incidents");
export const getIncident = call("GET", "/api/v1/protected/incidents/{id}");
export const acknowledgeIncident = call("POST", "/api/v1/protected/incidents/{id}/acknowledge");
export const assignIncident = call("PUT", "/api/v1/protected/incidents/{id}/assignee");
export const commentIncident = call("POST", "/api/v1/protected/incidents/{id}/comments");
export const removeIncidentComment = call("DELETE", "/api/v1/protected/incidents/{id}/comments/{comment}");
export const getAlertCoverage = call("GET", "/api/v1/protected/alerts/coverage/service/{service}");
export const getAlertDigest = call("GET", "/api/v1/protected/alert-digest");
export const updateAlertDigest = call("PUT", "/api/v1/protected/alert-digest");
export const listMutes = call("GET", "/api/v1/protected/alerts/mutes");
export const listMuteProposals = call("GET", "/api/v1/protected/alerts/mutes/proposals");
export const muteAlerts = call("POST", "/api/v1/protected/alerts/mute");
export const unmuteAlerts = call("POST", "/api/v1/protected/alerts/unmute");
export const endMute = call("DELETE", "/api/v1/protected/alerts/mutes/{id}");
export const listAlertRules = call("GET", "/api/v1/protected/alerts/rules");
export const createAlertRule = call("POST", "/api/v1/protected/alerts/rules");
export const updateAlertRule = call("PUT", "/api/v1/protected/alerts/rules/{id}");
export const removeAlertRule = call("DELETE", "/api/v1/protected/alerts/rules/{id}");
export const previewAlertRule = call("POST", "/api/v1/protected/alerts/rules/preview");
export const getAlertSettings = call("GET", "/api/v1/protected/alert-settings");
export const updateAlertSettings = call("PUT", "/api/v1/protected/alert-settings");
export const testAlertDelivery = call("POST", "/api/v1/protected/alert-settings/test");

/** In the order of JavaScript's days, which begin with Sunday. */
export const digestWeekdays = [
  "sunday",
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
] as const;

/** A smaller increase of a series opens no alert, however calm the series is. Fraction. */
export const alertIncreaseMin = 0.15;
