import {
  type Check,
  healthz,
  publicConfig,
  readyz,
  type ServerStatus,
  serverStatus,
} from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/serve.ts";
import { checkAll } from "./checks.ts";
import { type CpuMeter, startCpuMeter } from "./cpu-meter.ts";
import { registerMetrics } from "./metrics.ts";

const stopping: Check = { name: "server", ok: false, message: "is stopping" };

/** How many alerts of an organization are open. */
export type CountOpenAlerts = (orgId: string) => Promise<number>;

export function registerHealth(
  app: FastifyInstance,
  ctx: Context,
  openAlerts: CountOpenAlerts,
  isStopping: () => boolean,
): void {
  const cpu = startCpuMeter();
  app.addHook("onClose", async () => cpu.stop());
  registerMetrics(app, ctx);
  serve(app, ctx, healthz, () => ({ status: "ok" as const }));
  serve(app, ctx, publicConfig, () => ({ demo: ctx.demo !== null }));
  serve(app, ctx, readyz, async ({ reply }) => {
    const checks = isStopping() ? [stopping] : await checkAll(ctx);
    const isReady = checks.every(({ ok }) => ok);
    if (!isReady) reply.code(503);
    return { status: isReady ? ("ready" as const) : ("not_ready" as const), checks };
  });
  serve(app, ctx, serverStatus, async ({ actor }) => {
    const [status, open] = await Promise.all([currentStatus(ctx, cpu), openAlerts(actor.orgId)]);
    return { ...status, open_alerts: open };
  });
}

async function currentStatus(ctx: Context, cpu: CpuMeter): Promise<Omit<ServerStatus, "open_alerts">> {
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
    checks,
    started_at: ctx.startedAt.toISOString(),
    version: ctx.version,
  };
}
