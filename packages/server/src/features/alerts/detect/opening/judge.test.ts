import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { expect, it } from "vitest";
import { nextChange } from "#alerts/detect/next-change.ts";
import { toSeries } from "#alerts/detect/series/series.ts";
import { observedOf } from "#alerts/detect/testing/observed-of.ts";
import { isOfBursts } from "./judge.ts";

/** The first opening of the span; a profile each ten minutes. */
function openingOf(level: (ms: number) => number | undefined, fromMs: number, toMs: number) {
  const cells = Array.from({ length: toMs / (10 * minuteMs) }, (_, cell) => cell * 10 * minuteMs);
  const points = cells.flatMap((ms): [number, number][] => {
    const value = level(ms);
    return value === undefined ? [] : [[ms, value * Math.exp(0.05 * Math.sin((ms / minuteMs) ** 2))]];
  });
  return nextChange(observedOf(toSeries(points)), { fromMs, toMs }, undefined);
}

const weekend = (ms: number) => Math.floor(ms / dayMs) % 7 >= 5;
const toMs = 14 * dayMs + 6 * hourMs;
const isMonday = (ms: number, day: number) => ms >= day * dayMs && ms < day * dayMs + 10 * hourMs;

it("the end of a weekend is no rise after a Monday whose morning nobody saw, one twice as high is", () => {
  const level = (monday: number) => (ms: number) => {
    if (isMonday(ms, 7)) return undefined;
    return ms >= 14 * dayMs ? monday : weekend(ms) ? 0.83 : 1;
  };
  expect(openingOf(level(1), 14 * dayMs, toMs)).toBeUndefined();
  expect(openingOf(level(2), 14 * dayMs, toMs)).toMatchObject({ kind: "opened" });
});

it("bursts raise the mean of a long window, a new level its median too", () => {
  const values = (level: (hour: number) => number) =>
    toSeries(
      Array.from({ length: 96 * 6 }, (_, cell): [number, number] => [cell * 10 * minuteMs, level(cell / 6)]),
    );
  const evaluation = {
    baseline: { fromMs: 0, toMs: 3 * dayMs },
    window: { fromMs: 3 * dayMs, toMs: 4 * dayMs },
    factor: 1,
    previous: 1,
    current: 1.5,
    increase: 0.5,
    isSupported: true,
    perHour: undefined,
    beganMs: undefined,
  };
  const bursts = values((hour) => (hour >= 72 && hour % 6 < 1 ? 4 : 1));
  const step = values((hour) => (hour >= 72 ? 1.5 : 1));
  expect(isOfBursts(bursts, evaluation)).toBe(true);
  expect(isOfBursts(step, evaluation)).toBe(false);
  const short = { ...evaluation, window: { fromMs: 3 * dayMs, toMs: 3 * dayMs + 6 * hourMs } };
  expect(isOfBursts(bursts, short)).toBe(false);
});
