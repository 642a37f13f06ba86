import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  comparableEnds,
  hasFallen,
  heldHours,
  isSuspect,
  type ServiceHours,
  shiftOf,
} from "./function-shift.ts";

const days = 6;
const hours = 24 * days;
const samples = 30_000;

/** Numbers in [-1, 1) that repeat after thousands; others for each seed. */
function wobble(index: number, seed: number): number {
  const x = Math.sin(index * 12.9898 + seed * 78.233) * 43_758.5453;
  return 2 * (x - Math.floor(x)) - 1;
}

interface Course {
  readonly share: (hour: number) => number;
  readonly load?: (hour: number) => number;
  readonly noise?: number;
  readonly seed?: number;
  readonly length?: number;
}

const wave = (hour: number) => 1 + 0.6 * Math.sin((2 * Math.PI * hour) / 24);

function courseOf({ share, load = wave, noise = 0.05, seed = 1, length = hours }: Course) {
  const level = Float64Array.from({ length }, (_, hour) => load(hour));
  const totals = level.map((each) => each * samples);
  const values = totals.map((total, hour) => total * share(hour) * (1 + noise * wobble(hour, seed)));
  const service: ServiceHours = { level, totals, sample: 1, riseMin: 0 };
  return { values, service };
}

function judge(course: Course) {
  const { values, service } = courseOf(course);
  return shiftOf(values, service, comparableEnds(service.level));
}

/** A part of the service that is larger by the factor in the last hours. */
const risen = (share: number, factor: number, lastHours: number) => (hour: number) =>
  hour >= hours - lastHours ? share * factor : share;

const shares = fc.double({ min: 0.02, max: 0.3, noNaN: true });
const seeds = fc.integer({ min: 1, max: 1000 });

describe("a function that doubles at a constant whole", () => {
  it("is found after three hours and not before, with both parts and its first hour", () => {
    fc.assert(
      fc.property(shares, seeds, fc.integer({ min: 1, max: 12 }), (share, seed, lastHours) => {
        const shift = judge({ share: risen(share, 2, lastHours), seed });
        expect(shift !== undefined).toBe(lastHours >= heldHours);
        if (shift === undefined) return;
        expect(shift.before / share).toBeCloseTo(1, 1);
        expect(shift.after / share / 2).toBeCloseTo(1, 1);
        expect(shift.began).toBe(hours - lastHours);
      }),
    );
  });

  it("is found at any hour of the day", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 23 }), seeds, (shift, seed) => {
        expect(judge({ share: risen(0.1, 2, 4), load: (hour) => wave(hour + shift), seed })).toBeDefined();
      }),
    );
  });

  it("does not exceed noise that is as large", () => {
    expect(judge({ share: risen(0.1, 2, 4), noise: 0.1 })).toBeDefined();
    expect(judge({ share: risen(0.1, 2, 4), noise: 0.9 })).toBeUndefined();
  });

  it("needs enough samples", () => {
    const { values, service } = courseOf({ share: risen(0.1, 2, 4) });
    const ends = comparableEnds(service.level);
    expect(shiftOf(values, { ...service, sample: 10 }, ends)).toBeDefined();
    expect(shiftOf(values, { ...service, sample: 1000 }, ends)).toBeUndefined();
  });
});

describe("no rise is", () => {
  it("any course of the load, at a constant part", () => {
    const loads = fc.array(fc.double({ min: 0.1, max: 10, noNaN: true }), {
      minLength: hours,
      maxLength: hours,
    });
    fc.assert(
      fc.property(loads, shares, seeds, (load, share, seed) => {
        expect(judge({ share: () => share, load: (hour) => load[hour]!, seed })).toBeUndefined();
      }),
    );
  });

  it("a part that is larger because the rest does less, nor a value that grows with the whole", () => {
    const isLast = (hour: number) => hour >= hours - 4;
    const constant = (hour: number) => (isLast(hour) ? 0.2 : 0.1);
    expect(judge({ share: constant, load: (hour) => (isLast(hour) ? 0.5 : 1) })).toBeUndefined();
    expect(judge({ share: () => 0.1, load: (hour) => (isLast(hour) ? 2 : 1) })).toBeUndefined();
  });

  it("a new function, a small one, or one below the smallest rise", () => {
    expect(judge({ share: (hour) => (hour >= hours - 4 ? 0.2 : 0.001) })).toBeUndefined();
    expect(judge({ share: risen(0.005, 2, 4) })).toBeUndefined();
    const { values, service } = courseOf({ share: risen(0.1, 2, 4), load: () => 1 });
    const ends = comparableEnds(service.level);
    expect(shiftOf(values, { ...service, riseMin: 0.09 }, ends)).toBeDefined();
    expect(shiftOf(values, { ...service, riseMin: 0.11 }, ends)).toBeUndefined();
  });

  it("what came on two days before, or at this time of this weekday", () => {
    const nightly = (hour: number) => (hour % 24 >= 20 ? 0.2 : 0.1);
    expect(judge({ share: nightly })).toBeUndefined();
    const week = 7 * 24;
    const weekly = (hour: number) => (hour % week >= week - 4 ? 0.2 : 0.1);
    expect(judge({ share: weekly, load: () => 1, length: 2 * week })).toBeUndefined();
    expect(judge({ share: weekly, load: () => 1, length: week })).toBeDefined();
  });

  it("reported on the first day, or under a load that is new", () => {
    const load = () => 1;
    expect(judge({ share: (hour) => (hour >= 22 ? 0.2 : 0.1), load, length: 26 })).toBeUndefined();
    expect(judge({ share: (hour) => (hour >= 24 ? 0.2 : 0.1), load, length: 28 })).toBeDefined();
    expect(judge({ share: risen(0.1, 2, 4), load: (hour) => (hour >= hours - 4 ? 1.5 : 1) })).toBeUndefined();
  });
});

it("the quick look suspects every function that rose", () => {
  fc.assert(
    fc.property(shares, seeds, fc.double({ min: 1.5, max: 3, noNaN: true }), (share, seed, factor) => {
      const { values, service } = courseOf({ share: risen(share, factor, 4), seed });
      const ends = comparableEnds(service.level);
      const sums = (of: Float64Array) => ({
        newest: [...of.subarray(-heldHours)],
        before: ends.reduce((sum, end) => sum + of[end]!, 0),
      });
      const isRisen = shiftOf(values, service, ends) !== undefined;
      if (isRisen) expect(isSuspect(sums(values), sums(service.totals), 1)).toBe(true);
    }),
  );
});

describe("a rise is over", () => {
  const reference = { before: 0.1, after: 0.2, level: 1 };

  it("once the function has fallen by two thirds of it", () => {
    const at = (share: number) => courseOf({ share: () => share, load: () => 1 });
    const over = (share: number) => hasFallen(at(share).values, at(share).service, reference);
    expect([0.2, 0.15, 0.12, 0.1].map(over)).toEqual([false, false, true, true]);
  });

  it("under another load only after a day", () => {
    const load = (hour: number) => (hour >= hours - 30 ? 0.5 : 1);
    const over = (lastHours: number) => {
      const { values, service } = courseOf({
        share: (hour) => (hour >= hours - lastHours ? 0.1 : 0.2),
        load,
      });
      return hasFallen(values, service, reference);
    };
    expect([over(8), over(28)]).toEqual([false, true]);
  });

  it("not while nothing is known", () => {
    expect(
      hasFallen(new Float64Array(0), { level: new Float64Array(0), totals: new Float64Array(0) }, reference),
    ).toBe(false);
  });
});
