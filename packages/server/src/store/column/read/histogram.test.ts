import { describe, expect, it } from "vitest";
import { binOf, quantileOf } from "./histogram.ts";

function histogramOf(values: readonly number[]) {
  return { bins: values.map(binOf), binProfiles: values.map(() => 1) };
}

describe("a percentile from histograms", () => {
  it("is within 1% of the exact percentile, over eleven orders of magnitude", () => {
    for (let exponent = -3; exponent < 8; exponent++) {
      const values = Array.from({ length: 997 }, (_, index) => 10 ** exponent * (1 + ((index * 7919) % 997)));
      const ordered = values.toSorted((a, b) => a - b);
      const halves = [histogramOf(values.slice(0, 400)), histogramOf(values.slice(400))];
      for (const quantile of [0.01, 0.5, 0.9, 0.95]) {
        const exact = ordered[Math.ceil(quantile * values.length) - 1]!;
        const error = Math.abs(quantileOf(halves, quantile, ordered.at(-1)!) / exact - 1);
        expect([exponent, quantile, error < 0.01]).toEqual([exponent, quantile, true]);
      }
    }
  });

  it("is the exact maximum if the percentile falls into the highest bin", () => {
    expect(quantileOf([histogramOf([12.345])], 0.95, 12.345)).toBe(12.345);
    expect(quantileOf([histogramOf([1, 2, 700])], 0.95, 700)).toBe(700);
  });

  it("handles zero and repeated values", () => {
    expect(quantileOf([histogramOf([0, 0, 0, 5])], 0.5, 5)).toBe(0);
    expect(quantileOf([histogramOf([0])], 0.95, 0)).toBe(0);
    expect(quantileOf([{ bins: [binOf(100), binOf(900)], binProfiles: [96, 4] }], 0.95, 900)).toBeCloseTo(
      100,
      -1,
    );
  });
});
