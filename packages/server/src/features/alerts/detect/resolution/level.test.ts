import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import { expect, it } from "vitest";
import { emptySeries, toSeries } from "#alerts/detect/series/series.ts";
import { noUsualDay } from "./reference.ts";
import { levelOf } from "./resolution.ts";

const openedMs = 10 * hourMs;
const baseline = { fromMs: 8 * hourMs, toMs: openedMs };
const open = { atMs: openedMs, previous: 100, requests: undefined, usual: noUsualDay, increase: 0.3 };

/** 100 before the alert, then 130, and 160 from an hour after it on. */
function profiles(everyMs = minuteMs) {
  const points: [number, number][] = [];
  for (let atMs = baseline.fromMs; atMs < 12 * hourMs; atMs += everyMs) {
    points.push([atMs, atMs < openedMs ? 100 : atMs < openedMs + hourMs ? 130 : 160]);
  }
  return { values: toSeries(points), requests: emptySeries };
}

it("the newest hour of an open alert is compared with the level before it", () => {
  const first = levelOf(profiles(), openedMs + hourMs, { open, baseline });
  expect(first?.increase).toBeCloseTo(0.3);
  const second = levelOf(profiles(), openedMs + 2 * hourMs, { open, baseline });
  expect(second).toMatchObject({ current: 160, previous: 100, factor: 1 });
  expect(second?.increase).toBeCloseTo(0.6);
});

it("there is no level in the first hour, with few profiles, and for some instances", () => {
  expect(levelOf(profiles(), openedMs + hourMs - 1, { open, baseline })).toBeUndefined();
  expect(levelOf(profiles(hourMs), openedMs + 2 * hourMs, { open, baseline })).toBeUndefined();
  const scope = { instances: ["a"], version: undefined, above: 0.5 };
  const ofInstances = { open: { ...open, scope }, baseline };
  expect(levelOf(profiles(), openedMs + 2 * hourMs, ofInstances)).toBeUndefined();
});
