import type { ServiceSeries } from "@flamekeep/contract";
import { expect, it } from "vitest";
import { timedCharts } from "./timed-charts.ts";

const line = {
  value: "",
  total: 0,
  profiles: 0,
  values: [1e9, null, null, 2e9, null, null, 3e9],
  profile_counts: [1, 0, 0, 1, 0, 0, 1],
  durations_ms: [0, 0, 0, 0, 0, 0, 0],
};

const series: ServiceSeries = {
  service: "checkout",
  bucket: "5m",
  bucket_widened: false,
  from: "2026-11-20T10:10:00.000Z",
  to: "2026-11-20T10:45:00.000Z",
  complete_from: "2026-11-20T10:10:00.000Z",
  complete_to: "2026-11-20T10:40:00.000Z",
  group_by: null,
  group_by_label: null,
  labels: {},
  tags: {},
  charts: [
    {
      type: "mutex",
      sample_types: ["delay/nanoseconds"],
      sample_type: "delay/nanoseconds",
      aggregation: "sum",
      lines: [line],
      other: null,
    },
  ],
};

it("joined buckets that begin before the range, or are not over, have no sum", () => {
  const [chart] = timedCharts(series, { isStacked: false, isChosen: false });
  expect(chart?.timesMs.map((ms) => new Date(ms).toISOString().slice(11, 16))).toEqual([
    "10:00",
    "10:15",
    "10:30",
  ]);
  expect(chart?.series[0]?.values).toEqual([null, 2e9, null]);
});
