import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import { expect, it } from "vitest";
import { toSeries } from "./series.ts";
import { isRecovery, suddenFalls } from "./sudden-falls.ts";

const endMs = 12 * hourMs;

function series(level: (hour: number) => number) {
  return toSeries(
    Array.from({ length: endMs / minuteMs }, (_, minute): [number, number] => [
      minute * minuteMs,
      level(minute / 60) * (1 + 0.02 * Math.sin(minute ** 2)),
    ]),
  );
}

const all = { fromMs: hourMs, toMs: endMs };
const window = { fromMs: endMs - hourMs, toMs: endMs };

it("finds a restart, and not an evening that lowers values over hours", () => {
  const falls = suddenFalls(
    series((hour) => (hour < 9 ? 1 : 0.7)),
    all,
    0.1,
  );
  expect(falls.map(({ atMs }) => atMs / hourMs)).toEqual([9]);
  expect(falls[0]!.by).toBeCloseTo(-Math.log(0.7), 1);
  const evening = series((hour) => 1 - 0.15 * Math.max(0, hour - 7));
  expect(suddenFalls(evening, all, 0.1)).toEqual([]);
});

it("a return to the level before a restart is no rise, one above it is", () => {
  const restarted = (after: number) => series((hour) => (hour < 9 ? 1 : hour < 11 ? 0.7 : after));
  expect(isRecovery(restarted(1), window, Math.log(1 / 0.7))).toBe(true);
  expect(isRecovery(restarted(1.6), window, Math.log(1.6 / 0.7))).toBe(false);
});
