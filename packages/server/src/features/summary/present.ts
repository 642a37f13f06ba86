import { limits, type StoredType, type Summary } from "@flamekeep/contract";
import { dayMs, minuteMs } from "@flamekeep/contract/durations";
import type { TotalsRow } from "#store/column/column-store.ts";

type TopService = Summary["top_services"][number];

const typesAlwaysListed: readonly StoredType[] = ["cpu", "memory", "goroutine", "mutex", "metrics"];

interface Counted {
  profiles: number;
  readonly byType: Map<StoredType, number>;
  earliestMs: number;
  latestMs: number;
}

/** The fields of the summary that depend on the counts and times of profiles only. */
export function toTotals(rows: readonly TotalsRow[], now: Date) {
  const services = new Map<string, Counted>();
  for (const row of rows) {
    const service = services.get(row.service) ?? nothing();
    services.set(row.service, service);
    add(service, row.type as StoredType, row);
  }
  const all = nothing();
  for (const service of services.values()) {
    for (const [type, profiles] of service.byType) add(all, type, { ...service, profiles });
  }
  const listed = typesAlwaysListed.map((type) => [type, all.byType.get(type) ?? 0] as const);
  return {
    total_profiles: all.profiles,
    total_services: services.size,
    profiles_by_type: Object.fromEntries([...listed, ...all.byType]),
    time_range: toTimeRange(all),
    top_services: toTopServices(services, now.getTime()),
  };
}

function nothing(): Counted {
  return {
    profiles: 0,
    byType: new Map(),
    earliestMs: Number.POSITIVE_INFINITY,
    latestMs: Number.NEGATIVE_INFINITY,
  };
}

function add(
  to: Counted,
  type: StoredType,
  row: Pick<TotalsRow, "profiles" | "earliestMs" | "latestMs">,
): void {
  to.profiles += row.profiles;
  to.byType.set(type, (to.byType.get(type) ?? 0) + row.profiles);
  to.earliestMs = Math.min(to.earliestMs, row.earliestMs);
  to.latestMs = Math.max(to.latestMs, row.latestMs);
}

function toTimeRange({ profiles, earliestMs, latestMs }: Counted): Summary["time_range"] {
  if (profiles === 0) return { earliest: null, latest: null, duration_days: 0 };
  const [earliest, latest] = [toMinute(earliestMs), toMinute(latestMs)];
  return {
    earliest: new Date(earliest).toISOString(),
    latest: new Date(latest).toISOString(),
    duration_days: (latest - earliest) / dayMs,
  };
}

function toMinute(ms: number): number {
  return Math.floor(ms / minuteMs) * minuteMs;
}

/** Most profiles first, then by name. A sender whose clock is ahead was not active after now. */
function toTopServices(services: ReadonlyMap<string, Counted>, nowMs: number): TopService[] {
  return [...services]
    .map(([name, { profiles, byType, latestMs }]) => ({
      name,
      profile_count: profiles,
      last_activity: new Date(toMinute(Math.min(latestMs, nowMs))).toISOString(),
      profiles_by_type: Object.fromEntries(byType),
    }))
    .sort((a, b) => b.profile_count - a.profile_count || (a.name < b.name ? -1 : 1))
    .slice(0, limits.topServicesMax);
}
