import { expect, it } from "vitest";
import { cellSeries, meanOf } from "./series.ts";

it("takes cells in any order", () => {
  const series = cellSeries({
    at: [20, 0, 30, 10],
    count: [1, 2, 3, 4],
    sum: [3, 10, 12, 40],
    logSum: [1, 2, 3, 4],
  });
  expect([...series.atMs]).toEqual([0, 10, 20, 30]);
  expect(meanOf(series, { fromMs: 0, toMs: 20 })).toEqual({ count: 6, mean: 50 / 6, logMean: 1 });
  expect(meanOf(series, { fromMs: 20, toMs: 40 })).toEqual({ count: 4, mean: 15 / 4, logMean: 1 });
});
