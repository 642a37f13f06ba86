import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { describe, expect, it } from "vitest";
import { momentText, spanText, timeTicks } from "./time-ticks.ts";
import { unitMeasure, unitText, valueTicks } from "./units.ts";

const noon = Date.parse("2026-11-20T12:00:00Z");

function ticksOf(fromMs: number, durationMs: number, bucketMs: number, max?: number) {
  return timeTicks(
    { fromMs, toMs: fromMs + durationMs, lastPointMs: fromMs + durationMs - bucketMs },
    "utc",
    max,
  );
}

describe("ticks of a time axis", () => {
  it("are HH:MM on round times when all points are on one day", () => {
    expect(ticksOf(noon - 7 * minuteMs, hourMs, minuteMs, 4).texts).toEqual([
      "12:00",
      "12:15",
      "12:30",
      "12:45",
    ]);
    expect(ticksOf(noon - 12 * hourMs, dayMs, 15 * minuteMs).texts).toEqual([
      "00:00",
      "06:00",
      "12:00",
      "18:00",
      "00:00",
    ]);
  });

  it("are M/D over several days", () => {
    expect(ticksOf(noon, 7 * dayMs, hourMs).texts).toEqual(["11/21", "11/23", "11/25", "11/27"]);
    expect(ticksOf(noon, 4 * dayMs, hourMs).texts).toEqual(["11/21", "11/22", "11/23", "11/24"]);
  });

  it("have the date once per day where several of them share a day", () => {
    const ticks = ticksOf(noon, dayMs, 15 * minuteMs);
    expect(ticks.texts).toEqual(["12:00\nNov 20", "18:00", "00:00\nNov 21", "06:00", "12:00"]);
    expect(ticks.lines).toBe(2);
  });

  it.each([30_000, minuteMs, 90 * minuteMs, 8 * hourMs, 25 * hourMs, 9 * dayMs, 720 * hourMs, 4000 * dayMs])(
    "are at least one and at most six in %d ms",
    (durationMs) => {
      const { timesMs, texts } = ticksOf(noon + 123_456, durationMs, 1000);
      expect(timesMs.length).toBeGreaterThan(0);
      expect(timesMs.length).toBeLessThanOrEqual(6);
      expect(texts).toHaveLength(timesMs.length);
      expect(timesMs.every((atMs) => atMs >= noon && atMs <= noon + 123_456 + durationMs)).toBe(true);
    },
  );

  it("are fewer on a narrow chart", () => {
    expect(ticksOf(noon - 12 * hourMs, dayMs, hourMs, 3).texts).toEqual(["00:00", "12:00", "00:00"]);
  });
});

describe("times of buckets", () => {
  it("name the day once if the bucket does not pass midnight", () => {
    expect(momentText(noon, "utc")).toBe("Nov 20, 12:00");
    expect(spanText(noon, noon + 15 * minuteMs, "utc")).toBe("Nov 20, 12:00 – 12:15 UTC");
    expect(spanText(noon, noon + dayMs, "utc")).toBe("Nov 20, 12:00 – Nov 21, 12:00 UTC");
  });
});

describe("ticks of a value axis", () => {
  it.each([
    ["cores", 1.7, ["0 cores", "0.5 cores", "1 core", "1.5 cores", "2 cores"]],
    ["cores", 0.0042, ["0 mcores", "2 mcores", "4 mcores", "6 mcores"]],
    ["perSecond", 0.004, ["0/s", "0.001/s", "0.002/s", "0.003/s", "0.004/s"]],
    ["percent", 8, ["0%", "2%", "4%", "6%", "8%"]],
    ["count", 2, ["0", "1", "2"]],
    ["count", 3_200, ["0", "1K", "2K", "3K", "4K"]],
    ["milliseconds", 2_400, ["0 s", "1 s", "2 s", "3 s"]],
    ["seconds", 0.03, ["0 ms", "10 ms", "20 ms", "30 ms"]],
    ["bytes", 999 * 2 ** 20, ["0 MB", "500 MB", "1,000 MB"]],
    ["bytes", 1000 * 2 ** 20, ["0 GB", "0.5 GB", "1 GB"]],
    ["count", 0, ["0", "1"]],
  ] as const)("of %s up to %d are %j", (unit, highest, texts) =>
    expect(valueTicks(unit, highest).texts).toEqual(texts),
  );

  it.each([1, 3, 7.5, 42, 999, 123_456, 0.0004])("end at or above the highest value %d", (highest) => {
    const { top, values } = valueTicks("seconds", highest);
    expect(top).toBeGreaterThanOrEqual(highest * (1 - 1e-9));
    expect(values.at(-1)).toBeCloseTo(top);
    expect(values.length).toBeLessThanOrEqual(6);
  });
});

describe("values with their unit", () => {
  it.each([
    [0.318, "cores", "0.318 cores"],
    [1, "cores", "1 core"],
    [12, "percent", "12.0%"],
    [48_234_496, "bytes", "46 MB"],
    [1023 * 2 ** 20, "bytes", "1,023 MB"],
    [1536 * 2 ** 20, "bytes", "1.5 GB"],
    [1_540, "count", "1.5K"],
    [3.25, "perSecond", "3.25/s"],
    [999, "milliseconds", "999 ms"],
    [1_000, "milliseconds", "1 s"],
    [0, "seconds", "0 s"],
    [0.0021, "seconds", "2.1 ms"],
    [300, "seconds", "5 min"],
    [null, "cores", "N/A"],
  ] as const)("%d %s is %s", (value, unit, text) => expect(unitText(value, unit)).toBe(text));

  it("have number and unit apart for tiles", () =>
    expect(unitMeasure(12.345, "percent")).toEqual({ number: "12.3", unit: "%" }));
});
