import type { HttpTimeline } from "@flamekeep/contract";
import { expect, it } from "vitest";
import { httpLanes, laneType, profileLanes, wholeOf } from "./lanes-of-service.ts";
import type { TimedChart } from "./timed-charts.ts";

const chart = (type: TimedChart["type"], part: Partial<TimedChart> = {}): TimedChart => ({
  type,
  title: `Title of ${type}`,
  detail: "",
  unit: "count",
  series: [{ id: "all", label: type, values: [1, 2] }],
  sampleTypes: [],
  sampleType: "",
  timesMs: [0, 60_000],
  bucketMs: 60_000,
  ...part,
});

it("each type with values has a lane; block profiles have one only where mutex profiles are missing", () => {
  const idsOf = (...charts: TimedChart[]) => profileLanes(charts).map(({ id, label }) => [id, label]);
  expect(idsOf(chart("cpu"), chart("mutex"), chart("block"), chart("custom"))).toEqual([
    ["cpu", "CPU"],
    ["mutex", "Lock wait"],
    ["custom", "Title of custom"],
  ]);
  expect(idsOf(chart("block"), chart("memory", { series: [] }))).toEqual([["block", "Blocking"]]);
});

const point = (minute: number, requests: number, p95: number | null, errors: number | null) =>
  ({
    timestamp: new Date(minute * 60_000).toISOString(),
    request_count: requests,
    p95_duration_ms: p95,
    error_rate: errors,
  }) as HttpTimeline["data_points"][number];

it("lanes of requests have p95 and errors in percent from the first request to the last", () => {
  const data_points = [
    point(0, 0, null, null),
    point(5, 10, 20, 0.1),
    point(10, 0, null, null),
    point(15, 4, 30, 0),
    point(20, 0, null, null),
  ];
  const lanes = httpLanes({ interval_minutes: 5, data_points } as unknown as HttpTimeline);
  expect(lanes.map(({ id, values }) => [id, values])).toEqual([
    ["p95", [null, 20, null, 30, null]],
    ["errors", [null, 10, null, 0, null]],
  ]);
  expect(
    httpLanes({ interval_minutes: 5, data_points: [point(0, 0, null, null)] } as unknown as HttpTimeline),
  ).toEqual([]);
});

it("the axis holds all lanes, and a drag selects the narrowest of their buckets", () => {
  const lanes = profileLanes([chart("cpu"), chart("memory", { timesMs: [-300_000], bucketMs: 300_000 })]);
  expect(wholeOf(lanes)).toEqual({ whole: { fromMs: -300_000, toMs: 120_000 }, stepMs: 60_000 });
});

it("a lane of profiles is the type of its graph, a lane of requests none", () => {
  expect([laneType("cpu"), laneType("p95"), laneType(undefined)]).toEqual(["cpu", undefined, undefined]);
});
