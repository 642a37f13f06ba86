import { healthz, readyz, type ServerStatus, serverStatus, type Warning } from "@flamekeep/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "#context";
import { detectUntrustedProxies } from "#http/connection/forwarded-for.ts";
import { serve } from "#http/endpoint/serve.ts";
import { Reply } from "#http/reply/reply.ts";
import {
  type CheckedPart,
  checkAll,
  checkNotices,
  checkWarnings,
  columnStoreName,
  withDetail,
} from "./checks.ts";
import { maySeeDetails } from "./may-see-details.ts";
import { registerMetrics } from "./metrics.ts";
import {
  damagedParts,
  lateRollUps,
  spaceWarnings,
  untrustedProxies,
  unusableObjects,
  withoutDetails,
} from "./warnings.ts";

const stopping: CheckedPart = { name: "server", ok: false, message: "is stopping" };
const starting: CheckedPart = { name: "server", ok: false, message: "is starting" };

interface HealthSources {
  /** The number of open alerts of an organization. */
  openAlerts(orgId: string): Promise<number>;
  /** When the alerts of an organization were evaluated last. */
  alertsEvaluatedAt(orgId: string): Promise<Date | undefined>;
  /** Whether no more uploads can wait for the column store. */
  isLogFull(): boolean;
  isStopping(): boolean;
  /** Whether the calls that warm the server up are made. */
  isWarm(): boolean;
}

export function registerHealth(
  app: FastifyInstance,
  ctx: Context,
  { openAlerts, alertsEvaluatedAt, isLogFull, isStopping, isWarm }: HealthSources,
): void {
  const cpu = startCpuMeter();
  app.addHook("onClose", async () => cpu.stop());
  registerMetrics(app, ctx);
  const proxies = detectUntrustedProxies(app, ctx);
  const examine = async (): Promise<Examined> => {
    const [parts, found] = await Promise.all([isStopping() ? [stopping] : checkAll(ctx), checkWarnings(ctx)]);
    const checks = isWarm() || isStopping() ? parts : [starting, ...parts];
    const known = [
      ...damagedParts(ctx),
      ...untrustedProxies(proxies()),
      ...lateRollUps(ctx),
      ...spaceWarnings(ctx),
      ...unusableObjects(ctx),
    ];
    return { checks, warnings: [...found, ...known] };
  };
  serve(app, ctx, healthz, () => ({ status: "ok" as const }));
  const ready = async (_ctx: Context, _actor: null, _input: object, hasDetails: boolean) => {
    const [examined, notices] = await Promise.all([examine(), hasDetails ? checkNotices(ctx) : []]);
    const { checks, warnings } = examined;
    const canWait = acknowledgesFromLog(ctx) && !isLogFull();
    const isReady = checks.every(({ name, ok }) => ok || (canWait && name === columnStoreName));
    const sent = { status: isReady ? 200 : 503 };
    const status = isReady ? ("ready" as const) : ("not_ready" as const);
    if (!hasDetails) return new Reply({ status, checks: checks.map(({ name, ok }) => ({ name, ok })) }, sent);
    const details = { health: healthOf(examined), warnings: [...warnings], notices };
    return new Reply({ status, checks: checks.map(withDetail), ...details }, sent);
  };
  serve(app, ctx, readyz, ready, { fromRequest: (request: FastifyRequest) => maySeeDetails(ctx, request) });
  serve(app, ctx, serverStatus, async (_ctx, actor) => {
    const isOperator = actor.kind === "user" && actor.isOperator;
    const [examined, open, notices, isLoading] = await Promise.all([
      examine(),
      openAlerts(actor.orgId),
      isOperator ? checkNotices(ctx) : [],
      isLoadingDemo(ctx, actor.orgId, alertsEvaluatedAt),
    ]);
    const status = currentStatus(ctx, cpu, examined, isOperator);
    return { ...status, notices, open_alerts: open, is_loading: isLoading };
  });
}

/**
 * Then uploads continue while ClickHouse is away, and load balancers send none to a server that is not ready. The price: a server that alone
 * cannot reach ClickHouse still gets reads, which it answers with 503.
 */
function acknowledgesFromLog({ config }: Context): boolean {
  return config.columns.kind === "url" && config.ingest.acknowledge === "log";
}

/** Alerts about data that arrives in the first minutes are found by the evaluation after it. */
async function isLoadingDemo(
  { demo }: Context,
  orgId: string,
  alertsEvaluatedAt: HealthSources["alertsEvaluatedAt"],
): Promise<boolean> {
  if (demo === null || demo.orgId !== orgId) return false;
  if (demo.loadedAt === undefined) return true;
  const evaluatedAt = await alertsEvaluatedAt(orgId);
  return evaluatedAt === undefined || evaluatedAt < demo.loadedAt;
}

interface Examined {
  readonly checks: readonly CheckedPart[];
  readonly warnings: readonly Warning[];
}

function healthOf({ checks, warnings }: Examined): "operational" | "degraded" {
  return checks.some(isConcerning) || warnings.length > 0 ? "degraded" : "operational";
}

function currentStatus(
  ctx: Context,
  cpu: CpuMeter,
  examined: Examined,
  isOperator: boolean,
): Omit<ServerStatus, "open_alerts" | "notices" | "is_loading"> {
  const { checks, warnings } = examined;
  return {
    status: healthOf(examined),
    message: statusMessage(examined),
    cpu_percent: cpu.percent(),
    memory_bytes: process.memoryUsage.rss(),
    checks: checks.map(({ name, ok, message }) => ({ name, ok, message })),
    warnings: isOperator ? [...warnings] : withoutDetails(warnings),
    started_at: ctx.startedAt.toISOString(),
    version: ctx.version,
  };
}

function isConcerning({ ok, needsAttention = false }: CheckedPart): boolean {
  return !ok || needsAttention;
}

function statusMessage({ checks, warnings }: Examined): string {
  const failing = checks.filter(isConcerning);
  if (failing.length > 0) return failing.map(({ name, message }) => `${name}: ${message}`).join("; ");
  if (warnings.length === 0) return "All systems operational";
  return `Degraded: ${[...new Set(warnings.map(({ name }) => name))].join("; ")}`;
}

/** CPU use of this process over the last few seconds, in percent of one core. */
interface CpuMeter {
  percent(): number;
  stop(): void;
}

const windowMs = 5_000;

function startCpuMeter(): CpuMeter {
  let before = reading();
  let percent = percentBetween({ atMs: before.atMs - process.uptime() * 1000, cpuMs: 0 }, before);
  const timer = setInterval(() => {
    const now = reading();
    percent = percentBetween(before, now);
    before = now;
  }, windowMs);
  timer.unref();
  return { percent: () => percent, stop: () => clearInterval(timer) };
}

interface Reading {
  readonly atMs: number;
  readonly cpuMs: number;
}

function reading(): Reading {
  const { user, system } = process.cpuUsage();
  return { atMs: performance.now(), cpuMs: (user + system) / 1000 };
}

/** One decimal. */
export function percentBetween(before: Reading, after: Reading): number {
  const elapsed = after.atMs - before.atMs;
  return elapsed <= 0 ? 0 : Math.round((1000 * (after.cpuMs - before.cpuMs)) / elapsed) / 10;
}
