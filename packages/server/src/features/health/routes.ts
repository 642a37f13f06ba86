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
import { noticeUntrustedProxy } from "#http/forwarded-for.ts";
import { serve } from "#http/serve.ts";
import { checkAll } from "./checks.ts";
import { type CpuMeter, startCpuMeter } from "./cpu-meter.ts";
import { registerMetrics } from "./metrics.ts";
import { proxyChecks } from "./proxy-check.ts";

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
  const untrustedProxy = noticeUntrustedProxy(app, ctx);
  const checksNow = async () => [...(await checkAll(ctx)), ...proxyChecks(untrustedProxy())];
  serve(app, ctx, healthz, () => ({ status: "ok" as const }));
  serve(app, ctx, publicConfig, () => ({ demo: ctx.demo !== null }));
  serve(app, ctx, readyz, async ({ reply }) => {
    const checks = isStopping() ? [stopping] : await checksNow();
    const isReady = checks.every(({ ok }) => ok);
    if (!isReady) reply.code(503);
    return { status: isReady ? ("ready" as const) : ("not_ready" as const), checks };
  });
  serve(app, ctx, serverStatus, async ({ actor }) => {
    const [checks, open] = await Promise.all([checksNow(), openAlerts(actor.orgId)]);
    return { ...currentStatus(ctx, cpu, checks), open_alerts: open };
  });
}

function currentStatus(ctx: Context, cpu: CpuMeter, checks: Check[]): Omit<ServerStatus, "open_alerts"> {
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
