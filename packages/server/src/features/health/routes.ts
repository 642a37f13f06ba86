import {
  healthz,
  publicConfig,
  readyz,
  type ServerStatus,
  serverStatus,
  type Warning,
} from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { noticeUntrustedProxy } from "#http/forwarded-for.ts";
import { serve } from "#http/serve.ts";
import { type CheckedPart, checkAll, checkWarnings, forOperators } from "./checks.ts";
import { type CpuMeter, startCpuMeter } from "./cpu-meter.ts";
import { maySeeDetails } from "./may-see-details.ts";
import { registerMetrics } from "./metrics.ts";
import { proxyChecks } from "./proxy-check.ts";
import { withoutDetails } from "./warnings.ts";

const stopping: CheckedPart = { name: "server", ok: false, message: "is stopping" };

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
  serve(app, ctx, readyz, async ({ request, reply }) => {
    const mayDetail = maySeeDetails(ctx, request);
    const [checks, warnings] = await Promise.all([
      isStopping() ? [stopping] : checksNow(),
      mayDetail ? checkWarnings(ctx) : [],
    ]);
    const isReady = checks.every(({ ok }) => ok);
    if (!isReady) reply.code(503);
    const status = isReady ? ("ready" as const) : ("not_ready" as const);
    if (!mayDetail) return { status, checks: checks.map(({ name, ok }) => ({ name, ok })) };
    return { status, checks: checks.map(forOperators), warnings };
  });
  serve(app, ctx, serverStatus, async ({ actor }) => {
    const [checks, found, open] = await Promise.all([
      checksNow(),
      checkWarnings(ctx),
      openAlerts(actor.orgId),
    ]);
    const isAdmin = actor.kind === "user" && actor.role === "admin";
    const warnings = isAdmin ? found : withoutDetails(found);
    return { ...currentStatus(ctx, cpu, { checks, warnings }), open_alerts: open };
  });
}

interface Examined {
  readonly checks: readonly CheckedPart[];
  readonly warnings: readonly Warning[];
}

function currentStatus(
  ctx: Context,
  cpu: CpuMeter,
  { checks, warnings }: Examined,
): Omit<ServerStatus, "open_alerts"> {
  return {
    status:
      checks.every((check) => !isConcerning(check)) && warnings.length === 0 ? "operational" : "degraded",
    message: statusMessage(checks, warnings),
    cpu_percent: cpu.percent(),
    memory_bytes: process.memoryUsage.rss(),
    checks: checks.map(({ name, ok, message }) => ({ name, ok, message })),
    warnings: [...warnings],
    started_at: ctx.startedAt.toISOString(),
    version: ctx.version,
  };
}

function isConcerning({ ok, needsAttention = false }: CheckedPart): boolean {
  return !ok || needsAttention;
}

function statusMessage(checks: readonly CheckedPart[], warnings: readonly Warning[]): string {
  const failing = checks.filter(isConcerning);
  if (failing.length > 0) return failing.map(({ name, message }) => `${name}: ${message}`).join("; ");
  if (warnings.length === 0) return "All systems operational";
  return `Degraded: ${[...new Set(warnings.map(({ name }) => name))].join("; ")}`;
}
