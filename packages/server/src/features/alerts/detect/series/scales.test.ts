import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { expect, it } from "vitest";
import { risesOverWeeks } from "./scales.ts";
import { toSeries } from "./series.ts";

/** A profile every ten minutes for five weeks; the values double from week to week. */
const values = toSeries(
  Array.from({ length: (35 * dayMs) / (10 * minuteMs) }, (_, at): [number, number] => [
    at * 10 * minuteMs,
    2 ** Math.floor((at * 10 * minuteMs) / (7 * dayMs)),
  ]),
);
const window = { fromMs: 30 * dayMs, toMs: 30 * dayMs + 2 * hourMs };

it("compares with the same time of the three weeks before", () => {
  const rises = risesOverWeeks(values, window, window.fromMs);
  expect(rises.map(Math.exp)).toEqual([expect.closeTo(2), expect.closeTo(4), expect.closeTo(8)]);
});

it("leaves out weeks after the given time, and weeks without enough profiles", () => {
  expect(risesOverWeeks(values, window, 20 * dayMs).map(Math.exp)).toEqual([
    expect.closeTo(4),
    expect.closeTo(8),
  ]);
  expect(risesOverWeeks(values, { fromMs: 5 * dayMs, toMs: 6 * dayMs }, 5 * dayMs)).toEqual([]);
});
