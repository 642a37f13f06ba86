import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { expect, it } from "vitest";
import { hasFallen } from "./fall.ts";
import { NoiseMemory } from "./noise-memory.ts";
import { noUsualDay } from "./reference.ts";
import { emptySeries, toSeries } from "./series.ts";

const saturdayMs = 19 * dayMs;

/** A profile every five minutes; each Saturday in the list it falls from 100 to 60 over two hours, for two days. */
function observe(saturdays: readonly number[]) {
  const level = (ms: number) => {
    const since = ms - (saturdays.findLast((each) => ms >= each) ?? -Infinity);
    return since < 2 * dayMs ? 100 - 40 * Math.min(1, since / (2 * hourMs)) : 100;
  };
  const values = toSeries(
    Array.from({ length: (20 * dayMs) / (5 * minuteMs) }, (_, at): [number, number] => [
      at * 5 * minuteMs,
      level(at * 5 * minuteMs) * (1 + 0.02 * Math.sin(at * 2.399)),
    ]),
  );
  return {
    ...{ values, requests: emptySeries, siblings: [], riseMin: 0, releases: [], instances: [] },
    noise: new NoiseMemory(),
  };
}

/** It began with the weekend before, whose fall it hides. */
const open = {
  ...{ atMs: saturdayMs - 6 * dayMs, previous: 77, requests: undefined, usual: noUsualDay },
  ...{ beganMs: saturdayMs - 7 * dayMs, increase: 0.3 },
};

it("a fall that no week before knew is a rollback", () => {
  expect(hasFallen(observe([saturdayMs]), saturdayMs + 3 * hourMs, open)).toBe(true);
});

it("a weekend is none, although the regression hid the fall of the last one", () => {
  const observed = observe([saturdayMs - 14 * dayMs, saturdayMs]);
  expect(hasFallen(observed, saturdayMs + 3 * hourMs, open)).toBe(false);
});
