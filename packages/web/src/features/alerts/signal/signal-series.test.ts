import type { ServiceSeries } from "@flamekeep/contract";
import { expect, it } from "vitest";
import { seriesRange, signalPlot } from "./signal-series.ts";

const at = (clock: string) => `2026-11-20T${clock}:00.000Z`;
const alert = {
  unit: "nanoseconds per second",
  previous_value: 4e8,
  current_value: 8e8,
  timestamp: at("10:57"),
  began_at: at("10:30"),
  resolved_at: null,
  previous_range: { from: at("09:00"), to: at("10:30") },
  current_range: { from: at("10:30"), to: at("11:00") },
};

/** Four buckets of half an hour from 09:00 on, as the server replies. */
function series(values: (number | null)[], durationMs: number): ServiceSeries {
  const counts = values.map((value) => (value === null ? 0 : 1));
  return {
    service: "checkout",
    bucket: "30m",
    bucket_widened: false,
    from: at("09:00"),
    to: at("11:00"),
    complete_from: at("09:00"),
    complete_to: at("11:00"),
    group_by: null,
    group_by_label: null,
    labels: {},
    tags: {},
    charts: [
      {
        type: "cpu",
        sample_types: ["cpu/nanoseconds"],
        sample_type: "cpu/nanoseconds",
        aggregation: "sum",
        lines: [
          {
            value: "",
            total: 0,
            profiles: 4,
            values,
            profile_counts: counts,
            durations_ms: counts.map((count) => count * durationMs),
          },
        ],
        other: null,
      },
    ],
  } as unknown as ServiceSeries;
}

it("a rate is what a second of profiles has, on one scale with the level before", () => {
  const plot = signalPlot(alert, series([4e9, 4e9, 4e9, null], 10_000));
  expect(plot?.values).toEqual([4e8, 4e8, 4e8, null]);
  expect(plot).toMatchObject({ top: 8e8, baselineY: 0.5, changeX: 0.75 });
});

it("a level is the mean that the server gives", () => {
  const gauge = { ...alert, unit: "bytes", previous_value: 100, current_value: 400 };
  const plot = signalPlot(gauge, series([100, 100, 100, 300], 0));
  expect([plot?.values, plot?.top, plot?.baselineY]).toEqual([[100, 100, 100, 300], 400, 0.75]);
});

it("a beginning before the chart is at its edge, and without one the opening is the change", () => {
  const plotOf = (began_at: string | null) => signalPlot({ ...alert, began_at }, series([1, 1, 1, 1], 1));
  expect(plotOf(at("08:00"))?.changeX).toBe(0);
  expect(plotOf(null)?.changeX).toBeCloseTo(117 / 120);
});

it("there is no chart once the profiles are gone", () => {
  expect(signalPlot(alert, { ...series([], 0), charts: [] })).toBeUndefined();
});

it("the range shows the time before, and moves on with the clock in steps of five minutes", () => {
  const range = seriesRange(alert, Date.parse(at("12:03")));
  expect(range).toEqual({ from: "2026-11-20T09:00:00Z", to: "2026-11-20T12:00:00Z", bucket: "5m" });
  expect(seriesRange(alert, Date.parse(at("12:04")))).toEqual(range);
  const resolved = { ...alert, resolved_at: at("11:30") };
  expect(seriesRange(resolved, Date.parse(at("23:00"))).to).toBe("2026-11-20T12:30:00Z");
});
