// Figures of several services together.
import type { HttpAggregates, ServiceTrend } from "@flamekeep/contract";
import type { ComparedTrend } from "#profile-list/service-order.ts";

/** Undefined until read; null without data. */
export type Figure = number | null | undefined;

/** The sum of the known values; null if none is known. */
export function sumOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/** CPU and open alerts of several services together; undefined if nothing is known of any. */
export function sumOfTrends(name: string, trends: readonly ServiceTrend[]): ComparedTrend | undefined {
  if (trends.length === 0) return undefined;
  const points = Math.max(...trends.map(({ cpu }) => cpu.points.length));
  const worst = trends
    .map(({ worst_alert: alert }) => alert)
    .filter((alert) => alert !== null)
    .sort((a, b) => b.increase - a.increase)[0];
  const inBoth = trends.filter(({ cpu }) => cpu.current !== null && cpu.previous !== null);
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
    compared: {
      current: sumOf(inBoth.map(({ cpu }) => cpu.current)),
      previous: sumOf(inBoth.map(({ cpu }) => cpu.previous)),
    },
  };
}

/** Latency in seconds and errors in percent. */
export function requestFigures(
  requests: HttpAggregates | null | undefined,
): Record<"p95" | "errors", Figure> {
  if (requests === undefined) return { p95: undefined, errors: undefined };
  const rate = requests?.error_rate ?? null;
  return { p95: requests?.p95_duration ?? null, errors: rate === null ? null : rate * 100 };
}

function worstHealth(trends: readonly ServiceTrend[]): ServiceTrend["health"] {
  const found = new Set(trends.map(({ health }) => health));
  return found.has("critical") ? "critical" : found.has("warning") ? "warning" : "healthy";
}
