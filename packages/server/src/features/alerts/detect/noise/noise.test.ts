import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { describe, expect, it } from "vitest";
import { nextChange } from "#alerts/detect/next-change.ts";
import { scales } from "#alerts/detect/series/scales.ts";
import { emptySeries, type Series, toSeries } from "#alerts/detect/series/series.ts";
import { observedOf } from "#alerts/detect/testing/observed-of.ts";
import { learnNoise, type Noise } from "./noise.ts";

/** Numbers in [-1, 1) that repeat after thousands. */
function wobble(index: number): number {
  const x = Math.sin(index * 12.9898) * 43_758.5453;
  return 2 * (x - Math.floor(x)) - 1;
}

function series(days: number, level: (ms: number) => number, noise: number): Series {
  const minutes = (days * dayMs) / minuteMs;
  return toSeries(
    Array.from({ length: minutes }, (_, minute): [number, number] => {
      const ms = minute * minuteMs;
      return [ms, level(ms) * (1 + noise * wobble(minute))];
    }),
  );
}

function opening(values: Series, days: number) {
  const observed = observedOf(values);
  const change = nextChange(observed, { fromMs: 9 * dayMs, toMs: days * dayMs }, undefined);
  return change?.kind === "opened" ? change : undefined;
}

const shortest = (noise: Noise) => noise.byScale.get(scales[0]!)?.threshold ?? Number.NaN;

describe("the noise of a series", () => {
  it("is larger for a noisy series, and learnt from four days", () => {
    const learnt = (noise: number, days = 9) =>
      learnNoise(
        series(days, () => 1, noise),
        emptySeries,
        [],
        days * dayMs,
      );
    expect(shortest(learnt(0.1))).toBeLessThan(0.15);
    expect(shortest(learnt(0.5))).toBeGreaterThan(0.4);
    expect(learnt(0.1, 3).byScale.size).toBe(0);
  });

  it("includes a spike that came on two days, and not what happened once", () => {
    const spikes = (onDays: readonly number[]) => (ms: number) =>
      onDays.includes(Math.floor(ms / dayMs)) && ms % dayMs < hourMs ? 2 : 1;
    const learnt = (onDays: readonly number[]) =>
      shortest(learnNoise(series(12, spikes(onDays), 0.1), emptySeries, [], 12 * dayMs));
    expect(learnt([3, 7])).toBeGreaterThan(Math.log(2));
    expect(learnt([3])).toBeLessThan(0.25);
  });

  it("leaves out what the hour of the day explains", () => {
    const day = (ms: number) => 1 + 0.5 * Math.sin((2 * Math.PI * ms) / dayMs);
    const noise = learnNoise(series(14, day, 0.1), emptySeries, [], 14 * dayMs);
    const { season, threshold } = noise.byScale.get(scales[3]!)!;
    expect(season).not.toBe("none");
    expect(threshold).toBeLessThan(0.15);
  });
});

describe("a series whose noise is learnt", () => {
  const startMs = 9.5 * dayMs;

  it("has the size of a step in the first message, soon after it", () => {
    const found = opening(
      series(10, (ms) => (ms < startMs ? 1 : 1.5), 0.1),
      10,
    );
    expect(found!.atMs - startMs).toBeLessThanOrEqual(15 * minuteMs);
    expect(found!.evaluation.increase).toBeCloseTo(0.5, 1);
    expect(Math.abs(found!.evaluation.beganMs! - startMs)).toBeLessThanOrEqual(2 * minuteMs);
    expect(found!.evaluation.perHour).toBeUndefined();
  });

  it("needs a larger step where it is noisy", () => {
    const values = (noise: number) => series(10, (ms) => (ms < startMs ? 1 : 1.2), noise);
    expect(opening(values(0.1), 10)).toBeDefined();
    expect(opening(values(0.9), 9.52)).toBeUndefined();
  });

  it("is found while it leaks, as growth an hour", () => {
    const leak = (ms: number) => (ms < startMs ? 1 : 1.04 ** ((ms - startMs) / hourMs));
    const found = opening(series(11, leak, 0.05), 11);
    expect(found!.atMs - startMs).toBeLessThan(17 * hourMs);
    expect(found!.evaluation.perHour).toBeCloseTo(0.04, 2);
    const truth = leak(found!.atMs) - 1;
    expect(Math.abs(found!.evaluation.increase / truth - 1)).toBeLessThan(0.1);
    expect(found!.evaluation.means!.current).toBeLessThan(found!.evaluation.current);
  });
});
