import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ascending, medianOf, quantile, rankTest, selectQuantile } from "./statistics.ts";

it("selects the quantile that sorting gives", () => {
  const values = fc.array(
    // Sorting does not tell 0 from -0, and which of them comes first is no matter.
    fc.oneof(
      fc.double({ noNaN: true, min: -1e6, max: 1e6 }).map((value) => value + 0),
      fc.integer({ min: 0, max: 3 }),
    ),
    {
      minLength: 1,
      maxLength: 60,
    },
  );
  fc.assert(
    fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (all, share) => {
      expect(selectQuantile(Float64Array.from(all), share)).toBe(quantile(all.toSorted(ascending), share));
    }),
  );
});

it("has no median of no values, and leaves its input as it was", () => {
  expect(medianOf([])).toBeNaN();
  const values = [3, 1, 2];
  expect(medianOf(values)).toBe(2);
  expect(values).toEqual([3, 1, 2]);
});

describe("the rank test", () => {
  /** By hand: U, its mean and its variance with ties as in the formula, and a table of the normal distribution. */
  it.each([
    { later: [7, 8, 9, 10, 11, 12], earlier: [1, 2, 3, 4, 5, 6], p: 0.002536 },
    { later: [6, 8, 9, 10, 11, 12], earlier: [1, 2, 3, 4, 5, 7], p: 0.004111 },
    { later: [1, 2, 3, 4, 5, 6], earlier: [7, 8, 9, 10, 11, 12], p: 0.9984 },
    { later: [3, 3, 4, 4, 5, 5], earlier: [2, 3, 3, 4, 4, 4], p: 0.1352 },
  ])("gives $p for $later over $earlier", ({ later, earlier, p }) => {
    expect(rankTest(later, earlier)).toBeCloseTo(p, 3);
  });

  it("finds nothing in equal values or in no values", () => {
    expect(rankTest([5, 5, 5], [5, 5, 5])).toBe(1);
    expect(rankTest([], [1])).toBe(1);
  });

  it("is not affected by the size of an outlier", () => {
    const earlier = [1, 2, 3, 4, 5, 6];
    expect(rankTest([2.5, 3.5, 4.5, 5.5, 6.5, 7], earlier)).toBe(
      rankTest([2.5, 3.5, 4.5, 5.5, 6.5, 7e9], earlier),
    );
  });
});
