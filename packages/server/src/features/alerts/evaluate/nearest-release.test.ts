import { minuteMs } from "@flamekeep/contract/durations";
import { expect, it } from "vitest";
import { beganWith } from "./nearest-release.ts";

const releasedMs = Date.parse("2026-11-20T12:00:00.000Z");
const release = { before: "v1", after: "v2", at: new Date(releasedMs).toISOString() };

it.each([
  ["with a release just after the first high value", -12, 0],
  ["by itself before a later release", -20, -20],
  ["by itself after a release", 3, 3],
])("a rise began %s", (_, onsetMinutes, expectedMinutes) => {
  const began = beganWith(release, releasedMs + onsetMinutes * minuteMs);
  expect(began - releasedMs).toBe(expectedMinutes * minuteMs);
});

it("a rise without a release began with its first high value", () => {
  expect(beganWith(null, releasedMs)).toBe(releasedMs);
});
