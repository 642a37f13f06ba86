import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { expect, it } from "vitest";
import { toSeries } from "#alerts/detect/series/series.ts";
import { observedOf } from "#alerts/detect/testing/observed-of.ts";
import { fallThatEnds } from "./fall.ts";
import { noUsualDay } from "./reference.ts";

const saturdayMs = 19 * dayMs;

/** A profile every five minutes. */
function observe(level: (ms: number) => number) {
  const values = toSeries(
    Array.from({ length: (20 * dayMs) / (5 * minuteMs) }, (_, at): [number, number] => [
      at * 5 * minuteMs,
      level(at * 5 * minuteMs) * (1 + 0.02 * Math.sin(at * 2.399)),
    ]),
  );
  return observedOf(values);
}

/** Each Saturday in the list values fall from 100 to 60 over two hours, for two days. */
const weekends =
  (...saturdays: readonly number[]) =>
  (ms: number) => {
    const since = ms - (saturdays.findLast((each) => ms >= each) ?? -Infinity);
    return since < 2 * dayMs ? 100 - 40 * Math.min(1, since / (2 * hourMs)) : 100;
  };

/** It began with the weekend before, whose fall it hides. */
const open = {
  atMs: saturdayMs - 6 * dayMs,
  previous: 77,
  requests: undefined,
  usual: noUsualDay,
  beganMs: saturdayMs - 7 * dayMs,
  increase: 0.3,
};

it("a fall that no week before knew is a rollback", () => {
  expect(
    fallThatEnds(observe(weekends(saturdayMs)), saturdayMs + 3 * hourMs, open, 6 * hourMs),
  ).toBeDefined();
});

it("a weekend is none, although the regression hid the fall of the last one", () => {
  const observed = observe(weekends(saturdayMs - 14 * dayMs, saturdayMs));
  expect(fallThatEnds(observed, saturdayMs + 3 * hourMs, open, 6 * hourMs)).toBeUndefined();
});

it("a fall to a level above that of every week before is none", () => {
  const beganMs = saturdayMs - 2 * dayMs;
  const weekend = weekends(saturdayMs);
  const observed = observe((ms) =>
    ms < beganMs ? (ms % (7 * dayMs) < saturdayMs % (7 * dayMs) ? 100 : 45) : 1.34 * weekend(ms),
  );
  const since = { ...open, atMs: beganMs + hourMs, beganMs };
  expect(fallThatEnds(observed, saturdayMs + 3 * hourMs, since, 6 * hourMs)).toBeUndefined();
});
