import type { SeriesChart } from "@flamekeep/contract";
import { describe, expect, it } from "vitest";
import { bucketFor, joinBuckets, joinFactor } from "./buckets.ts";

const minute = 60_000;
const hour = 60 * minute;

function chartOf(
  counts: readonly number[],
  values: readonly (number | null)[] = counts.map((count) => (count === 0 ? null : count)),
  aggregation: "sum" | "mean" = "sum",
): SeriesChart {
  const line = {
    value: "",
    total: 0,
    profiles: 0,
    values: [...values],
    profile_counts: [...counts],
    durations_ms: counts.map((count) => count * 10_000),
  };
  return {
    type: "cpu",
    sample_types: ["cpu/nanoseconds"],
    sample_type: "cpu/nanoseconds",
    aggregation,
    lines: [line],
    other: null,
  };
}

describe("the width of a bucket", () => {
  it.each([
    [hour, "1m"],
    [4 * hour, "1m"],
    [8 * hour, "5m"],
    [24 * hour, "5m"],
    [168 * hour, "1h"],
    [720 * hour, "4h"],
    [90 * 24 * hour, "12h"],
    [366 * 24 * hour, "7d"],
    [3660 * 24 * hour, "30d"],
  ])("of %d ms is %s", (ms, width) => expect(bucketFor(ms)).toBe(width));
});

describe("sparse buckets", () => {
  const five = { fromMs: 0, widthMs: 5 * minute, count: 7 };

  it("are joined to the width in which profiles come", () => {
    expect(joinFactor(five, [chartOf([1, 0, 0, 1, 0, 0, 1])])).toBe(3);
    expect(joinFactor({ ...five, widthMs: minute }, [chartOf([1, 0, 0, 1, 0, 0, 1])])).toBe(5);
    expect(joinFactor(five, [chartOf([1, 1, 1, 0, 0, 0, 1])])).toBe(1);
    expect(joinFactor(five, [chartOf([0, 1, 0, 0])])).toBe(1);
    expect(joinFactor(five, [])).toBe(1);
  });

  it("keep exact sums and start on multiples of the new width", () => {
    const { buckets, charts } = joinBuckets(
      { fromMs: 10 * minute, widthMs: 5 * minute, count: 5 },
      [chartOf([1, 2, 0, 0, 3], [10, 20, null, null, 30])],
      3,
    );
    expect(buckets).toEqual({ fromMs: 0, widthMs: 15 * minute, count: 3 });
    expect(charts[0]?.lines[0]).toMatchObject({
      values: [10, 20, 30],
      profile_counts: [1, 2, 3],
      durations_ms: [10_000, 20_000, 30_000],
    });
  });

  it("weigh means by profiles", () => {
    const { charts } = joinBuckets({ ...five, count: 3 }, [chartOf([1, 3, 0], [10, 20, null], "mean")], 3);
    expect(charts[0]?.lines[0]?.values).toEqual([17.5]);
  });
});
