import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import { expect, it } from "vitest";
import { type Series, toSeries } from "#alerts/detect/series/series.ts";
import { observedOf } from "#alerts/detect/testing/observed-of.ts";
import { judgeGrowthFromStart } from "./growth-from-start.ts";

/** Numbers in [-1, 1) that repeat after thousands. */
function wobble(index: number): number {
  const x = Math.sin(index * 12.9898) * 43_758.5453;
  return 2 * (x - Math.floor(x)) - 1;
}

function series(level: (hours: number) => number): Series {
  return toSeries(
    Array.from({ length: 10 * 60 }, (_, minute): [number, number] => [
      minute * minuteMs,
      level(minute / 60) * (1 + 0.05 * wobble(minute)),
    ]),
  );
}

const leak = series((hours) => 100 * 1.08 ** hours);
const judged = (values: Series, siblings: readonly Series[] = [], isGauge = true) =>
  judgeGrowthFromStart(observedOf(values, { siblings, isGauge }), 6 * hourMs);

it("a gauge that grows at one pace from its first profile on is a leak, with its growth", () => {
  const found = judged(leak);
  expect(found).toMatchObject({ isSupported: true, beganMs: 0 });
  expect(found!.perHour).toBeCloseTo(0.08, 2);
  expect(judged(series((hours) => 100 + 12 * hours))?.isSupported).toBe(true);
});

it("a start-up that levels off is none, nor is what most other types share, nor a rate", () => {
  expect(judged(series((hours) => 100 * (1 - 0.7 * Math.exp(-hours / 2))))).toBeUndefined();
  const busier = series((hours) => 50 * 1.1 ** hours);
  const flat = series(() => 50);
  expect(judged(leak, [busier, busier, flat])).toBeUndefined();
  expect(judged(leak, [flat, flat, busier])?.isSupported).toBe(true);
  expect(judged(leak, [], false)).toBeUndefined();
});
