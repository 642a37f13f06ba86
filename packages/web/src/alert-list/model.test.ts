import { describe, expect, it } from "vitest";
import { measureText } from "#format/measure.ts";
import { alertMeasure } from "./model.ts";

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
