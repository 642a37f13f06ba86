import {
  type InputOf,
  limits,
  organizationSummary,
  type StoredType,
  type Summary,
  serviceSummary,
  servicesSummary,
} from "@flamekeep/contract";
import { dayMs, minuteMs } from "@flamekeep/contract/durations";
import type { FastifyInstance } from "fastify";
import type { Actor, Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import { pageOf } from "#http/query/page.ts";
import { listedRange, sinceMinuteMs, type TimeRange } from "#http/query/time-range.ts";
import { profiledRequests, readTraffic } from "#stacks/traffic/traffic.ts";
import type { TotalsRow } from "#store/column/column-store.ts";
import { quantileOf } from "#store/column/read/histogram.ts";
import { type ServiceTotals, totalsOfServices } from "#store/profiles/service-totals.ts";

export function registerSummary(app: FastifyInstance, ctx: Context): void {
  for (const call of [organizationSummary, servicesSummary, serviceSummary])
    serve(app, ctx, call, getSummary);
}

type Input = InputOf<typeof organizationSummary> & {
  /** Empty for all services. */
  readonly service?: string;
};

/** Counts and performance of the profiles of an organization, or of one of its services, in a range. */
async function getSummary(
  ctx: Context,
  { orgId }: Actor,
  { service = "", ...query }: Input,
): Promise<{ summary: Summary }> {
  const now = ctx.now();
  const nowMs = now.getTime();
  const range = listedRange(query, now);
  const [from, to] = [range.fromMs / 1000, range.toMs / 1000];
  const startOf = (span: string) => sinceMinuteMs(span, nowMs) / 1000;
  const [day, week, month] = [startOf("24h"), startOf("7d"), startOf("30d")];
  const [rows, { services }] = await Promise.all([
    ctx.columns.profileTotals({
      orgId,
      service,
      starts: [from, day, week, month, ...(range.toMs > nowMs ? [] : [to])],
      now,
      detail: "figures",
    }),
    totalsOfServices(ctx.columns, { orgId, ...range, now }, service),
  ]);
  const ofRange = rows.filter(({ startSeconds }) => startSeconds >= from && startSeconds < to);
  const metrics = rows.filter(({ type }) => type === "metrics");
  const recentCounts = (counted: readonly TotalsRow[]) => {
    const since = (start: number) =>
      counted.reduce((sum, row) => (row.startSeconds >= start ? sum + row.profiles : sum), 0);
    return { last_24_hours: since(day), last_7_days: since(week), last_30_days: since(month) };
  };
  const summary = {
    ...toTotals(ofRange, services),
    recent_activity: recentCounts(rows),
    recent_metric_batches: recentCounts(metrics),
    generated_at: now.toISOString(),
    performance_metrics: toMetrics(ofRange, await readCpuPerRequest(ctx, { orgId, service, range }, ofRange)),
  };
  return { summary };
}

interface ServiceRange {
  readonly orgId: string;
  /** Empty for all services. */
  readonly service: string;
  readonly range: TimeRange;
}

/** Seconds of CPU time; null for all services, and where the requests of the profiled time cannot be counted. */
async function readCpuPerRequest(
  { columns }: Context,
  { orgId, service, range }: ServiceRange,
  rows: readonly TotalsRow[],
): Promise<number | null> {
  const timed = timedCpu(rows);
  if (service === "" || timed.length === 0) return null;
  const [from, to] = [new Date(range.fromMs), new Date(range.toMs)];
  const traffic = await readTraffic(columns, { orgId, service, type: "cpu", from, to });
  if (traffic === undefined) return null;
  const cpuNs = sum(timed, "amount") / 100;
  const profiled = profiledRequests(traffic, { durationMs: sum(timed, "weight") / 1e6, cpuNs });
  return profiled.ok ? cpuNs / 1e9 / profiled.requests : null;
}

type TopService = Summary["top_services"][number];

const typesAlwaysListed: readonly StoredType[] = ["cpu", "memory", "goroutine", "mutex", "metrics"];

/** The fields of the summary that depend on the counts and times of profiles only. */
function toTotals(rows: readonly TotalsRow[], services: readonly ServiceTotals[]) {
  const byType = new Map<string, number>(typesAlwaysListed.map((type) => [type, 0]));
  for (const { type, profiles } of rows) byType.set(type, (byType.get(type) ?? 0) + profiles);
  return {
    total_profiles: sum(rows, "profiles"),
    total_services: services.length,
    profiles_by_type: Object.fromEntries(byType),
    time_range: toTimeRange(rows),
    top_services: toTopServices(services),
  };
}

function toTimeRange(rows: readonly TotalsRow[]): Summary["time_range"] {
  if (rows.length === 0) return { earliest: null, latest: null, duration_days: 0 };
  const earliest = toMinute(Math.min(...rows.map(({ earliestMs }) => earliestMs)));
  const latest = toMinute(Math.max(...rows.map(({ latestMs }) => latestMs)));
  return {
    earliest: new Date(earliest).toISOString(),
    latest: new Date(latest).toISOString(),
    duration_days: (latest - earliest) / dayMs,
  };
}

function toMinute(ms: number): number {
  return Math.floor(ms / minuteMs) * minuteMs;
}

/** Most profiles first, then by name. */
function toTopServices(services: readonly ServiceTotals[]): TopService[] {
  const sizeOf = ({ types }: ServiceTotals) => types.reduce((total, { profiles }) => total + profiles, 0);
  const { page } = pageOf(services, (each) => ({ size: sizeOf(each), name: each.service }), {
    limit: limits.topServicesMax,
  });
  return page.map((top) => ({
    name: top.service,
    profile_count: sizeOf(top),
    last_activity: new Date(toMinute(top.latestMs)).toISOString(),
    profiles_by_type: Object.fromEntries(top.types.map(({ type, profiles }) => [type, profiles])),
  }));
}

type Metrics = Summary["performance_metrics"];

const bytesPerMib = 2 ** 20;

/** Means weighted by time, and percentiles and peaks over single profiles. */
function toMetrics(rows: readonly TotalsRow[], cpuPerRequest: number | null): Metrics {
  return {
    cpu: toCpu(rows, cpuPerRequest),
    memory: toMemory(rows.filter(({ type }) => type === "memory")),
  };
}

type Figure = "profiles" | "samples" | "durationMs" | "amount" | "weight" | "allocations" | "allocated";

function sum(rows: readonly TotalsRow[], figure: Figure): number {
  return rows.reduce((total, row) => total + row[figure], 0);
}

function peak(rows: readonly TotalsRow[], figure: "peak" | "peakAllocated"): number {
  return rows.reduce((highest, row) => Math.max(highest, row[figure]), Number.NEGATIVE_INFINITY);
}

/** CPU profiles that say how long they lasted. Their `amount` is CPU time in hundredths of a nanosecond, their `weight` is nanoseconds. */
function timedCpu(rows: readonly TotalsRow[]): TotalsRow[] {
  return rows.filter(({ type, weight }) => type === "cpu" && weight > 0);
}

function toCpu(rows: readonly TotalsRow[], cpuPerRequest: number | null): Metrics["cpu"] {
  const timed = timedCpu(rows);
  if (timed.length === 0) return null;
  const all = rows.filter(({ type }) => type === "cpu");
  const highest = peak(timed, "peak");
  return {
    avg_cpu_percent: sum(timed, "amount") / sum(timed, "weight"),
    p95_cpu_percent: quantileOf(timed, 0.95, highest),
    peak_cpu_percent: highest,
    avg_duration_ms: sum(all, "durationMs") / sum(all, "profiles"),
    total_samples: sum(all, "samples"),
    seconds_per_request: cpuPerRequest,
  };
}

function toMemory(rows: readonly TotalsRow[]): Metrics["memory"] {
  const inUse = rows.filter(({ weight }) => weight > 0);
  const allocating = rows.filter(({ allocations }) => allocations > 0);
  if (inUse.length === 0 && allocating.length === 0) return null;
  const mb = (from: readonly TotalsRow[], bytes: () => number) =>
    from.length === 0 ? null : bytes() / bytesPerMib;
  const highest = peak(allocating, "peakAllocated");
  return {
    avg_heap_in_use_mb: mb(inUse, () => sum(inUse, "amount") / sum(inUse, "weight")),
    peak_heap_in_use_mb: mb(inUse, () => peak(inUse, "peak")),
    avg_heap_alloc_mb: mb(allocating, () => sum(allocating, "allocated") / sum(allocating, "allocations")),
    p95_heap_alloc_mb: mb(allocating, () => quantileOf(allocating, 0.95, highest)),
    peak_heap_alloc_mb: mb(allocating, () => highest),
  };
}
