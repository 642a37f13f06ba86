import type { SeriesChart } from "@flamekeep/contract";
import { expect, it } from "vitest";
import { drawnChart } from "./lines.ts";

const look = { groupBy: null, isStacked: false, width: "5 min", isWhole: () => true };

function lineOf(value: string, values: (number | null)[], durationMs = 10_000) {
  return {
    value,
    total: 0,
    profiles: 0,
    values,
    profile_counts: values.map(Number),
    durations_ms: values.map((each) => (each === null ? 0 : durationMs)),
  };
}

function chartOf(
  type: SeriesChart["type"],
  sample_type: string,
  ...lines: SeriesChart["lines"]
): SeriesChart {
  const aggregation = sample_type.startsWith("inuse") ? "mean" : "sum";
  return { type, sample_types: [sample_type], sample_type, aggregation, lines, other: null };
}

it("shows CPU time as cores of one instance", () => {
  const chart = chartOf("cpu", "cpu/nanoseconds", lineOf("", [5e9, null]));
  expect(drawnChart(chart, look)).toEqual({
    title: "CPU time",
    detail: "Mean of one instance",
    unit: "cores",
    series: [{ id: "all", label: "CPU time", color: "type-cpu", values: [0.5, null] }],
  });
});

it("stacks cores as shares of all instances", () => {
  const chart = chartOf("cpu", "cpu/nanoseconds", lineOf("1", [5e9], 10_000), lineOf("2", [30e9], 30_000));
  const grouped = { ...look, groupBy: "version" };
  expect(drawnChart(chart, grouped).series.map(({ values }) => values)).toEqual([[0.5], [1]]);
  const stacked = drawnChart(chart, { ...grouped, isStacked: true });
  expect(stacked.series.map(({ values }) => values)).toEqual([[0.125], [0.75]]);
});

it.each([
  ["memory", "inuse_space/bytes", "bytes", "Mean of the profiles", 7],
  ["memory", "alloc_objects/count", "count", "Sum of each 5 min", 7],
  ["mutex", "delay/nanoseconds", "nanoseconds", "Sum of each 5 min", 7],
  ["custom", "carts/open/milliseconds", "nanoseconds", "Sum of each 5 min", 7e6],
] as const)("draws %s %s in %s", (type, sampleType, unit, detail, value) => {
  const drawn = drawnChart(chartOf(type, sampleType, lineOf("", [7])), look);
  expect([drawn.unit, drawn.detail, drawn.series[0]?.values]).toEqual([unit, detail, [value]]);
});

it("leaves out sums of buckets that are not whole, and keeps means and cores", () => {
  const isWhole = (at: number) => at === 1;
  const drawn = (type: SeriesChart["type"], sampleType: string) =>
    drawnChart(chartOf(type, sampleType, lineOf("", [1e9, 3e9, 2e9])), { ...look, isWhole }).series[0]
      ?.values;
  expect(drawn("mutex", "delay/nanoseconds")).toEqual([null, 3e9, null]);
  expect(drawn("memory", "inuse_space/bytes")).toEqual([1e9, 3e9, 2e9]);
  expect(drawn("cpu", "cpu/nanoseconds")).toEqual([0.1, 0.3, 0.2]);
});

it("names the lines by the value of the tag, and what remains", () => {
  const { value: _, ...rest } = lineOf("", [1]);
  const chart = {
    ...chartOf("goroutine", "goroutine/count", lineOf("eu", [3]), lineOf("", [2])),
    other: { ...rest, groups: 14 },
  };
  const { series } = drawnChart(chart, { ...look, groupBy: "region" });
  expect(series.map(({ label }) => label)).toEqual(["eu", "No region", "Other (14 values)"]);
  expect(new Set(series.map(({ id }) => id)).size).toBe(3);
});
