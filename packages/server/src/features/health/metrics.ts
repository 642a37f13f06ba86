import { monitorEventLoopDelay } from "node:perf_hooks";
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "#context";
import { forbidden, unauthenticated } from "#failure";
import { SampledLog } from "#telemetry/sampled-log.ts";
import { traceField } from "#telemetry/trace-context.ts";
import { maySeeDetails } from "./may-see-details.ts";
import { measureOrganizationBytes } from "./organization-bytes.ts";

/** GET /metrics in the Prometheus text format, and the counting of requests. */
export function registerMetrics(app: FastifyInstance, ctx: Context): void {
  countRequests(app, ctx);
  measureProcess(app, ctx);
  app.get("/metrics", (request, reply) => {
    admitScraper(ctx, request);
    return reply
      .header("cache-control", "no-store")
      .type("text/plain; version=0.0.4; charset=utf-8")
      .send(ctx.metrics.toText());
  });
}

function countRequests(app: FastifyInstance, ctx: Context): void {
  const recordRefusal = openRefusals(app, ctx);
  app.addHook("onResponse", async (request, reply) => {
    // The route's pattern and not the requested path: a label must be from a closed set.
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? "none",
      status: reply.statusCode,
    };
    const seconds = reply.elapsedTime / 1000;
    ctx.metrics.count("flamekeep_http_requests_total", "Answered requests.", labels);
    const { method, route } = labels;
    ctx.metrics.observe("flamekeep_http_request_duration_seconds", "Time to answer requests.", seconds, {
      method,
      route,
    });
    const entry = {
      ...labels,
      ms: Math.round(reply.elapsedTime),
      orgId: request.actor?.orgId,
      ...traceField(request.trace),
    };
    if (reply.statusCode >= 400 && reply.statusCode < 500) recordRefusal(request, reply, entry);
    else if (reply.statusCode >= 500) request.log.info(entry, "request");
    else request.log.debug(entry, "request");
  });
}

/** As they were at the last move. */
function measureOriginals({ payloads: { moved }, metrics }: Context): void {
  if (moved === undefined) return;
  const moves = moved;
  metrics.gauge("flamekeep_originals_object_bytes", "Original bytes in object storage.", () => moves().bytes);
  metrics.gauge(
    "flamekeep_originals_waiting_bytes",
    "Original bytes on the disk that should be in object storage.",
    () => moves().waitingBytes,
  );
  metrics.gauge("flamekeep_object_storage_up", "1 if the last request of object storage succeeded.", () =>
    moves().fault === undefined ? 1 : 0,
  );
}

function measureProcess(app: FastifyInstance, ctx: Context): void {
  // Once per iteration: a timer of its own took half of the CPU of an idle server.
  const delay = monitorEventLoopDelay({ samplePerIteration: true });
  delay.enable();
  // The first iteration has waited for the start.
  setImmediate(() => delay.reset());
  app.addHook("onClose", async () => {
    delay.disable();
  });
  const { metrics } = ctx;
  const build = { version: ctx.version, node: process.versions.node };
  metrics.gauge("flamekeep_build_info", "1, with the versions of the server and of Node.", () => 1, build);
  metrics.gauge("process_resident_memory_bytes", "Resident memory.", () => process.memoryUsage.rss());
  metrics.counter("process_cpu_seconds_total", "CPU time of this process.", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  const startedAt = Math.round(Date.now() / 1000 - process.uptime());
  metrics.gauge("process_start_time_seconds", "Start of the process, in Unix seconds.", () => startedAt);
  metrics.gauge(
    "flamekeep_event_loop_delay_p99_seconds",
    "Delay of the event loop since the last scrape.",
    () => {
      const p99 = delay.percentile(99) / 1e9;
      delay.reset();
      return Number.isFinite(p99) ? p99 : 0;
    },
  );
  measureOriginals(ctx);
  measureColumnStore(ctx);
  measureOrganizationBytes(ctx);
}

/** Upper bounds in seconds: a command of a job may take as long as it needs. */
const queryBounds = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60];
/** With 0, so that a quantile of roll-ups that keep up is 0. */
const rollUpBounds = [0, 1, 2, 6, 24, 168].map((hours) => (hours * hourMs) / 1000);

function measureColumnStore({ columns, metrics }: Context): void {
  columns.watchReads((feature, seconds) =>
    metrics.observe(
      "flamekeep_column_store_read_duration_seconds",
      "Time of reads, by the feature that asks.",
      seconds,
      {
        feature,
      },
    ),
  );
  columns.watchQueries((kind, seconds) =>
    metrics.observe(
      "flamekeep_column_store_query_duration_seconds",
      "Time of all queries of the column store, by kind: reads, inserts and commands of jobs.",
      seconds,
      { kind },
      queryBounds,
    ),
  );
  columns.maintenance.watchRollUps((seconds) =>
    metrics.observe(
      "flamekeep_roll_up_behind_seconds",
      "How far the hourly roll-ups are behind the newest completed hour, every five minutes.",
      seconds,
      {},
      rollUpBounds,
    ),
  );
  metrics.counter(
    "flamekeep_column_store_restarts_total",
    "Restarts of the engine process.",
    () => columns.health().restarts,
  );
  metrics.counter(
    "flamekeep_column_store_hangs_total",
    "Engine processes that were ended because they did not respond.",
    () => columns.health().hangs,
  );
  metrics.gauge("flamekeep_column_store_responding", "1 while the engine process responds.", () =>
    columns.health().outage === undefined ? 1 : 0,
  );
  metrics.gauge(
    "flamekeep_roll_up_lag_seconds",
    "Time since the hourly roll-ups had all profiles of completed hours.",
    () => columns.maintenance.rollUpLag().seconds,
  );
  metrics.gauge(
    "flamekeep_roll_up_backlog_profiles",
    "Profiles of completed hours without a roll-up.",
    () => columns.maintenance.rollUpLag().profiles,
  );
}

function admitScraper(ctx: Context, request: FastifyRequest): void {
  if (maySeeDetails(ctx, request)) return;
  if (ctx.config.metricsToken !== undefined) {
    throw unauthenticated("Send the METRICS_TOKEN of this server as bearer.");
  }
  throw forbidden(
    "Metrics are answered to this machine only. Set METRICS_TOKEN to read them from elsewhere.",
  );
}

const flushMs = minuteMs;

interface Entry {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly orgId: string | undefined;
}

/** Counts 4xx replies by route and code, and logs a sample of them: one sender can cause thousands per second. */
function openRefusals(
  app: FastifyInstance,
  ctx: Context,
): (request: FastifyRequest, reply: FastifyReply, entry: Entry) => void {
  const sampled = new SampledLog((entry, message) => ctx.log.info(entry, message));
  const timer = setInterval(() => sampled.flush(), flushMs);
  timer.unref();
  app.addHook("onClose", async () => {
    clearInterval(timer);
    sampled.flush();
  });
  return (request, reply, entry) => {
    const { ms: _, ...kind } = { ...entry, code: reply.failureCode ?? "none" };
    const { method, route, code, orgId } = kind;
    const help = "Requests answered with a status of 4xx, by route and code.";
    ctx.metrics.count("flamekeep_http_refusals_total", help, { method, route, code });
    const key = JSON.stringify([method, route, code, orgId]);
    sampled.add(key, kind, () => request.log.info({ ...entry, code }, "request"));
  };
}
