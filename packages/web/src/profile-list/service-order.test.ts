import type { ServiceTotals, ServiceTrend } from "@flamekeep/contract";
import { describe, expect, it } from "vitest";
import { cpuChange, profileCount, toEntries } from "./service-order.ts";

const totals = (name: string, last_activity: string, counts: Record<string, number>): ServiceTotals => ({
  name,
  last_activity,
  profiles_by_display_type: counts,
});
const trend = (
  name: string,
  health: ServiceTrend["health"],
  open_alerts: number,
  [previous, current]: [number | null, number | null],
): ServiceTrend => ({
  name,
  health,
  silent_since: null,
  open_alerts,
  worst_alert: null,
  cpu: { points: [], current, previous },
});

const entries = toEntries(
  [
    totals("search", "2026-11-20T11:00:00.000Z", { cpu: 10, metrics: 90 }),
    totals("Checkout", "2026-11-20T12:00:00.000Z", { cpu: 20 }),
    totals("catalog", "2026-11-20T10:00:00.000Z", { cpu: 5 }),
    totals("batch", "2026-11-20T09:00:00.000Z", { metrics: 3 }),
  ],
  [
    trend("search", "warning", 3, [0.5, 1]),
    trend("Checkout", "critical", 1, [1, 0.5]),
    trend("catalog", "healthy", 0, [null, 2]),
    trend("gone", "critical", 9, [1, 1]),
  ],
);

describe("services", () => {
  it("count profiles without batches of HTTP metrics", () => {
    expect(entries.map((entry) => profileCount(entry.totals))).toEqual([10, 20, 5, 0]);
  });

  it("change by what their CPU was before, if that is known", () => {
    expect(entries.map((entry) => cpuChange(entry.trend))).toEqual([1, -0.5, undefined, undefined]);
  });
});
