import type { Profile, ServiceTotals, StoredType } from "@flamekeep/contract";
import { eventColumn } from "@flamekeep/profile";
import { type ProfileRow, toValueType } from "#store/profiles/profile-row.ts";
import type { ServiceTypeRow } from "#store/profiles/service-totals.ts";

export function toProfile(row: ProfileRow): Profile {
  return {
    profile_id: row.profile_id,
    service: row.service,
    type: row.type as StoredType,
    timestamp: row.started_at.toISOString(),
    tags: row.tags,
    statistics: { total_samples: totalSamples(row), duration_ms: Number(row.duration_ns) / 1e6 },
    sample_types: row.sample_types.map((sampleType, index) => ({
      ...toValueType(sampleType),
      total: Number(row.totals[index] ?? 0n),
    })),
    stack_count: row.stack_count,
    size_bytes: row.original_bytes,
    received_at: row.received_at.toISOString(),
    trimmed: row.trimmed,
  };
}

/** As in the statistics: CPU samples, contentions, goroutines; the profile's records where it counts no events. */
function totalSamples(row: ProfileRow): number {
  const column = eventColumn(row.sample_types.map(toValueType));
  return column === -1 ? row.sample_count : Number(row.totals[column] ?? 0n);
}

/** Rows per service and type, folded to services; latest activity first, then by name. */
export function toServices(rows: readonly ServiceTypeRow[], includeTotals: boolean): ServiceTotals[] {
  const services = new Map<string, { latest: Date; total: number; byType: Map<StoredType, number> }>();
  for (const row of rows) {
    const service = services.get(row.service) ?? { latest: row.latest, total: 0, byType: new Map() };
    services.set(row.service, service);
    if (row.latest > service.latest) service.latest = row.latest;
    service.total += row.profiles;
    service.byType.set(row.type as StoredType, row.profiles);
  }
  return [...services]
    .sort(
      ([a, { latest: left }], [b, { latest: right }]) => right.getTime() - left.getTime() || (a < b ? -1 : 1),
    )
    .map(([name, { latest, total, byType }]) => ({
      name,
      last_activity: latest.toISOString(),
      ...(includeTotals ? { total_profiles: total, profiles_by_type: Object.fromEntries(byType) } : {}),
    }));
}
