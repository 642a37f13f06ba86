import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lonePoints, type Values } from "#charts/model/series.ts";
import { drawnBuckets } from "./create-plot.ts";

const charts = fc.integer({ min: 1, max: 120 }).chain((length) =>
  fc.array(fc.array(fc.option(fc.nat(50)), { minLength: length, maxLength: length }), {
    minLength: 1,
    maxLength: 3,
  }),
);

const thin = (series: readonly Values[], columns: number) => {
  const length = series[0]!.length;
  return drawnBuckets(series, length, columns) ?? Array.from({ length }, (_, at) => at);
};

describe("the buckets that are drawn", () => {
  it("are all of them while each has half a column", () => {
    expect(drawnBuckets([[1, 2, 3, 4]], 4, 2)).toBeUndefined();
  });

  it("are the lowest and the highest of each column, and both ends", () => {
    expect(drawnBuckets([[3, 1, 9, 4, 5, 6, 2, 7, 7, 8]], 10, 2)).toEqual([0, 1, 2, 6, 9]);
  });

  it("keep gaps, and points between two of them", () => {
    expect(drawnBuckets([[1, 1, 1, null, null, 2, null, 3, 3, 3, 3, 3]], 12, 2)).toEqual([0, 3, 5, 6, 7, 11]);
  });

  it("include the first of a column whose beginning is a whole number that rounding would miss", () => {
    const values = Array.from({ length: 50 }, () => null as number | null);
    // Bucket 25 of 50 begins column 11 of 22.
    values.splice(23, 3, 1, 0, 0);
    expect(drawnBuckets([values], 50, 22)).toContain(25);
  });

  it("show the lowest and the highest value of every column of every series", () => {
    fc.assert(
      fc.property(charts, fc.integer({ min: 1, max: 40 }), (series, columns) => {
        const length = series[0]!.length;
        const drawn = thin(series, columns);
        const columnOf = (at: number) => Math.floor((at * columns) / length);
        for (const values of series) {
          for (let column = 0; column < columns; column++) {
            const inside = (at: number) => columnOf(at) === column && values[at] !== null;
            const all = values.flatMap((value, at) => (inside(at) ? [value!] : []));
            const shown = drawn.filter(inside).map((at) => values[at]!);
            expect([Math.min(...shown), Math.max(...shown)]).toEqual([Math.min(...all), Math.max(...all)]);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it("break the line wherever it is broken, and keep every lone point", () => {
    fc.assert(
      fc.property(charts, fc.integer({ min: 1, max: 40 }), (series, columns) => {
        const drawn = thin(series, columns);
        for (const values of series) {
          for (const [place, at] of drawn.entries()) {
            const next = drawn[place + 1];
            if (next === undefined || values[at] === null || values[next] === null) continue;
            expect(values.slice(at, next)).not.toContain(null);
          }
          const lone = lonePoints(values);
          expect(drawn).toEqual(expect.arrayContaining(lone));
        }
      }),
      { numRuns: 60 },
    );
  });

  it("are at most two for each column of a line without gaps", () => {
    const values = Array.from({ length: 10_080 }, (_, at) => Math.sin(at * at));
    const drawn = drawnBuckets([values], values.length, 560)!;
    expect(drawn.length).toBeLessThanOrEqual(2 * 560 + 2);
    expect(drawn.length).toBeGreaterThan(560);
  });
});
