import type { ServiceTotals, ServiceTrend } from "@flamekeep/contract";
import { countOf } from "./model.ts";

/** A service with its totals and, once they have arrived, its health and CPU. */
export interface ServiceEntry {
  readonly totals: ServiceTotals;
  readonly trend: ServiceTrend | undefined;
}

/** In the order of the services. */
export function toEntries(
  services: readonly ServiceTotals[],
  trends: readonly ServiceTrend[] | undefined,
): ServiceEntry[] {
  const byName = new Map(trends?.map((trend) => [trend.name, trend]));
  return services.map((totals) => ({ totals, trend: byName.get(totals.name) }));
}

/** Batches of HTTP metrics are not profiles. */
export function profileCount({ profiles_by_display_type: counts }: ServiceTotals): number {
  return countOf(counts, "all") - countOf(counts, "metrics");
}

/** The trend of a service, or of several together. */
export interface ComparedTrend extends ServiceTrend {
  /** Of several services: the CPU of those with CPU in both ranges. */
  readonly compared?: Pick<ServiceTrend["cpu"], "current" | "previous">;
}

/** The change of CPU from the range before, as a fraction; undefined if either is unknown or there was none before. */
export function cpuChange(trend: ComparedTrend | undefined): number | undefined {
  const { current, previous } = trend?.compared ?? trend?.cpu ?? { current: null, previous: null };
  return current === null || previous === null || previous === 0 ? undefined : current / previous - 1;
}
