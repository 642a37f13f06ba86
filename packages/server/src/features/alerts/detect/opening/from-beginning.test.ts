import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import { expect, it } from "vitest";
import { toSeries } from "#alerts/detect/series/series.ts";
import { observedOf } from "#alerts/detect/testing/observed-of.ts";
import { judgeFirstDays } from "./first-days.ts";
import { fromBeginning } from "./from-beginning.ts";
import { beginningIn } from "./onset.ts";

const startMs = Date.UTC(2026, 10, 1);
const changeMs = startMs + 8 * hourMs;

/** A profile every quarter of an hour for nearly twelve hours, and what an alert at their end says. */
function shownOf(level: (sinceMs: number) => number) {
  const points = Array.from({ length: 47 }, (_, index): [number, number] => {
    const ms = startMs + index * 15 * minuteMs;
    return [ms, level(ms - changeMs) + (index % 3)];
  });
  const observed = observedOf(toSeries(points), { isGauge: true });
  const evaluation = judgeFirstDays(observed, startMs + 11.7 * hourMs)!;
  const began = beginningIn(observed, evaluation)!;
  return {
    began,
    evaluation,
    shown: fromBeginning(observed, evaluation, began.atMs),
    last: points.at(-1)![1],
  };
}

it("does not count profiles from before the rise", () => {
  const { began, evaluation, shown } = shownOf((sinceMs) => (sinceMs < 0 ? 50 : 100));
  expect(evaluation.window.fromMs).toBeLessThan(began.atMs);
  expect(shown.window).toEqual({ fromMs: began.atMs, toMs: evaluation.window.toMs });
  expect(evaluation.current).toBeLessThan(98);
  expect(shown.current).toBeCloseTo(101, 0);
  expect(shown.increase).toBeCloseTo(shown.current / shown.previous - 1, 9);
});

it("has the value at the end of growth, as a leak has", () => {
  const { began, evaluation, shown, last } = shownOf((sinceMs) => 55 + Math.max(0, (100 * sinceMs) / hourMs));
  expect(evaluation.current).toBeLessThan(last / 1.5);
  expect(shown.current / last).toBeCloseTo(1, 1);
  expect(shown.window.fromMs).toBeGreaterThanOrEqual(began.atMs);
  // The functions of all profiles since then grew by the mean.
  expect(shown.means!.current).toBeLessThan(last / 1.5);
});

it("leaves a window alone that begins later, and one whose beginning is not known", () => {
  const { evaluation } = shownOf((sinceMs) => (sinceMs < 0 ? 50 : 100));
  const observed = observedOf(toSeries([]));
  expect(fromBeginning(observed, evaluation, undefined)).toBe(evaluation);
  const before = evaluation.window.fromMs - hourMs;
  expect(fromBeginning(observed, { ...evaluation, perHour: 0.1 }, before).window).toEqual(evaluation.window);
});
