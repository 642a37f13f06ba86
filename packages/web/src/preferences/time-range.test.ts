import { describe, expect, it } from "vitest";
import { timeBucketOf, timeRangeOf } from "./time-range.ts";

describe("saved preferences", () => {
  it("map older names to the current ones and anything else to the default", () => {
    expect(["7d", "30d", "4h", "fortnight", null].map(timeRangeOf)).toEqual([
      "168h",
      "720h",
      "4h",
      "24h",
      "24h",
    ]);
    expect(["1m", "2m", null].map(timeBucketOf)).toEqual(["1m", "15m", "15m"]);
  });
});
