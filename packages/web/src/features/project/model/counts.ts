import type { Summary } from "@flamekeep/contract";

// A summary counts batches of HTTP metrics as profiles. The app does not: they have no stacks, and every other page counts
// them apart.

/** The profiles of the range. */
export function profilesIn({ total_profiles: all, profiles_by_type: byType }: Summary): number {
  return all - (byType.metrics ?? 0);
}

/** The profiles back from now. */
export function recentProfiles(summary: Summary): Summary["recent_activity"] {
  const { recent_activity: all, recent_metric_batches: batches } = summary;
  return {
    last_24_hours: all.last_24_hours - batches.last_24_hours,
    last_7_days: all.last_7_days - batches.last_7_days,
    last_30_days: all.last_30_days - batches.last_30_days,
  };
}
