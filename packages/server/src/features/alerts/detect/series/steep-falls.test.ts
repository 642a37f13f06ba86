import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { expect, it } from "vitest";
import { toSeries } from "./series.ts";
import { isRecovery, steepFalls } from "./steep-falls.ts";

const endMs = 12 * hourMs;

function series(level: (hour: number) => number, toMs = endMs) {
  return toSeries(
    Array.from({ length: toMs / minuteMs }, (_, minute): [number, number] => [
      minute * minuteMs,
      level(minute / 60) * (1 + 0.02 * Math.sin(minute ** 2)),
    ]),
  );
}

const all = { fromMs: hourMs, toMs: endMs };
const window = { fromMs: endMs - hourMs, toMs: endMs };

it("finds a restart, and not an evening that lowers values over hours", () => {
  const falls = steepFalls(
    series((hour) => (hour < 9 ? 1 : 0.7)),
    all,
    0.1,
  );
  expect(falls.map(({ atMs }) => atMs / hourMs)).toEqual([9]);
  expect(falls[0]!.by).toBeCloseTo(-Math.log(0.7), 1);
  const evening = series((hour) => 1 - 0.15 * Math.max(0, hour - 7));
  expect(steepFalls(evening, all, 0.1)).toEqual([]);
});

it("a return to the level before a restart is no rise, one above it is", () => {
  const restarted = (after: number) => series((hour) => (hour < 9 ? 1 : hour < 11 ? 0.7 : after));
  expect(isRecovery(restarted(1), window, Math.log(1 / 0.7))).toBe(true);
  expect(isRecovery(restarted(1.6), window, Math.log(1.6 / 0.7))).toBe(false);
});

it("a regression that comes back after its rollback is a rise", () => {
  const toMs = dayMs + endMs;
  const back = { fromMs: toMs - hourMs, toMs };
  const values = (before: number) =>
    series((hour) => (hour < 30 ? before : hour < 33 || hour >= 35 ? 1.5 : 1), toMs);
  expect(isRecovery(values(1), back, Math.log(1.5))).toBe(false);
  expect(isRecovery(values(1.5), back, Math.log(1.5))).toBe(true);
});

it("a return from a dip within the hour is no rise, unless values wander as far by themselves", () => {
  const dipped = (after: number, noise = 0) =>
    toSeries(
      Array.from({ length: endMs / minuteMs }, (_, minute): [number, number] => {
        const isDip = minute >= 630 && minute < 660;
        const level = minute < 630 ? 1 : isDip ? 0.6 : after;
        return [minute * minuteMs, level * Math.exp(0.02 * Math.sin(minute ** 2) + noise * Math.sin(minute))];
      }),
    );
  const rise = Math.log(1 / 0.6);
  expect(isRecovery(dipped(1), window, rise)).toBe(true);
  expect(isRecovery(dipped(1.6), window, Math.log(1.6 / 0.6))).toBe(false);
  expect(isRecovery(dipped(1, 1.5), window, rise)).toBe(false);
});
