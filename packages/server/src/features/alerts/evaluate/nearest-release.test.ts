import { minuteMs } from "@flamekeep/contract/durations";
import { expect, it } from "vitest";
import { beganWith } from "./nearest-release.ts";

const releasedMs = Date.parse("2026-11-20T12:00:00.000Z");
const release = { before: "v1", after: "v2", at: new Date(releasedMs).toISOString() };

/** Minutes from the release on. */
function beginning(at: number, earliest: number, latest: number, gap = 5) {
  const ms = (minutes: number) => releasedMs + minutes * minuteMs;
  return { atMs: ms(at), earliestMs: ms(earliest), latestMs: ms(latest), gapMs: gap * minuteMs };
}

it.each([
  ["with a release just after the first high value", beginning(-12, -17, -12), 0, 0],
  ["with a release within the error of the onset", beginning(-35, -60, 10), 0, 0],
  ["by itself before a later release", beginning(-20, -25, -20), -20, 0],
  ["by itself after a release", beginning(7, 2, 7), 7, 0],
  ["about a time where profiles leave it open, before a release", beginning(-60, -80, -30), -60, 30],
])("a rise began %s", (_, onset, expectedMinutes, errorMinutes) => {
  const { atMs, errorMs } = beganWith(release, onset);
  expect([(atMs - releasedMs) / minuteMs, errorMs / minuteMs]).toEqual([expectedMinutes, errorMinutes]);
});

it("a rise without a release began with its first high value", () => {
  expect(beganWith(null, beginning(0, -5, 0))).toEqual({ atMs: releasedMs, errorMs: 0 });
});
