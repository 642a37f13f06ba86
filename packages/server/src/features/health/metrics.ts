import { createHash, timingSafeEqual } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "#context";
import { forbidden, unauthenticated } from "#failure";
import { bearerOf } from "#http/credentials.ts";

const loopback = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);

/** GET /metrics in Prometheus' text format, and the counts of requests behind it. */
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
  app.addHook("onResponse", async (request, reply) => {
    // The route's pattern, not the address that was asked: a label must come from a closed set.
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? "none",
      status: reply.statusCode,
    };
    const seconds = reply.elapsedTime / 1000;
    ctx.metrics.count("flamekeep_http_requests_total", "Answered requests.", labels);
    ctx.metrics.count("flamekeep_http_request_seconds_sum", "Time to answer requests.", labels, seconds);
    const entry = { ...labels, ms: Math.round(reply.elapsedTime), orgId: request.actor?.orgId };
    if (reply.statusCode >= 400) request.log.info(entry, "request");
    else request.log.debug(entry, "request");
  });
}

function measureProcess(app: FastifyInstance, ctx: Context): void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  app.addHook("onClose", async () => {
    delay.disable();
  });
  const { metrics } = ctx;
  metrics.gauge("process_resident_memory_bytes", "Resident memory.", () => process.memoryUsage.rss());
  metrics.gauge("process_cpu_seconds_total", "CPU time of this process.", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  metrics.gauge("process_uptime_seconds", "Time since the process started.", () => process.uptime());
  metrics.gauge(
    "flamekeep_event_loop_delay_p99_seconds",
    "Delay of the event loop since the last scrape.",
    () => {
      const p99 = delay.percentile(99) / 1e9;
      delay.reset();
      return Number.isFinite(p99) ? p99 : 0;
    },
  );
  metrics.gauge(
    "flamekeep_column_store_restarts",
    "Restarts of the engine process.",
    () => ctx.columns.health().restarts,
  );
}

/** With METRICS_TOKEN set that token, else only this very machine and no proxy on it. */
function admitScraper(ctx: Context, request: FastifyRequest): void {
  const { metricsToken } = ctx.config;
  if (metricsToken !== undefined) {
    const given = bearerOf(request.headers);
    if (given !== undefined && isSame(given, metricsToken)) return;
    throw unauthenticated("Send the METRICS_TOKEN of this server as bearer.");
  }
  const isForwarded = ["x-forwarded-for", "forwarded", "x-real-ip"].some((name) => name in request.headers);
  if (!isForwarded && loopback.has(request.socket.remoteAddress ?? "")) return;
  throw forbidden(
    "Metrics are answered to this machine only. Set METRICS_TOKEN to read them from elsewhere.",
  );
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(left as Buffer, right as Buffer);
}
