import { login, logout, refreshToken, register, userProfile } from "./accounts.ts";
import { getAlertSettings, testAlertDelivery, updateAlertSettings } from "./alert-settings.ts";
import { listAlerts, muteAlerts, unmuteAlerts } from "./alerts.ts";
import { createApiKey, listApiKeys, revokeApiKey } from "./api-keys.ts";
import { charts } from "./charts.ts";
import type { Endpoint } from "./endpoint.ts";
import { flameGraph } from "./flame-graph.ts";
import { healthz, publicConfig, readyz, serverStatus } from "./health.ts";
import { aggregateHttpMetrics, listHttpErrors, listHttpMetrics, listPathMetrics } from "./http-metrics.ts";
import { httpTimeline } from "./http-timeline.ts";
import { ingestHttpMetrics, ingestProfile, ingestPyroscope } from "./ingest.ts";
import { mergedFlameGraph } from "./merged-flame-graph.ts";
import { downloadProfile, getProfile, listProfiles, listServiceProfiles, listServices } from "./profiles.ts";
import { createProject, deleteProject, listProjects, updateProject } from "./projects.ts";
import { pushProfiles } from "./push.ts";
import { deleteService, getRetention, updateRetention } from "./retention.ts";
import { profileStatistics } from "./statistics.ts";
import { organizationSummary, serviceSummary, servicesSummary } from "./summary.ts";
import { serviceTimeline, typeTimeline } from "./timeline.ts";

/** Every call, in the order in which the documentation shows them. */
export const endpoints: readonly Endpoint[] = [
  ingestProfile,
  ingestPyroscope,
  pushProfiles,
  ingestHttpMetrics,
  register,
  login,
  refreshToken,
  logout,
  userProfile,
  listApiKeys,
  createApiKey,
  revokeApiKey,
  listProfiles,
  listServiceProfiles,
  listServices,
  getProfile,
  profileStatistics,
  flameGraph,
  mergedFlameGraph,
  downloadProfile,
  ...charts,
  typeTimeline,
  serviceTimeline,
  organizationSummary,
  servicesSummary,
  serviceSummary,
  listHttpMetrics,
  aggregateHttpMetrics,
  listHttpErrors,
  listPathMetrics,
  httpTimeline,
  listAlerts,
  muteAlerts,
  unmuteAlerts,
  getAlertSettings,
  updateAlertSettings,
  testAlertDelivery,
  listProjects,
  createProject,
  updateProject,
  deleteProject,
  getRetention,
  updateRetention,
  deleteService,
  healthz,
  readyz,
  serverStatus,
  publicConfig,
];
