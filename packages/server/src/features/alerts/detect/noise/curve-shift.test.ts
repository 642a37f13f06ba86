import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { expect, it } from "vitest";
import { toSeries } from "#alerts/detect/series/series.ts";
import { curveShift } from "./curve-shift.ts";

const movedMs = 20 * dayMs;

/** A profile every five minutes of a wave by day that comes so much later in the last day, and is worse in its last hours. */
function waves(laterMs: number, worse = 1) {
  const length = (movedMs + dayMs) / (5 * minuteMs);
  return toSeries(
    Array.from({ length }, (_, at): [number, number] => {
      const ms = at * 5 * minuteMs;
      const wave = 1 + 0.5 * Math.cos((2 * Math.PI * (ms - (ms < movedMs ? 0 : laterMs))) / dayMs);
      const isWorse = ms >= movedMs + 20 * hourMs;
      return [ms, (isWorse ? worse : 1) * 100 * wave * (1 + 0.05 * Math.sin(at * 2.399))];
    }),
  );
}

it("is an hour in both directions after the curve moved, and none otherwise", () => {
  const atMs = movedMs + dayMs;
  expect([hourMs, -hourMs, 0].map((laterMs) => curveShift(waves(laterMs), atMs))).toEqual([
    hourMs,
    -hourMs,
    0,
  ]);
});

it("is none of a series that became worse, is flat, or is young", () => {
  expect(curveShift(waves(0, 1.4), movedMs + dayMs)).toBe(0);
  const flat = toSeries(
    Array.from({ length: 6000 }, (_, at): [number, number] => [at * 5 * minuteMs, 100 + (at % 7)]),
  );
  expect(curveShift(flat, 20 * dayMs)).toBe(0);
  expect(curveShift(waves(hourMs), 5 * dayMs)).toBe(0);
});
