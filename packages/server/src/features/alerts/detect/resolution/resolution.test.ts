import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { expect, it } from "vitest";
import { toSeries } from "#alerts/detect/series/series.ts";
import { observedOf } from "#alerts/detect/testing/observed-of.ts";
import { noUsualDay } from "./reference.ts";
import { growthBefore } from "./resolution.ts";

const risesMs = 9 * dayMs;
const everyMs = 5 * minuteMs;

/** A profile every five minutes for ten days, at 100 until the rise. */
function observe(risen: (hours: number) => number) {
  const values = toSeries(
    Array.from({ length: (10 * dayMs) / everyMs }, (_, at): [number, number] => {
      const ms = at * everyMs;
      const level = ms < risesMs ? 100 : risen((ms - risesMs) / hourMs);
      return [ms, level * (1 + 0.02 * Math.sin(at * 2.399))];
    }),
  );
  return observedOf(values);
}

/** It opened as a step of 18%. */
const open = {
  atMs: risesMs + 6 * hourMs,
  previous: 100,
  requests: undefined,
  usual: noUsualDay,
  beganMs: risesMs + 3 * hourMs,
  increase: 0.18,
};

it("a leak that opened as a step grew until the restart", () => {
  const observed = observe((hours) => 100 * 1.03 ** (hours % 12));
  expect(growthBefore(observed, open, risesMs + 12 * hourMs)).toBeCloseTo(0.03, 2);
});

it("growth after an earlier restart is measured since then", () => {
  const observed = observe((hours) => 100 * 1.05 ** (hours % 8));
  expect(growthBefore(observed, open, risesMs + 16 * hourMs)).toBeCloseTo(0.05, 2);
});

it("a step did not grow", () => {
  const observed = observe((hours) => (hours < 2 || hours >= 12 ? 100 : 130));
  expect(growthBefore(observed, open, risesMs + 12 * hourMs)).toBeUndefined();
});
