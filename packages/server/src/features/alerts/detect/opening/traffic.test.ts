import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { expect, it } from "vitest";
import { nextChange } from "#alerts/detect/next-change.ts";
import { emptySeries, type Series, toSeries } from "#alerts/detect/series/series.ts";
import { observedOf } from "#alerts/detect/testing/observed-of.ts";

const days = 10;
const startMs = 9.5 * dayMs;

/** Numbers in [-1, 1) that repeat after thousands; others for each seed. */
function wobble(index: number, seed: number): number {
  const x = Math.sin(index * 12.9898 + seed * 78.233) * 43_758.5453;
  return 2 * (x - Math.floor(x)) - 1;
}

/** The course of a day that all types follow. */
const traffic = (ms: number) => 1 + 0.3 * Math.sin((2 * Math.PI * ms) / dayMs);

/** A value a minute that follows the traffic by this much, and is worse by this factor in the last half day. */
function series(seed: number, follows: number, worse: number): Series {
  return toSeries(
    Array.from({ length: (days * dayMs) / minuteMs }, (_, minute): [number, number] => {
      const ms = minute * minuteMs;
      const factor = ms < startMs ? 1 : worse;
      return [ms, factor * traffic(ms) ** follows * (1 + 0.1 * wobble(minute, seed))];
    }),
  );
}

function isOpened(
  cpu: number,
  [memory, goroutine, mutex]: readonly [number, number, number],
  { requests = 0, releasedMs = [] }: { requests?: number; releasedMs?: readonly number[] } = {},
) {
  const observed = observedOf(series(1, 0.9, cpu), {
    siblings: [series(2, 0.3, memory), series(3, 0.5, goroutine), series(4, 1, mutex)],
    requests: requests === 0 ? emptySeries : series(5, 1, requests),
    releasedMs,
  });
  return nextChange(observed, { fromMs: 9 * dayMs, toMs: days * dayMs }, undefined) !== undefined;
}

it("takes a rise of all types that follow each other for traffic", () => {
  expect(isOpened(1.8, [1.25, 1.4, 2])).toBe(false);
});

it("takes a rise of all types for a regression if a new version came with it, not hours before", () => {
  expect(isOpened(1.8, [1.25, 1.4, 2], { releasedMs: [startMs] })).toBe(true);
  expect(isOpened(1.8, [1.25, 1.4, 2], { releasedMs: [startMs - 6 * hourMs] })).toBe(false);
});

it("finds a release that makes three types worse and leaves one as it was", () => {
  expect(isOpened(1.3, [1.9, 1, 3.6])).toBe(true);
});

it("finds a release in a type that never followed the others", () => {
  const siblings = [series(2, 0.9, 1.32), series(3, 0, 1), series(4, 1, 3.6)];
  const observed = observedOf(series(1, 0, 1.95), { siblings });
  expect(nextChange(observed, { fromMs: 9 * dayMs, toMs: days * dayMs }, undefined)?.kind).toBe("opened");
});

it("takes what more requests explain for traffic, and no more", () => {
  expect(isOpened(1.8, [1.25, 1.4, 2], { requests: 2 })).toBe(false);
  expect(isOpened(1.8, [1, 1, 1], { requests: 1 })).toBe(true);
  expect(isOpened(4, [1.25, 1.4, 2], { requests: 2 })).toBe(true);
});

it("takes a spike of the first days for traffic, although some types follow less and locks more", () => {
  const spikeMs = 1.5 * dayMs;
  const of = (seed: number, size: number) =>
    toSeries(
      Array.from({ length: 2 * 1440 }, (_, minute): [number, number] => {
        const isSpike = minute * minuteMs >= spikeMs && minute * minuteMs < spikeMs + 90 * minuteMs;
        return [minute * minuteMs, (isSpike ? size : 1) * (1 + 0.1 * wobble(minute, seed))];
      }),
    );
  const locks = (siblings: readonly Series[]) =>
    nextChange(
      observedOf(of(1, 2.6), { siblings }),
      { fromMs: spikeMs - 60 * minuteMs, toMs: spikeMs + 90 * minuteMs },
      undefined,
    );
  expect(locks([of(2, 1.9), of(3, 1.2), of(4, 1.4)])).toBeUndefined();
  expect(locks([of(2, 1), of(3, 1), of(4, 1)])?.kind).toBe("opened");
});
