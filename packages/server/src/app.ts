import { randomBytes } from "node:crypto";
import { limits } from "@flamekeep/contract";
import Fastify, { type FastifyInstance, LogController } from "fastify";
import type { Context } from "#context";
import { refuseSecondHost } from "#http/connection/known-host.ts";
import { stopGracefully } from "#http/connection/stopping.ts";
import { closeUnreadBodies } from "#http/connection/unread-bodies.ts";
import { registerDocumentation } from "#http/documentation/routes.ts";
import { readJsonBodies } from "#http/endpoint/bodies.ts";
import { limitRates } from "#http/endpoint/rate-limit.ts";
import { compressReplies } from "#http/reply/compress-replies.ts";
import { answerBrokenRequest, answerErrors, answerUnroutable } from "#http/reply/error-reply.ts";
import { sendSecurityHeaders } from "#http/reply/security-headers.ts";
import { withoutBasePath } from "#http/web-app/base-path.ts";
import { collectRoutes } from "#http/web-app/registered-routes.ts";
import { registerWebApp } from "#http/web-app/web-app.ts";
import { ConfigError } from "./context/environment.ts";
import { registerAccounts } from "./features/accounts/routes.ts";
import { registerAlerts } from "./features/alerts/routes.ts";
import { registerAnalysis } from "./features/analysis/routes.ts";
import { registerApiKeys } from "./features/api-keys/routes.ts";
import { registerAudit } from "./features/audit/routes.ts";
import { registerCharts } from "./features/charts/routes.ts";
import { registerDashboards } from "./features/dashboards/routes.ts";
import { registerDemo } from "./features/demo/job.ts";
import { GraphCache } from "./features/flame-graph/reply/graph-cache.ts";
import { registerFlameGraph } from "./features/flame-graph/routes.ts";
import { registerFunctions } from "./features/functions/routes.ts";
import { registerHealth } from "./features/health/routes.ts";
import { registerHttpMetrics } from "./features/http-metrics/routes.ts";
import { sendingAddress } from "./features/ingest/endpoints/sending-address.ts";
import { registerIngest, sendingPaths } from "./features/ingest/routes.ts";
import { registerLabels } from "./features/labels/routes.ts";
import { registerMcp } from "./features/mcp/routes.ts";
import { registerOpenedFiles } from "./features/opened-files/routes.ts";
import { registerOperator } from "./features/operator/routes.ts";
import { registerProfiles } from "./features/profiles/routes.ts";
import { registerProjects } from "./features/projects/routes.ts";
import { registerPull } from "./features/pull/routes.ts";
import { registerPyroscope } from "./features/pyroscope/routes.ts";
import { registerRetention } from "./features/retention/routes.ts";
import { registerRouteTime } from "./features/route-time/routes.ts";
import { registerSelfProfiling } from "./features/self-profiling/job.ts";
import { registerSenders } from "./features/senders/routes.ts";
import { registerServiceMetrics } from "./features/service-metrics/routes.ts";
import { registerServiceTrends } from "./features/service-trends/routes.ts";
import { registerSharing } from "./features/sharing/routes.ts";
import { registerSourceLinks } from "./features/source-links/routes.ts";
import { registerStatistics } from "./features/statistics/routes.ts";
import { registerSummary } from "./features/summary/routes.ts";
import { registerTimeline } from "./features/timeline/routes.ts";
import { SenderStates } from "./store/profiles/sending/sender-states.ts";

/** Features that read profiles. */
const figures = [
  registerLabels,
  registerFunctions,
  registerCharts,
  registerStatistics,
  registerAnalysis,
  registerTimeline,
  registerSummary,
];

const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
/** Longer than the idle timeout of common load balancers (60 s), so that they close first. */
const keepAliveTimeoutMs = 65_000;
/** The longest part of an address: a service name, in which an escaped character can take 9 characters. */
const paramLengthMax = limits.serviceNameLengthMax * 9;

interface AppOptions {
  readonly graphCache?: GraphCache;
  /** False while the server makes the calls that warm it up: /readyz then says that it is starting. */
  readonly isWarm?: () => boolean;
  /** True from the signal on: /readyz then says that the server stops, while it still serves. */
  readonly isStopping?: () => boolean;
}

/** A cache for the drawn flame graphs of ranges. */
export function openGraphCache({ columns, config }: Context): GraphCache {
  return new GraphCache(columns, config.flameGraphCacheBytesMax);
}

/** The whole server on one port, not yet listening. Closing it leaves the stores open. */
export async function createApp(
  ctx: Context,
  { graphCache = openGraphCache(ctx), isWarm = () => true, isStopping = () => false }: AppOptions = {},
): Promise<FastifyInstance> {
  const { basePath } = ctx.config;
  const app: FastifyInstance = Fastify({
    loggerInstance: ctx.log,
    genReqId: requestIds(),
    // Requests are logged where they are counted, by route pattern instead of address.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: ctx.config.trustedProxies.length === 0 ? false : [...ctx.config.trustedProxies],
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: 5_000 },
    // A stopping server answers with the usual error reply, see stopGracefully.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    // Fastify would give up closing after 10 s, while uploads still wait for a hung engine. `start.ts` limits it.
    pluginTimeout: 0,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: answerUnroutable,
    rewriteUrl: ({ url = "/" }) => sendingAddress(withoutBasePath(url, basePath), sendingPaths),
    routerOptions: { maxParamLength: paramLengthMax },
  });
  app.decorateRequest("actor", null);
  await traceRequestsIfAsked(app, ctx);
  const routes = collectRoutes(app, paramLengthMax);
  const stopping = stopGracefully(app);
  answerErrors(app);
  closeUnreadBodies(app);
  refuseSecondHost(app);
  readJsonBodies(app);
  sendSecurityHeaders(app, ctx.config);
  await compressReplies(app);
  const callCounts = await limitRates(app);
  registerDocumentation(app, ctx);
  // Before the jobs: a stopping server waits for their reads, which may wait for uploads.
  const ingest = await registerIngest(app, ctx, callCounts);
  const senderStates = new SenderStates(ctx);
  const { openAlerts, evaluatedAt } = registerAlerts(app, ctx, senderStates);
  registerHealth(app, ctx, {
    openAlerts: async (orgId) => (await openAlerts.count(orgId)).alerts,
    alertsEvaluatedAt: evaluatedAt,
    isLogFull: ingest.isLogFull,
    isStopping: () => stopping.hasBegun() || isStopping(),
    isWarm,
  });
  for (const register of [registerAccounts, registerApiKeys, registerAudit]) register(app, ctx);
  registerOperator(app, { ...ctx, uploadsInLastMinute: ingest.uploadsInLastMinute });
  registerDemo(app, ctx, ingest.take);
  registerSelfProfiling(app, ctx, ingest.take);
  registerProfiles(app, { ...ctx, openAlerts, senderStates });
  registerSenders(app, { ...ctx, senderStates });
  registerPull(app, ctx, ingest);
  for (const register of [registerSharing, registerProjects, registerDashboards, registerSourceLinks])
    register(app, ctx);
  registerOpenedFiles(app, { ...ctx, ingest });
  registerRetention(app, { ...ctx, runBetweenBatches: ingest.runBetweenBatches, atOwner: ingest.atOwner });
  registerFlameGraph(app, { ...ctx, graphCache });
  for (const register of figures) register(app, ctx);
  registerServiceTrends(app, { ...ctx, openAlerts, senderStates });
  registerHttpMetrics(app, ctx);
  registerRouteTime(app, ctx);
  registerMcp(app, ctx);
  registerPyroscope(app, ctx);
  registerServiceMetrics(app, ctx);
  await registerWebApp(app, routes, basePath);
  stopping.finish();
  if (routes.sharesFirstSegment(basePath)) await refuseBasePath(app, basePath);
  return app;
}

/** The library is loaded only when it is used: it would cost an idle server memory. */
async function traceRequestsIfAsked(app: FastifyInstance, ctx: Context): Promise<void> {
  app.decorateRequest("trace", null);
  const { traces } = ctx.config;
  if (traces === undefined) return;
  const { traceRequests } = await import("#http/connection/trace-requests.ts");
  traceRequests(app, ctx, traces);
}

/** A proxy may remove the base path: `/api/...` could then be an address with or without it. Ends the jobs, which have begun. */
async function refuseBasePath(app: FastifyInstance, basePath: string): Promise<never> {
  await app.close();
  const segment = `/${basePath.split("/")[1]}`;
  throw new ConfigError([
    `PUBLIC_URL must not have a path that begins with ${segment}, where the server has its own addresses`,
  ]);
}

/** A random prefix for this process and a counter: random bytes for each request would cost a system call. */
function requestIds(): () => string {
  const start = randomBytes(4).toString("hex");
  let count = 0;
  return () => start + (count++).toString(16).padStart(8, "0");
}
