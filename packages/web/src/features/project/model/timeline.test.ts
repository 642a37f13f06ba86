import type { Timeline } from "@flamekeep/contract";
import { expect, it } from "vitest";
import { lastValue, timelineValues } from "./timeline.ts";

it("the last value is the last one that was measured", () => {
  expect([lastValue([1, 2, null]), lastValue([null])]).toEqual([2, null]);
});

it("the bucket that is not over has means, and no sums", () => {
  const point = { cpu_seconds: 2, memory_bytes: 100, goroutine_count: 7, mutex_usage: 1, block_usage: 3 };
  const timeline = {
    bucket: "15m",
    complete_to: "2026-11-20T10:15:00.000Z",
    data_points: ["2026-11-20T10:00:00.000Z", "2026-11-20T10:15:00.000Z"].map((timestamp) => ({
      ...point,
      timestamp,
    })),
  } as Timeline;
  expect(timelineValues(timeline, "cpu_seconds")).toEqual([2, null]);
  expect(timelineValues(timeline, "mutex_usage")).toEqual([1, null]);
  expect(timelineValues(timeline, "memory_bytes")).toEqual([100, 100]);
});
