import { describe, expect, it } from "vitest";
import { bytesMeasure, coresColumn, durationMeasure, durationMsMeasure, measureText } from "./measure.ts";
import { profileTypeLabel, profileTypeName } from "./names.ts";
import { changeMeasure, countText, listedText, percentText, plural, wholePercentText } from "./number.ts";
import { mainSample, namedSampleMeasure, sampleMeasure } from "./sample-value.ts";
import { dateText, rangeLabel, relativeTime, timeBetween } from "./time.ts";

describe("counts", () => {
  it.each([
    [0, "0"],
    [999, "999"],
    [1_000, "1K"],
    [1_540, "1.5K"],
    [999_960, "1M"],
    [2_345_000, "2.3M"],
    [-1_200, "−1.2K"],
    [-0.04, "0.0"],
  ])("shows %d as %s", (value, text) => expect(countText(value)).toBe(text));

  it.each([
    [42, "+42.0%"],
    [1_234.56, "+1,234.6%"],
    [-7.25, "−7.3%"],
    [-0.04, "0.0%"],
    [0, "0.0%"],
  ])("shows a change of %d percent as %s", (value, text) =>
    expect(measureText(changeMeasure(value))).toBe(text),
  );

  it("gives percentages one decimal and nouns their number", () => {
    expect([percentText(12), wholePercentText(0.126)]).toEqual(["12.0%", "13%"]);
    expect([0, 0.04, -0.04, 0.05].map(percentText)).toEqual(["0.0%", "<0.1%", ">−0.1%", "0.1%"]);
    expect([plural(1, "service"), plural(1_200, "service")]).toEqual(["1 service", "1,200 services"]);
    expect([listedText(20, 312, "path"), listedText(1, 1, "path")]).toEqual(["20 of 312 paths", "1 path"]);
  });
});

describe("durations and sizes", () => {
  it.each([
    [0, "0 s"],
    [870, "870 ns"],
    [12_400_000, "12.4 ms"],
    [9_870_000_000, "9.87 s"],
    [59_994_000_000, "60 s"],
    [60_000_000_000, "1 min"],
    [90_000_000_000, "1 min 30 s"],
    [978_000_000_000, "16 min 18 s"],
    [3_599_700_000_000, "1 h"],
    [7_500_000_000_000, "2 h 5 min"],
    [273_600_000_000_000, "3 d 4 h"],
    [-90_000_000_000, "−1 min 30 s"],
    [-12_400_000, "−12.4 ms"],
  ])("shows %d ns as %s", (ns, text) => expect(measureText(durationMeasure(ns))).toBe(text));

  it.each([
    [0, "0 B"],
    [1_023, "1,023 B"],
    [1_536, "1.5 KB"],
    [1_395_864_371, "1.3 GB"],
  ])("shows %d bytes as %s", (bytes, text) => expect(measureText(bytesMeasure(bytes))).toBe(text));

  it("accepts milliseconds", () => expect(measureText(durationMsMeasure(10_000))).toBe("10 s"));
});

describe("times", () => {
  const now = Date.parse("2026-11-20T12:00:00Z");
  it.each([
    ["2026-11-20T11:59:58Z", "just now"],
    ["2026-11-20T11:59:18Z", "42 s ago"],
    ["2026-11-20T11:57:00Z", "3 min ago"],
    ["2026-11-20T07:00:00Z", "5 h ago"],
    ["2026-11-17T12:00:00Z", "3 d ago"],
    ["2026-10-01T12:00:00Z", "Oct 1, 2026"],
    [null, "N/A"],
    ["yesterday", "Invalid Date"],
  ])("shows %s as %s", (at, text) => expect(relativeTime(at, now)).toBe(text));

  it.each([
    ["2026-11-20T11:59:18Z", "42 s"],
    ["2026-11-20T11:26:10Z", "33 min"],
    ["2026-11-20T07:00:00Z", "5 h"],
    ["2026-11-18T11:00:00Z", "2 d"],
  ])("the time between %s and noon is %s", (at, text) =>
    expect(timeBetween(at, "2026-11-20T12:00:00Z")).toBe(text),
  );

  it("names missing and unreadable dates", () => {
    expect([dateText(null), dateText("soon")]).toEqual(["N/A", "Invalid Date"]);
  });

  it("labels ranges", () => {
    expect(["24h", "1d", "168h", "7d", "90m", "?"].map(rangeLabel)).toEqual([
      "Last 24 hours",
      "Last day",
      "Last 7 days",
      "Last 7 days",
      "Last 90 minutes",
      "?",
    ]);
  });
});

describe("sample values", () => {
  it("are formatted by their unit", () => {
    expect(measureText(sampleMeasure(9_870_000_000, "nanoseconds"))).toBe("9.87 s");
    expect(measureText(sampleMeasure(2 * 1024 ** 2, "bytes"))).toBe("2 MB");
    expect(measureText(sampleMeasure(1_500, "count"))).toBe("1.5K");
    expect(measureText(sampleMeasure(3, "requests"))).toBe("3 requests");
  });

  it("have a unit named after the type of a plain count", () => {
    expect(measureText(namedSampleMeasure(65, "goroutine", "count"))).toBe("65 goroutines");
    expect(measureText(namedSampleMeasure(7, "goroutineleak", "count"))).toBe("7 goroutines");
    expect(measureText(namedSampleMeasure(1, "contentions", "count"))).toBe("1 contention");
    expect(measureText(namedSampleMeasure(11, "threadcreate", "count"))).toBe("11 threads created");
    expect(measureText(namedSampleMeasure(119, "shop/open_carts", "count"))).toBe("119 open carts");
    expect(measureText(namedSampleMeasure(2, "cycles_sample", "count"))).toBe("2 samples");
    expect(measureText(namedSampleMeasure(1, "page-faults_sample", "count"))).toBe("1 sample");
    expect(measureText(namedSampleMeasure(20, "cycles_event", "count"))).toBe("20 cycles");
    expect(measureText(namedSampleMeasure(3, "sched:sched_switch_event", "count"))).toBe(
      "3 sched:sched switch events",
    );
    expect(measureText(namedSampleMeasure(2 * 1024 ** 2, "space", "bytes"))).toBe("2 MB");
  });

  it("are chosen for lists by the convention of the profile type", () => {
    const heap = ["alloc_objects", "alloc_space", "inuse_objects", "inuse_space"].map((type) => ({
      type,
      unit: "bytes",
      total: 1,
    }));
    expect(mainSample("memory", heap)?.type).toBe("inuse_space");
    expect(mainSample("custom", heap)?.type).toBe("inuse_space");
    expect(mainSample("cpu", [])).toBeUndefined();
  });
});

describe("names", () => {
  it("capitalizes profile types, including unknown ones", () => {
    expect(["cpu", "memory", "wall"].map(profileTypeLabel)).toEqual(["CPU", "Memory", "Wall time"]);
    expect(["cpu", "memory", "wall"].map(profileTypeName)).toEqual(["CPU", "memory", "wall time"]);
  });
});

describe("a column of cores", () => {
  const column = (largest: number, ...values: number[]) =>
    values.map(coresColumn(largest)).map((measure) => measureText(measure));

  it("has one unit and one number of decimals", () => {
    expect(column(0.357, 0.357, 0.24, 0.0031, 0)).toEqual([
      "0.357 cores",
      "0.240 cores",
      "0.003 cores",
      "0 cores",
    ]);
    expect(column(12.44, 12.44, 3, 0.2)).toEqual(["12.4 cores", "3.0 cores", "0.2 cores"]);
    expect(column(0.0324, 0.0324, 0.0002)).toEqual(["32.4 mcores", "0.2 mcores"]);
  });

  it("never shows a value above zero as zero", () =>
    expect(column(2.5, 0.0001, -0.0001)).toEqual(["<0.01 cores", ">−0.01 cores"]));
});
