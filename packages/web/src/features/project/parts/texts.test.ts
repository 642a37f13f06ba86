import { describe, expect, it } from "vitest";
import { overDays, projectTitle, rangeBadge } from "./texts.ts";

it("a project is titled by its id, one service by a name", () => {
  expect(["checkout", "example-service"].map(projectTitle)).toEqual(["checkout", "Example Service"]);
});

describe("times", () => {
  it.each([
    ["1h", "Last 1 Hour"],
    ["24h", "Last 24 Hours"],
    ["168h", "Last 7 Days"],
    ["720h", "Last 30 Days"],
    ["36h", "Last 1.5 Days"],
    ["2026-11-20T10:00:00Z", undefined],
  ])("from %s are labelled %s", (from, text) => expect(rangeBadge(from)).toBe(text));

  it.each([
    [5, "Over 5 days"],
    [1, "Over 1 day"],
    [0.5, "Over 12 hours"],
    [0.01, "Over less than an hour"],
  ])("of profiles over %d days read %s", (days, text) => expect(overDays(days)).toBe(text));
});
