import { minuteMs } from "@flamekeep/contract/durations";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Series, toSeries } from "#alerts/detect/series/series.ts";
import { observedOf } from "#alerts/detect/testing/observed-of.ts";
import { beginningIn, onsetOf } from "./onset.ts";

const compared = {
  baseline: { fromMs: 0, toMs: 30 * minuteMs },
  window: { fromMs: 30 * minuteMs, toMs: 60 * minuteMs },
  previous: 10,
  current: 14,
  beganMs: undefined,
};

/** One value a minute. */
function onsetIn(values: readonly number[], current = compared.current): number | undefined {
  const series = toSeries(values.map((value, minute) => [minute * minuteMs, value]));
  const onset = onsetOf(series, { ...compared, current });
  return onset && onset.atMs / minuteMs;
}

const minutes = (levelAt: (minute: number) => number) =>
  Array.from({ length: 60 }, (_, minute) => levelAt(minute));

/** Repeats after five minutes; between 0.8 and 1.2. */
const noise = (minute: number) => 0.8 + 0.1 * ((minute * 3) % 5);

describe("the onset of a rise", () => {
  it("is the first profile of a step, in the window or before it", () => {
    expect(
      onsetIn(
        minutes((minute) => (minute < 42 ? 10 : 20)),
        20,
      ),
    ).toBe(42);
    expect(
      onsetIn(
        minutes((minute) => (minute < 23 ? 10 : 20)),
        20,
      ),
    ).toBe(23);
  });

  it("is found among the profiles of hundreds of instances", () => {
    const level = (minute: number) => (minute < 42 ? 10 : 20);
    const perMinute = 4000;
    const many = minutes(level).flatMap((value, minute) =>
      Array.from({ length: perMinute }, (_, at): [number, number] => [
        (minute + at / perMinute) * minuteMs,
        value,
      ]),
    );
    expect(onsetOf(toSeries(many), { ...compared, current: 20 })?.atMs).toBe(42 * minuteMs);
  });

  it("is where growth begins, not where it leaves what was usual", () => {
    expect(
      onsetIn(
        minutes((minute) => (minute < 28 ? 10 : 10 + (minute - 28) / 4)),
        15,
      ),
    ).toBe(28);
  });

  it("is not a profile just before the rise that is as high as others were", () => {
    const before = (minute: number) => (minute % 6 === 5 ? 11.5 : 10);
    expect(
      onsetIn(
        minutes((minute) => (minute < 42 ? before(minute) : 16)),
        16,
      ),
    ).toBe(42);
  });

  it("is found through noise, whether single profiles are above before it or below after it", () => {
    expect(onsetIn(minutes((minute) => (minute < 42 ? 10 : 14) * noise(minute)))).toBe(42);
    expect(onsetIn(minutes((minute) => (minute === 5 ? 900 : minute < 42 ? 10 : 14)))).toBe(42);
    expect(onsetIn(minutes((minute) => (minute === 50 ? 1 : minute < 42 ? 10 : 14)))).toBe(42);
  });

  it("is not known if values were as high from the first profile on, or fell again", () => {
    expect(onsetIn(minutes(() => 14))).toBeUndefined();
    expect(onsetIn(minutes((minute) => (minute < 30 ? 14 : 10)))).toBeUndefined();
    expect(onsetIn([])).toBeUndefined();
  });

  it("ignores profiles outside of the two ranges that were compared", () => {
    const before = [-minuteMs, 50] as const;
    const after = [60 * minuteMs, 1] as const;
    const inside = minutes((minute) => (minute < 42 ? 10 : 20)).map(
      (value, minute) => [minute * minuteMs, value] as const,
    );
    expect(onsetOf(toSeries([before, ...inside, after]), compared)).toMatchObject({
      atMs: 42 * minuteMs,
      earliestMs: 41 * minuteMs,
      latestMs: 42 * minuteMs,
      gapMs: minuteMs,
    });
  });
});

describe("the error of an onset", () => {
  /** Values of a day with an onset at a random time of its second half, one every few minutes, with gaps. */
  const series = fc
    .record({
      onset: fc.integer({ min: 720, max: 1380 }),
      every: fc.constantFrom(1, 5, 10, 15),
      rise: fc.double({ min: 0.5, max: 3, noNaN: true }),
      shape: fc.constantFrom("step", "growth"),
      noise: fc.double({ min: 0, max: 0.12, noNaN: true }),
      gaps: fc.array(fc.integer({ min: 0, max: 1380 }), { maxLength: 3 }),
      random: fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1440, maxLength: 1440 }),
    })
    .map(({ onset, every, rise, shape, noise, gaps, random }) => {
      const times = Array.from({ length: 1440 / every }, (_, index) => index * every).filter(
        (minute) => !gaps.some((from) => minute >= from && minute < from + 40),
      );
      const level = (minute: number) =>
        minute < onset ? 0 : shape === "step" ? rise : (2 * rise * (minute - onset)) / (1440 - onset);
      const points = times.map((minute): [number, number] => [
        minute * minuteMs,
        100 * (1 + level(minute)) * (1 + noise * random[minute]!),
      ]);
      return { onset, every, rise, points };
    });

  it("has the true time of steps and growth, through noise and gaps", () => {
    let [inside, all] = [0, 0];
    fc.assert(
      fc.property(series, ({ onset, rise, points }) => {
        const found = onsetOf(toSeries(points), {
          baseline: { fromMs: 0, toMs: (onset - 30) * minuteMs },
          window: { fromMs: onset * minuteMs, toMs: 1440 * minuteMs },
          previous: 100,
          current: 100 * (1 + rise),
          beganMs: undefined,
        });
        all++;
        expect(found).toBeDefined();
        const { atMs, earliestMs, latestMs, gapMs } = found!;
        expect(earliestMs).toBeLessThan(atMs);
        expect(latestMs).toBeGreaterThanOrEqual(atMs);
        if (earliestMs <= onset * minuteMs && latestMs + gapMs >= onset * minuteMs) inside++;
      }),
    );
    expect(inside / all).toBeGreaterThan(0.9);
  });

  it("is small for a clear step, and wide for slow growth under noise", () => {
    const times = Array.from({ length: 120 }, (_, index) => index);
    const of = (level: (minute: number) => number) =>
      onsetOf(toSeries(times.map((minute) => [minute * minuteMs, level(minute)])), {
        baseline: { fromMs: 0, toMs: 60 * minuteMs },
        window: { fromMs: 60 * minuteMs, toMs: 120 * minuteMs },
        previous: 10,
        current: 14,
        beganMs: undefined,
      })!;
    const step = of((minute) => (minute < 70 ? 10 : 14) * noise(minute));
    expect([70, 71]).toContain(step.atMs / minuteMs);
    expect(step.latestMs - step.earliestMs).toBeLessThanOrEqual(2 * minuteMs);
    const growth = of((minute) => (10 + Math.max(0, minute - 50) * 0.06) * noise(minute));
    expect(growth.latestMs - growth.earliestMs).toBeGreaterThan(10 * minuteMs);
  });
});

describe("the onset of some instances", () => {
  const cells = (from: number, to: number, level: (minute: number) => number) =>
    toSeries(
      Array.from({ length: (to - from) / 10 }, (_, index): [number, number] => {
        const minute = from + index * 10;
        return [minute * minuteMs, level(minute)];
      }),
    );
  const others = Array.from({ length: 9 }, (_, index) => ({
    name: `pod-${index}`,
    version: "v1",
    values: cells(0, 240, () => 10),
  }));
  const evaluation = {
    baseline: { fromMs: 0, toMs: 120 * minuteMs },
    window: { fromMs: 120 * minuteMs, toMs: 240 * minuteMs },
    previous: 10,
    current: 20,
    beganMs: 120 * minuteMs,
    scope: { instances: ["canary"], version: "v2", above: 0.7 },
  };
  const onset = (...own: { name: string; version: string; values: Series }[]) =>
    beginningIn(
      observedOf(
        cells(0, 240, (minute) => (minute < 60 ? 10 : 11)),
        { instances: [...others, ...own] },
      ),
      evaluation,
    )!.atMs / minuteMs;

  it("is the time when they rose, not the others, also across their change of version", () => {
    expect(
      onset(
        { name: "canary", version: "v1", values: cells(0, 150, () => 10) },
        { name: "canary", version: "v2", values: cells(150, 240, () => 20) },
      ),
    ).toBe(150);
  });

  it("is the first profile of a new instance", () => {
    expect(onset({ name: "canary", version: "v2", values: cells(170, 240, () => 20) })).toBe(170);
  });
});
