// The figures of a group of services from the replies about them.
import type {
  HttpAggregates,
  projectFigures,
  projectRequests,
  ReplyOf,
  ServiceTrend,
  serviceTrends,
} from "@flamekeep/contract";
import type { Lane } from "#charts/lanes/lanes.tsx";
import { seriesColor } from "#charts/model/colours.ts";
import { type Figure, requestFigures, sumOf, sumOfTrends } from "#groups/figures.ts";
import { cpuChange } from "#profile-list/service-order.ts";

/** A reply; undefined until read, null if it could not be read. */
type Read<T> = T | null | undefined;

export interface GroupReplies {
  readonly trends: ReplyOf<typeof serviceTrends>;
  readonly figures: Read<ReplyOf<typeof projectFigures>>;
  readonly requests: Read<ReplyOf<typeof projectRequests>>;
}

export interface ServiceRow {
  readonly service: string;
  /** Health, alerts and CPU over time. */
  readonly trend: ServiceTrend | undefined;
  readonly cores: number | null;
  /** The fraction of the group's cores; undefined without CPU. */
  readonly share: number | undefined;
  /** The change of the cores from the range before, as a fraction. */
  readonly change: number | undefined;
  /** Bytes. */
  readonly memory: Figure;
  /** Seconds. */
  readonly p95: Figure;
  /** Percent. */
  readonly errors: Figure;
  /** Whether the range has profiles or requests of the service; undefined if a reply that could tell is missing. */
  readonly hasData: boolean | undefined;
}

/** A row for each service, most cores first; services without CPU by name. */
export function serviceRows(
  services: readonly string[],
  { trends, figures, requests }: GroupReplies,
): ServiceRow[] {
  const trendOf = new Map(trends.services.map((trend) => [trend.name, trend]));
  const gaugesOf = new Map(figures?.services.map((gauges) => [gauges.service, gauges]));
  const requestsOf = new Map(requests?.services.map((each) => [each.service, each]));
  const whole = sumOf(services.map((service) => trendOf.get(service)?.cpu.current ?? null)) ?? 0;
  const rows = services.map((service): ServiceRow => {
    const trend = trendOf.get(service);
    const cores = trend?.cpu.current ?? null;
    const gauges = gaugesOf.get(service);
    const memory = figures === undefined ? undefined : (gauges?.memory_bytes ?? null);
    const { p95, errors } = requestFigures(requests && (requestsOf.get(service) ?? null));
    // A silent service has sent something.
    const isSeen = [cores, memory, gauges?.goroutines, p95, trend?.silent_since].some((each) => each != null);
    return {
      service,
      trend,
      cores,
      share: cores === null || whole === 0 ? undefined : cores / whole,
      change: cpuChange(trend),
      memory,
      p95,
      errors,
      hasData: isSeen || (figures && requests ? false : undefined),
    };
  });
  return rows.sort((a, b) => (b.cores ?? -1) - (a.cores ?? -1) || (a.service < b.service ? -1 : 1));
}

/** All services together. */
export interface GroupTotals {
  readonly cores: number | null;
  readonly change: number | undefined;
  readonly alerts: number;
  /** Services with open alerts, and silent ones. */
  readonly unhealthy: number;
  readonly memory: Figure;
  /** All requests of the group together. */
  readonly requests: HttpAggregates | null | undefined;
}

export function groupTotals(rows: readonly ServiceRow[], requests: GroupReplies["requests"]): GroupTotals {
  const trends = rows.map(({ trend }) => trend).filter((trend) => trend !== undefined);
  const sum = sumOfTrends("", trends);
  return {
    cores: sum?.cpu.current ?? null,
    change: cpuChange(sum),
    alerts: sum?.open_alerts ?? 0,
    unhealthy: trends.filter(({ health, silent_since: silent }) => health !== "healthy" || silent !== null)
      .length,
    memory: rows.some(({ memory }) => memory === undefined)
      ? undefined
      : sumOf(rows.map(({ memory }) => memory ?? null)),
    requests: requests === undefined ? undefined : (requests?.total ?? null),
  };
}

const lanesMax = 8;

/** CPU of the services with the most, and of all others together. */
export function cpuLanes(rows: readonly ServiceRow[], trends: GroupReplies["trends"]): Lane[] {
  const withCpu = rows.flatMap(({ trend, cores }) => (trend && cores !== null ? [trend] : []));
  const single = withCpu.length > lanesMax + 1 ? withCpu.slice(0, lanesMax) : withCpu;
  const others = withCpu.slice(single.length);
  const rest = sumOfTrends(`${others.length} others`, others);
  const fromMs = Date.parse(trends.from);
  const bucketMs = trends.bucket_seconds * 1000;
  return [...single, ...(rest ? [rest] : [])].map((trend, at) => ({
    id: trend.name,
    label: trend.name,
    unit: "cores",
    color: trend === rest ? "muted" : seriesColor(at),
    timesMs: trend.cpu.points.map((_, index) => fromMs + index * bucketMs),
    bucketMs,
    values: trend.cpu.points,
  }));
}
