import { limits, type StoredType, type Summary } from "@flamekeep/contract";
import type { CountRow } from "./queries.ts";
import type { ReadingRow } from "./reading-queries.ts";

type Metrics = Summary["performance_metrics"];
type TopService = Summary["top_services"][number];

const dayMs = 86_400_000;
const bytesPerMb = 2 ** 20;
const alwaysShown: readonly StoredType[] = ["cpu", "memory", "goroutine", "mutex", "metrics"];

/** Everything of the summary that follows from the counts by service and type. */
export function toTotals(rows: readonly CountRow[]) {
  const byType = new Map<StoredType, number>(alwaysShown.map((type) => [type, 0]));
  for (const { type, profiles } of rows) {
    byType.set(type as StoredType, (byType.get(type as StoredType) ?? 0) + profiles);
  }
  const services = toServices(rows);
  return {
    total_profiles: profilesOf(rows),
    total_services: services.length,
    profiles_by_type: Object.fromEntries(byType),
    time_range: toTimeRange(rows),
    top_services: services.slice(0, limits.topServicesMax),
  };
}

function profilesOf(rows: readonly CountRow[]): number {
  return rows.reduce((sum, { profiles }) => sum + profiles, 0);
}

function toTimeRange(rows: readonly CountRow[]): Summary["time_range"] {
  if (rows.length === 0) return { earliest: null, latest: null, duration_days: 0 };
  const earliest = Math.min(...rows.map((row) => row.earliest.getTime()));
  const latest = Math.max(...rows.map((row) => row.latest.getTime()));
  return {
    earliest: new Date(earliest).toISOString(),
    latest: new Date(latest).toISOString(),
    duration_days: (latest - earliest) / dayMs,
  };
}

/** Most profiles first, then by name. */
function toServices(rows: readonly CountRow[]): TopService[] {
  const byName = new Map<string, CountRow[]>();
  for (const row of rows) byName.set(row.service, [...(byName.get(row.service) ?? []), row]);
  return [...byName]
    .map(([name, own]) => ({
      name,
      profile_count: profilesOf(own),
      last_activity: new Date(Math.max(...own.map(({ latest }) => latest.getTime()))).toISOString(),
      profiles_by_type: Object.fromEntries(own.map(({ type, profiles }) => [type as StoredType, profiles])),
    }))
    .sort((a, b) => b.profile_count - a.profile_count || (a.name < b.name ? -1 : 1));
}

export function toMetrics(rows: readonly ReadingRow[]): Metrics {
  // A digest keeps 32-bit floats, and its percentiles may round to above the highest value.
  const capped = rows.map((row) => ({ ...row, p95: Math.min(row.p95, row.peak) }));
  const find = (name: ReadingRow["reading"]) => capped.find(({ reading }) => reading === name);
  return {
    cpu: toCpu(find("cpu_percent"), find("duration_ms")),
    memory: toMemory(find("heap_in_use_bytes"), find("heap_alloc_bytes")),
  };
}

function toCpu(percent: ReadingRow | undefined, duration: ReadingRow | undefined): Metrics["cpu"] {
  if (percent === undefined || duration === undefined) return null;
  return {
    avg_cpu_percent: percent.mean,
    p95_cpu_percent: percent.p95,
    peak_cpu_percent: percent.peak,
    avg_duration_ms: duration.mean,
    total_samples: duration.samples,
  };
}

function toMemory(inUse: ReadingRow | undefined, allocated: ReadingRow | undefined): Metrics["memory"] {
  if (inUse === undefined && allocated === undefined) return null;
  const mb = (bytes: number | undefined) => (bytes === undefined ? null : bytes / bytesPerMb);
  return {
    avg_heap_in_use_mb: mb(inUse?.mean),
    peak_heap_in_use_mb: mb(inUse?.peak),
    avg_heap_alloc_mb: mb(allocated?.mean),
    p95_heap_alloc_mb: mb(allocated?.p95),
    peak_heap_alloc_mb: mb(allocated?.peak),
  };
}
