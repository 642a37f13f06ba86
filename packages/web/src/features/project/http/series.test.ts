import type { HttpTimeline, HttpTimelinePoint } from "@flamekeep/contract";
import { describe, expect, it } from "vitest";
import { countSeries, latencySeries, rateSeries, statusSeries } from "./series.ts";

const none = { "2xx": 0, "3xx": 0, "4xx": 0, "5xx": 0, Other: 0 };

/** Intervals of five minutes from ten o'clock. */
function timelineOf(points: readonly Partial<HttpTimelinePoint>[], completeTo = "2026-11-20T11:00:00.000Z") {
  return {
    interval_minutes: 5,
    complete_from: "2026-11-20T10:00:00.000Z",
    complete_to: completeTo,
    data_points: points.map((point, at) => ({
      ...point,
      timestamp: new Date(Date.UTC(2026, 10, 20, 10, 5 * at)).toISOString(),
    })),
  } as HttpTimeline;
}

describe("charts", () => {
  it("of status have the classes that occur, in their order", () => {
    const timeline = timelineOf([
      { request_count: 2, status_counts: { ...none, "5xx": 2 } },
      { request_count: 7, status_counts: { ...none, "2xx": 7 } },
    ]);
    expect(statusSeries(timeline).map(({ label, color, values }) => [label, color, values])).toEqual([
      ["2xx", "ok", [0, 7]],
      ["5xx", "critical", [2, 0]],
    ]);
  });

  it("of requests begin with the first and end with the last that was received", () => {
    const timeline = timelineOf([0, 3, 0, 2, 0].map((request_count) => ({ request_count })));
    expect(countSeries(timeline).values).toEqual([null, 3, 0, 2, null]);
  });

  it("leave out sums and rates of the interval that is not over, and keep its latency", () => {
    const point = { request_count: 4, throughput_rps: 4 / 300, p95_duration_ms: 90 };
    const timeline = timelineOf([point, point], "2026-11-20T10:05:00.000Z");
    expect(countSeries(timeline).values).toEqual([4, null]);
    expect(rateSeries(timeline).values).toEqual([4 / 300, null]);
    expect(latencySeries(timeline)[1]?.values).toEqual([90, 90]);
  });

  it("of first requests have their number, and no rate before the interval is over", () => {
    const timeline = timelineOf([{ request_count: 4, throughput_rps: 4 / 300 }], "2026-11-20T10:00:00.000Z");
    expect(countSeries(timeline).values).toEqual([4]);
    expect(rateSeries(timeline).values).toEqual([null]);
  });
});
