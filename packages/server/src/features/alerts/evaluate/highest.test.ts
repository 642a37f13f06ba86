import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { expect, it } from "vitest";
import { toSeries } from "#alerts/detect/series/series.ts";
import { highestBefore } from "./highest.ts";

const beforeMs = 30 * dayMs;

function series(level: (ms: number) => number) {
  const points: [number, number][] = [];
  for (let ms = 0; ms < 31 * dayMs; ms += 5 * minuteMs) points.push([ms, level(ms)]);
  return toSeries(points);
}

it("is the highest hour of the three weeks before, and not a single profile", () => {
  const values = series((ms) => {
    if (ms >= beforeMs || ms < 5 * dayMs) return 100;
    if (ms === 20 * dayMs) return 20;
    return ms >= 25 * dayMs && ms < 25 * dayMs + hourMs ? 7 : 2;
  });
  expect(highestBefore(values, beforeMs)).toEqual({ value: 7, at: new Date(25 * dayMs).toISOString() });
});

it("is unknown of a series without profiles", () => {
  expect(highestBefore(toSeries([]), beforeMs)).toBeNull();
});
