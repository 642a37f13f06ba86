import fc from "fast-check";
import { expect, it } from "vitest";
import { ascending, medianOf, quantile, selectQuantile } from "./statistics.ts";

it("selects the quantile that sorting gives", () => {
  const values = fc.array(
    fc.oneof(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), fc.integer({ min: 0, max: 3 })),
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
