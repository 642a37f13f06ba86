import { describe, expect, it } from "vitest";
import { measureText } from "#format/measure.ts";
import { alertMeasure, severityOf } from "./model.ts";
import { muteEnd } from "./mute-spans.ts";

describe("alertMeasure", () => {
  it.each([
    ["cpu/nanoseconds", "nanoseconds per second", 317_814_056, "0.318 cores"],
    ["cpu/nanoseconds", "nanoseconds per second", 42_000_000, "0.042 cores"],
    ["cpu/nanoseconds", "nanoseconds per second", 1e9, "1 core"],
    ["cpu/nanoseconds", "nanoseconds per second", 12.34e9, "12.3 cores"],
    ["inuse_space/bytes", "bytes", 3 * 1024 ** 2, "3 MiB"],
    ["goroutine/count", "count", 1_540, "1.5K goroutines"],
    ["goroutines/count", "count", 120, "120 goroutines"],
    ["delay/nanoseconds", "nanoseconds per second", 350e6, "350 ms/s"],
  ])("shows %s in %s: %d as %s", (sample_type, unit, value, text) => {
    expect(measureText(alertMeasure({ sample_type, unit }, value))).toBe(text);
  });
});

describe("severity", () => {
  it.each([
    [50, "critical"],
    [49.9, "warning"],
    [20, "warning"],
    [19.9, "info"],
    [-60, "critical"],
  ])("of a change of %d percent is %s", (percent_change, severity) => {
    expect(severityOf({ status: "open", percent_change })).toBe(severity);
  });

  it("is `resolved` once the alert is resolved", () =>
    expect(severityOf({ status: "resolved", percent_change: 90 })).toBe("resolved"));
});

it.each([
  ["1h", "2026-11-20T11:00:00.000Z"],
  ["7d", "2026-11-27T10:00:00.000Z"],
  ["unlimited", null],
] as const)("a mute for %s ends at %s", (span, end) => {
  expect(muteEnd(span, Date.parse("2026-11-20T10:00:00.000Z"))).toBe(end);
});
