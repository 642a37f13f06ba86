import type { ServiceTrend } from "@flamekeep/contract";

/** The sum of the known values; null if none is known. */
export function sumOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/** CPU and open alerts of several services together; undefined if nothing is known of any. */
export function sumOfTrends(name: string, trends: readonly ServiceTrend[]): ServiceTrend | undefined {
  if (trends.length === 0) return undefined;
  const points = Math.max(...trends.map(({ cpu }) => cpu.points.length));
  const worst = trends
    .map(({ worst_alert: alert }) => alert)
    .filter((alert) => alert !== null)
    .sort((a, b) => b.increase - a.increase)[0];
  return {
    name,
    health: worstHealth(trends),
    silent_since: null,
    open_alerts: trends.reduce((sum, { open_alerts: alerts }) => sum + alerts, 0),
    worst_alert: worst ?? null,
    cpu: {
      points: Array.from({ length: points }, (_, at) =>
        sumOf(trends.map(({ cpu }) => cpu.points[at] ?? null)),
      ),
      current: sumOf(trends.map(({ cpu }) => cpu.current)),
      previous: sumOf(trends.map(({ cpu }) => cpu.previous)),
    },
  };
}

function worstHealth(trends: readonly ServiceTrend[]): ServiceTrend["health"] {
  const found = new Set(trends.map(({ health }) => health));
  return found.has("critical") ? "critical" : found.has("warning") ? "warning" : "healthy";
}
