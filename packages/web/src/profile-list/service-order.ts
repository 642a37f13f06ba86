import type { ServiceTotals, ServiceTrend } from "@flamekeep/contract";
import { countOf } from "./model.ts";

/** A service with its totals and, once they have arrived, its health and CPU. */
export interface ServiceEntry {
  readonly totals: ServiceTotals;
  readonly trend: ServiceTrend | undefined;
}

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

export const serviceSorts = ["name", "alerts", "cpu", "change", "profiles", "activity"] as const;
export type ServiceSort = (typeof serviceSorts)[number];

const unknown = Number.NEGATIVE_INFINITY;
/** Largest first, unless the sort is by name. */
const sizes: Record<Exclude<ServiceSort, "name">, (entry: ServiceEntry) => number> = {
  alerts: ({ trend }) => alertSize(trend),
  cpu: ({ trend }) => trend?.cpu.current ?? unknown,
  change: ({ trend }) => cpuChange(trend) ?? unknown,
  profiles: ({ totals }) => profileCount(totals),
  activity: ({ totals }) => Date.parse(totals.last_activity),
};

const healthRank = { healthy: 0, warning: 1, critical: 2 } as const;

/** Silent and critical services before those that only have more alerts. */
function alertSize(trend: ServiceTrend | undefined): number {
  if (trend === undefined) return 0;
  const rank = trend.silent_since === null ? healthRank[trend.health] : healthRank.critical;
  return rank * 1e6 + trend.open_alerts;
}

/** Sorted; equal services by name. */
export function sortedServices(entries: readonly ServiceEntry[], sort: ServiceSort): ServiceEntry[] {
  const byName = (a: ServiceEntry, b: ServiceEntry) => (a.totals.name < b.totals.name ? -1 : 1);
  if (sort === "name") return entries.toSorted(byName);
  const size = sizes[sort];
  return entries.toSorted((a, b) => {
    const [left, right] = [size(a), size(b)];
    return left === right ? byName(a, b) : right - left;
  });
}

/** Services whose name contains the text, whatever its case. */
export function matchingServices(entries: readonly ServiceEntry[], q: string): readonly ServiceEntry[] {
  const wanted = q.trim().toLowerCase();
  return wanted === "" ? entries : entries.filter(({ totals }) => totals.name.toLowerCase().includes(wanted));
}
