import { expect, it } from "vitest";
import { nextTurnMs, offsetMs, turnAfterMs } from "./schedule.ts";

it("turns are spread over the whole interval, and a process keeps its place", () => {
  const offsets = Array.from({ length: 1000 }, (_, at) =>
    offsetMs(`org target http://10.0.0.${at}:6060`, 15_000),
  );
  expect(offsets).toEqual(
    Array.from({ length: 1000 }, (_, at) => offsetMs(`org target http://10.0.0.${at}:6060`, 15_000)),
  );
  const bySecond = Map.groupBy(offsets, (offset) => Math.floor(offset / 1000));
  expect(bySecond.size).toBe(15);
  for (const those of bySecond.values()) expect(Math.abs(those.length - 1000 / 15)).toBeLessThan(30);
});

it("the next turn is the first one after now, whatever passed before", () => {
  expect(nextTurnMs(100_000, 4_000, 15_000)).toBe(109_000);
  expect(nextTurnMs(108_999, 4_000, 15_000)).toBe(109_000);
  expect(nextTurnMs(109_000, 4_000, 15_000)).toBe(124_000);
  expect(nextTurnMs(160_000, 4_000, 15_000)).toBe(169_000);
});

it("a turn that is due begins late, and one that is late by half an interval is left out", () => {
  expect(turnAfterMs(100_000, 114_100, 15_000)).toBe(115_000);
  expect(turnAfterMs(100_000, 116_000, 15_000)).toBe(115_000);
  expect(turnAfterMs(100_000, 122_600, 15_000)).toBe(130_000);
  expect(turnAfterMs(100_000, 161_000, 15_000)).toBe(175_000);
});

it("a clock that is set back does not put the next turn far ahead", () => {
  expect(turnAfterMs(7_204_000, 109_000, 15_000)).toBe(124_000);
});
