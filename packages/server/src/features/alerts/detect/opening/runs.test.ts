import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { expect, it } from "vitest";
import { toSeries } from "#alerts/detect/series/series.ts";
import { observedOf } from "#alerts/detect/testing/observed-of.ts";
import { judgeRun } from "./runs.ts";

const nights = 6;
const startMs = (night: number) => night * dayMs + 2 * hourMs;

/** Runs of three hours, a profile a minute; the last one costs so much more. */
function nightly(factor: number, hours = 3) {
  const points: [number, number][] = [];
  for (let night = 0; night < nights; night++)
    for (let minute = 0; minute < hours * 60; minute++) {
      // The beginning of a run costs less than its end.
      const level = 100 * (1 + minute / 200) * (night === nights - 1 ? factor : 1);
      points.push([
        startMs(night) + minute * minuteMs,
        level * (1 + 0.05 * Math.sin(minute * 2.399 + night)),
      ]);
    }
  return observedOf(toSeries(points));
}

const newest = startMs(nights - 1);

it("a run is worse than the same part of earlier runs", () => {
  const found = judgeRun(nightly(1.5), newest + 30 * minuteMs);
  expect(found).toMatchObject({ isSupported: true, beganMs: newest });
  expect(found!.increase).toBeCloseTo(0.5, 1);
  expect(found!.baseline).toEqual({ fromMs: startMs(nights - 2), toMs: startMs(nights - 2) + 30 * minuteMs });
});

it("a run like those before is none, and neither is a service that runs all day or has run twice", () => {
  expect(judgeRun(nightly(1), newest + 30 * minuteMs)?.isSupported).toBe(false);
  expect(judgeRun(nightly(1.5, 24), newest + 30 * minuteMs)).toBeUndefined();
  expect(judgeRun(nightly(1.5, 14), newest + 30 * minuteMs)).toBeUndefined();
  expect(judgeRun(nightly(1.5), startMs(2) + 30 * minuteMs)).toBeUndefined();
});

/** Runs of two hours at one level, the last one longer. */
function lasting(hours: number, { usual = 2, isGauge = false } = {}) {
  const points: [number, number][] = [];
  for (let night = 0; night < nights; night++)
    for (let minute = 0; minute < (night === nights - 1 ? hours : usual) * 60; minute++)
      points.push([startMs(night) + minute * minuteMs, 100 * (1 + 0.05 * Math.sin(minute * 2.399 + night))]);
  return { ...observedOf(toSeries(points)), isGauge };
}

it("a run that takes twice as long is found while it goes on, with what the others used in its time", () => {
  const at = (hours: number) => judgeRun(lasting(6), newest + hours * hourMs);
  expect(at(3.9)?.isSupported).toBe(false);
  const found = at(4.5);
  expect(found).toMatchObject({
    isSupported: true,
    beganMs: newest,
    baseline: { fromMs: startMs(nights - 2) },
  });
  expect(found!.increase).toBeCloseTo(1.08, 1);
  expect(found!.run!.usualMs / hourMs).toBeCloseTo(2.15, 1);
  expect(found!.run!.lastsMs / hourMs).toBeCloseTo(4.5, 1);
});

it("a run that is over, somewhat longer or of a gauge is no long one", () => {
  expect(judgeRun(lasting(3), newest + 4.5 * hourMs)?.isSupported).toBe(false);
  expect(judgeRun(lasting(6, { isGauge: true }), newest + 5 * hourMs)?.isSupported).toBe(false);
  expect(judgeRun(lasting(0.7, { usual: 0.3 }), newest + 0.6 * hourMs)?.isSupported).toBe(false);
});

it("runs at other times of the day, and single profiles, are no runs of one job", () => {
  const points = (starts: readonly number[], profiles: number) =>
    starts.flatMap((startHour, day) =>
      Array.from({ length: day === starts.length - 1 ? 120 : profiles }, (_, minute): [number, number] => [
        day * dayMs + startHour * hourMs + minute * minuteMs,
        100,
      ]),
    );
  const at = 3 * dayMs + 11 * hourMs;
  const judged = (starts: readonly number[], profiles: number) =>
    judgeRun(observedOf(toSeries(points(starts, profiles))), at)?.isSupported ?? false;
  expect(judged([9, 9, 9, 9], 20)).toBe(true);
  expect(judged([1, 14, 5, 9], 20)).toBe(false);
  expect(judged([9, 9, 9, 9], 1)).toBe(false);
});
