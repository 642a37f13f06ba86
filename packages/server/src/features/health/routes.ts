import { healthz, readyz, type ServerStatus, serverStatus } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/serve.ts";
import { checkAll } from "./checks.ts";
import { type CpuMeter, startCpuMeter } from "./cpu-meter.ts";
import { registerMetrics } from "./metrics.ts";

export function registerHealth(app: FastifyInstance, ctx: Context): void {
  const cpu = startCpuMeter();
  app.addHook("onClose", async () => cpu.stop());
  registerMetrics(app, ctx);
  serve(app, ctx, healthz, () => ({ status: "ok" as const }));
  serve(app, ctx, readyz, async ({ reply }) => {
    const checks = await checkAll(ctx);
    const isReady = checks.every(({ ok }) => ok);
    if (!isReady) reply.code(503);
    return { status: isReady ? ("ready" as const) : ("not_ready" as const), checks };
  });
  serve(app, ctx, serverStatus, () => currentStatus(ctx, cpu));
}

async function currentStatus(ctx: Context, cpu: CpuMeter): Promise<ServerStatus> {
  const checks = await checkAll(ctx);
  const failing = checks.filter(({ ok }) => !ok);
  return {
    status: failing.length === 0 ? "operational" : "degraded",
    message:
      failing.length === 0
        ? "All systems operational"
        : failing.map(({ name, message }) => `${name}: ${message}`).join("; "),
    cpu_percent: cpu.percent(),
    memory_bytes: process.memoryUsage.rss(),
    // Alerts are found by a later part of the product; none can be open before.
    open_alerts: 0,
    checks,
    started_at: ctx.startedAt.toISOString(),
    version: ctx.version,
  };
}
