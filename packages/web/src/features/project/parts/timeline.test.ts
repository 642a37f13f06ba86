import type { Timeline } from "@flamekeep/contract";
import { dayMs, hourMs } from "@flamekeep/contract/durations";
import { describe, expect, it } from "vitest";
import {
  automaticBucket,
  coresValues,
  intervalMinutes,
  lastValue,
  overDays,
  projectTitle,
  rangeBadge,
  timelineValues,
} from "./timeline.ts";

it("the last value is the last one that was measured", () => {
  expect([lastValue([1, 2, null]), lastValue([null])]).toEqual([2, null]);
});

it("buckets that are not over, or begin before the range, have means and no sums", () => {
  const point = {
    cpu_seconds: 2,
    avg_cpu_percent: 64.3,
    memory_bytes: 100,
    goroutine_count: 7,
    mutex_usage: 1,
    block_usage: 3,
  };
  const timeline = {
    bucket: "15m",
    complete_from: "2026-11-20T10:00:00.000Z",
    complete_to: "2026-11-20T10:15:00.000Z",
    data_points: ["09:45", "10:00", "10:15"].map((time) => ({
      ...point,
      timestamp: `2026-11-20T${time}:00.000Z`,
    })),
  } as Timeline;
  expect(timelineValues(timeline, "cpu_seconds")).toEqual([null, 2, null]);
  expect(timelineValues(timeline, "mutex_usage")).toEqual([null, 1, null]);
  expect(coresValues(timeline)).toEqual([0.643, 0.643, 0.643]);
  expect(timelineValues(timeline, "memory_bytes")).toEqual([100, 100, 100]);
});

describe("times", () => {
  it.each([
    [hourMs, "1m"],
    [8 * hourMs, "5m"],
    [dayMs, "15m"],
    [7 * dayMs, "1h"],
    [30 * dayMs, "4h"],
  ])("of %d ms have points of %s", (rangeMs, bucket) => expect(automaticBucket(rangeMs)).toBe(bucket));

  it("of HTTP metrics have the interval of the bucket, else 5 minutes", () => {
    expect(["1m", "15m", "1h", "4h", "2w"].map(intervalMinutes)).toEqual([1, 15, 60, 240, 5]);
  });
});

it("a project is titled by its id, one service by a name", () => {
  expect(["checkout", "example-service"].map(projectTitle)).toEqual(["checkout", "Example Service"]);
});

describe("times", () => {
  it.each([
    ["1h", "Last 1 Hour"],
    ["24h", "Last 24 Hours"],
    ["168h", "Last 7 Days"],
    ["720h", "Last 30 Days"],
    ["36h", "Last 1.5 Days"],
    ["2026-11-20T10:00:00Z", undefined],
  ])("from %s are labelled %s", (from, text) => expect(rangeBadge(from)).toBe(text));

  it.each([
    [5, "Over 5 days"],
    [1, "Over 1 day"],
    [0.5, "Over 12 hours"],
    [0.01, "Over less than an hour"],
  ])("of profiles over %d days read %s", (days, text) => expect(overDays(days)).toBe(text));
});
