import type { HttpTimelinePoint } from "@flamekeep/contract";
import { describe, expect, it } from "vitest";
import { httpSeries, statusSeries } from "./series.ts";

describe("charts", () => {
  it("of status have the classes that occur, in their order", () => {
    const none = { "2xx": 0, "3xx": 0, "4xx": 0, "5xx": 0, Other: 0 };
    const points = [
      { request_count: 2, status_counts: { ...none, "5xx": 2 } },
      { request_count: 7, status_counts: { ...none, "2xx": 7 } },
    ];
    expect(
      statusSeries(points as HttpTimelinePoint[]).map(({ label, color, values }) => [label, color, values]),
    ).toEqual([
      ["2xx", "ok", [0, 7]],
      ["5xx", "critical", [2, 0]],
    ]);
  });

  it("of requests begin with the first and end with the last that was received", () => {
    const points = [0, 3, 0, 2, 0].map((request_count) => ({ request_count })) as HttpTimelinePoint[];
    const { values } = httpSeries("n", "Requests", points, ({ request_count }) => request_count);
    expect(values).toEqual([null, 3, 0, 2, null]);
  });
});
