import { expect, it } from "vitest";
import { cellSeries, likelyIncreases, meanOf, toSeries } from "./series.ts";

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

it("says between which increases a rise of noisy values is likely, which nine of ten are", () => {
  const [baseline, window] = [
    { fromMs: 0, toMs: 60 },
    { fromMs: 60, toMs: 80 },
  ];
  const random = randomNumbers();
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let within = 0;
  for (let trial = 0; trial < 300; trial++) {
    const points = Array.from({ length: 80 }, (_, at): [number, number] => [
      at,
      Math.exp(0.2 * normal()) * (at < 60 ? 100 : 145),
    ]);
    const values = toSeries(points);
    const increase = meanOf(values, window).mean / meanOf(values, baseline).mean - 1;
    const range = likelyIncreases(values, { window, baseline, increase })!;
    if (range.from <= 0.45 && range.to >= 0.45) within++;
  }
  expect(within / 300).toBeGreaterThan(0.82);
  expect(within / 300).toBeLessThan(0.98);
  const few = toSeries([[70, 2]]);
  expect(likelyIncreases(few, { window, baseline, increase: 0.5 })).toBeUndefined();
});

/** Numbers from 0 to 1, the same each time (a linear congruential generator). */
function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
