import { dayMs, hourMs } from "@flamekeep/contract/durations";
import { describe, expect, it } from "vitest";
import { automaticBucket, intervalMinutes } from "./buckets.ts";

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
