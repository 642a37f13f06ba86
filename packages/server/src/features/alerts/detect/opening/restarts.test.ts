import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { describe, expect, it } from "vitest";
import { nextChange } from "#alerts/detect/next-change.ts";
import { toSeries } from "#alerts/detect/series/series.ts";
import { observedOf } from "#alerts/detect/testing/observed-of.ts";
import type { Observed } from "#alerts/detect/watched/observed.ts";

const startMs = 9.3 * dayMs;
const endMs = 12 * dayMs;

/** A value a minute, with noise that repeats after thousands of values. */
function noisy(level: (ms: number) => number): Observed {
  const values = Array.from({ length: endMs / minuteMs }, (_, minute): [number, number] => {
    const x = Math.sin(minute * 12.9898) * 43_758.5453;
    const ms = minute * minuteMs;
    return [ms, level(ms) * (1 + 0.1 * (x - Math.floor(x) - 0.5))];
  });
  return observedOf(toSeries(values));
}

const restarted = (ms: number, factor: (lifetimeMs: number) => number) =>
  ms < startMs ? 1 : factor((ms - startMs) % (6 * hourMs));

const opened = (level: (ms: number) => number) => {
  const change = nextChange(noisy(level), { fromMs: 8 * dayMs, toMs: endMs }, undefined);
  return change?.kind === "opened" ? change : undefined;
};

describe("a leak that a restart ends every six hours", () => {
  const leak = (ms: number) => restarted(ms, (lifetimeMs) => 1.03 ** (lifetimeMs / hourMs));

  it("is found by the growth that all lifetimes share", () => {
    const found = opened(leak)!;
    expect(found.atMs - startMs).toBeLessThan(24 * hourMs);
    expect(found.evaluation.perHour).toBeCloseTo(0.03, 2);
    expect(found.evaluation.restartsEveryMs! / hourMs).toBeCloseTo(6, 0);
    expect(found.evaluation.increase).toBeCloseTo(1.03 ** 6 - 1, 1);
    expect(Math.abs(found.evaluation.beganMs! - startMs)).toBeLessThan(2 * hourMs);
  });

  it("does not end with the next restart, but once values no longer grow", () => {
    const { atMs, evaluation } = opened(leak)!;
    const { previous, increase, perHour, beganMs, restartsEveryMs } = evaluation;
    const usual = { values: [], requests: [] };
    const open = { atMs, previous, requests: undefined, usual, increase, perHour, beganMs, restartsEveryMs };
    const until = (level: (ms: number) => number) =>
      nextChange(noisy(level), { fromMs: atMs, toMs: endMs }, open);
    expect(until(leak)).toBeUndefined();
    const mendedMs = startMs + 36 * hourMs;
    const mended = until((ms) => (ms < mendedMs ? leak(ms) : 1));
    expect(mended?.kind).toBe("resolved");
    expect(mended!.atMs - mendedMs).toBeLessThan(14 * hourMs);
  });
});

it("a cache that warms up after each restart is no leak", () => {
  const warmUp = (lifetimeMs: number) => 1 - 0.4 * Math.exp(-lifetimeMs / hourMs);
  expect(opened((ms) => restarted(ms, warmUp))).toBeUndefined();
});

it("a course that each day has is no leak", () => {
  const daily = (ms: number) => 1.03 ** ((ms % (6 * hourMs)) / hourMs);
  expect(opened(daily)).toBeUndefined();
});
