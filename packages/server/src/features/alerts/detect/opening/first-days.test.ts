import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { describe, expect, it } from "vitest";
import { nextChange } from "#alerts/detect/next-change.ts";
import { noUsualDay, type Reference } from "#alerts/detect/resolution/reference.ts";
import { emptySeries, type Series, toSeries } from "#alerts/detect/series/series.ts";
import { observedOf } from "#alerts/detect/testing/observed-of.ts";
import type { Change } from "#alerts/detect/watched/observed.ts";
import { compare, expectedFactor, judgeFirstDays, usualChange, windowsAt } from "./first-days.ts";

/** A midnight, so that hours of the day are hours of the story. */
const startMs = Date.UTC(2026, 10, 1);

/** A profile every minute: `level` says what it measures, a fixed wobble of 5% around it. */
function series(hours: number, level: (ms: number) => number, everyMs = minuteMs): Series {
  const count = Math.floor((hours * hourMs) / everyMs);
  return toSeries(
    Array.from({ length: count }, (_, index): [number, number] => {
      const ms = index * everyMs;
      return [startMs + ms, level(ms) * (1 + 0.05 * Math.sin(index * 2.399))];
    }),
  );
}

function changes(
  values: Series,
  hours: number,
  requests = emptySeries,
  siblings: readonly Series[] = [],
): Change[] {
  const observed = observedOf(values, { requests, siblings });
  const found: Change[] = [];
  let open: Reference | undefined;
  for (let fromMs = startMs; ; ) {
    const change = nextChange(observed, { fromMs, toMs: startMs + hours * hourMs }, open);
    if (change === undefined) return found;
    found.push(change);
    fromMs = change.atMs;
    open =
      change.kind === "opened"
        ? { atMs: fromMs, previous: change.evaluation.previous, requests: undefined, usual: noUsualDay }
        : undefined;
  }
}

const kindsOf = (found: readonly Change[]) => found.map(({ kind }) => kind);
const hourOf = (change: Change | undefined) => ((change?.atMs ?? Number.NaN) - startMs) / hourMs;

describe("comparing two samples", () => {
  const low = [10, 11, 9, 10, 10, 11];

  it("finds a rise of 20% that the ranks support", () => {
    const high = [14, 15, 13, 14, 15, 14];
    const compared = compare(high, low);
    expect(compared.increase).toBeCloseTo((85 / 6 - 61 / 6) / (61 / 6), 9);
    expect(compared.isSupported).toBe(true);
  });

  it("never judges fewer than six profiles a side", () => {
    const high = [30, 30, 30, 30, 30, 30];
    expect(compare(high, low).isSupported).toBe(true);
    expect(compare(high.slice(1), low).isSupported).toBe(false);
    expect(compare(high, low.slice(1)).isSupported).toBe(false);
  });

  it("ignores one outlier and a rise of 19%", () => {
    expect(compare([10, 11, 9, 10, 10, 200], low)).toMatchObject({ isSupported: false });
    expect(compare([12.1, 12.1, 12.1, 12.1, 12.1, 12.1], low).isSupported).toBe(false);
  });

  it("returns an increase of 0 if all values before were 0", () => {
    expect(compare([1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0])).toMatchObject({
      increase: 0,
      isSupported: false,
    });
  });

  it("ignores rises that are too small to report", () => {
    const high = low.map((value) => value * 2);
    expect(compare(high, low, { riseMin: 9 }).isSupported).toBe(true);
    expect(compare(high, low, { riseMin: 11 }).isSupported).toBe(false);
  });
});

describe("what explains a change", () => {
  const believed = (change: number) => ({ change, isReliable: true });

  it("is the time of day, in both directions once three days agree", () => {
    expect(expectedFactor({ usual: believed(0.8), requests: undefined, usualRequests: undefined })).toBe(0.8);
    const young = { change: 0.8, isReliable: false };
    expect(expectedFactor({ usual: young, requests: undefined, usualRequests: undefined })).toBe(1);
  });

  it("is more requests than usual, never fewer", () => {
    const changes = { usual: believed(1), usualRequests: believed(1) };
    expect(expectedFactor({ ...changes, requests: 2 })).toBe(2);
    expect(expectedFactor({ ...changes, requests: 0.5 })).toBe(1);
    expect(expectedFactor({ usual: believed(1.2), usualRequests: believed(1.5), requests: 1.5 })).toBe(1.2);
  });
});

describe("the windows", () => {
  it("are short for many profiles and long for few", () => {
    const at = startMs + 20 * hourMs;
    const length = (everyMs: number) => {
      const [window] =
        windowsAt(
          series(24, () => 1, everyMs),
          at,
        ) ?? [];
      return window === undefined ? undefined : (window.toMs - window.fromMs) / minuteMs;
    };
    expect([1, 5, 15, 40].map((minutes) => length(minutes * minuteMs))).toEqual([30, 120, 240, 240]);
    expect(length(60 * minuteMs)).toBeUndefined();
  });

  it("skip a gap and use the last profiles before it", () => {
    const all = series(24, () => 1);
    const silent = toSeries(
      [...all.atMs].flatMap((ms, index): [number, number][] => {
        const hour = (ms - startMs) / hourMs;
        return hour >= 8 && hour < 10 ? [] : [[ms, all.value[index]!]];
      }),
    );
    const [window, baseline] = windowsAt(silent, startMs + 10.5 * hourMs) ?? [];
    expect(window).toEqual({ fromMs: startMs + 10 * hourMs, toMs: startMs + 10.5 * hourMs });
    expect(baseline).toEqual({ fromMs: startMs + 7.5 * hourMs, toMs: startMs + 8 * hourMs });
  });
});

describe("half of the longest window", () => {
  const releasedMs = startMs + 12 * hourMs;
  const values = series(24, (ms) => (startMs + ms < releasedMs ? 100 : 200), 15 * minuteMs);
  const observed = observedOf(values);
  const minutesOf = (span: { fromMs: number; toMs: number } | undefined) =>
    span === undefined ? undefined : (span.toMs - span.fromMs) / minuteMs;

  it("shows a large step of sparse profiles before the whole window does", () => {
    const found = judgeFirstDays(observed, releasedMs + 100 * minuteMs);
    expect([found?.isSupported, minutesOf(found?.window)]).toEqual([true, 120]);
  });

  it("has the size of the step, although the window began before it", () => {
    const [opened] = changes(values, 24);
    expect(opened?.kind === "opened" ? opened.evaluation.increase : undefined).toBeCloseTo(1, 1);
    expect(hourOf(opened)).toBeLessThan(14);
  });

  it("is kept for later evaluations of the rise, so that its size is right once the window is full", () => {
    const found = judgeFirstDays(observed, releasedMs + 100 * minuteMs);
    const full = judgeFirstDays(observed, releasedMs + 2 * hourMs, found?.baseline);
    expect(minutesOf(full?.window)).toBe(120);
    expect(full?.increase).toBeCloseTo(1, 1);
  });
});

describe("a series through time", () => {
  it("alerts within two windows of a release that made it half as much worse, and resolves after the rollback", () => {
    const values = series(30, (ms) => (ms >= 24 * hourMs && ms < 27 * hourMs ? 1.5 : 1));
    const found = changes(values, 30);
    expect(kindsOf(found)).toEqual(["opened", "resolved"]);
    expect(hourOf(found[0])).toBeGreaterThan(24);
    expect(hourOf(found[0])).toBeLessThanOrEqual(25);
    expect(hourOf(found[1])).toBeGreaterThan(27);
    expect(hourOf(found[1])).toBeLessThanOrEqual(28);
  });

  it("does not alert on steady days, a rise of 10%, or five minutes of outliers", () => {
    const values = series(48, (ms) => {
      if (ms >= 30 * hourMs && ms < 30 * hourMs + 5 * minuteMs) return 9;
      return ms >= 36 * hourMs ? 1.1 : 1;
    });
    expect(changes(values, 48)).toEqual([]);
  });

  it("does not take more requests for a regression", () => {
    const doubled = (ms: number) => (ms >= 26 * hourMs ? 2 : 1);
    const values = series(30, doubled);
    expect(kindsOf(changes(values, 30))).toEqual(["opened"]);
    expect(
      changes(
        values,
        30,
        series(30, (ms) => 600 * doubled(ms)),
      ),
    ).toEqual([]);
  });

  it("treats a rise that three profile types share as traffic if there are no request counts", () => {
    const rise = (by: number) => series(30, (ms) => (ms >= 26 * hourMs ? 1 + by : 1));
    expect(changes(rise(0.6), 30, emptySeries, [rise(0.4), rise(0.2)])).toEqual([]);
    expect(kindsOf(changes(rise(0.6), 30, emptySeries, [rise(0.4), rise(0)]))).toEqual(["opened"]);
    const steadyRequests = series(30, () => 600);
    expect(kindsOf(changes(rise(0.6), 30, steadyRequests, [rise(0.4), rise(0.2)]))).toEqual(["opened"]);
  });

  it("does not take the morning for a regression once it knows it", () => {
    const morning = (ms: number) => {
      const hour = (ms % dayMs) / hourMs;
      return hour >= 8 && hour < 20 ? 2 : 1;
    };
    const values = series(5 * 24, morning);
    const found = changes(values, 5 * 24).filter((change) => hourOf(change) > 72);
    expect(found).toEqual([]);
    expect(judgeFirstDays(observedOf(values), startMs + 104.5 * hourMs)?.factor).toBeGreaterThan(1.8);
  });

  it("finds the same in one long evaluation as in many short ones", () => {
    const values = series(30, (ms) => (ms >= 24 * hourMs ? 1.5 : 1), 5 * minuteMs);
    const observed = observedOf(values);
    const [whole] = changes(values, 30);
    let short: Change | undefined;
    for (let step = 0; step < 30 * 12 && short === undefined; step++) {
      const fromMs = startMs + step * 5 * minuteMs;
      short = nextChange(observed, { fromMs, toMs: fromMs + 5 * minuteMs }, undefined);
    }
    expect(short).toEqual(whole);
    expect(whole?.kind).toBe("opened");
  });
});

it("the usual change of a weekday is at least that of last week, whatever other days did", () => {
  // Eight days; in the first one, a rise of half at noon.
  const values = series(8 * 24, (ms) => (ms >= 12 * hourMs && ms < 14 * hourMs ? 15 : 10), 10 * minuteMs);
  const window = { fromMs: startMs + 7 * dayMs + 12 * hourMs, toMs: startMs + 7 * dayMs + 14 * hourMs };
  const baseline = { fromMs: window.fromMs - 2 * hourMs, toMs: window.fromMs };
  expect(usualChange(values, window, baseline, 2)).toEqual({
    change: expect.closeTo(1.5, 1),
    isReliable: true,
  });
});
