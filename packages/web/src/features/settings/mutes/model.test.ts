import { expect, it } from "vitest";
import { endText, instantsOf, nextText, scopeText } from "./model.ts";

const now = Date.parse("2026-11-20T10:00:00.000Z");

it.each([
  [null, "Until unmuted"],
  ["2026-11-20T09:59:00.000Z", "Ends within a minute"],
  ["2026-11-20T10:01:30.000Z", "Ends in 2 minutes"],
  ["2026-11-20T11:00:00.000Z", "Ends in 60 minutes"],
  ["2026-11-20T11:00:01.000Z", "Ends in 2 hours"],
  ["2026-11-21T10:00:00.000Z", "Ends in 24 hours"],
  ["2026-11-27T10:00:00.000Z", "Ends in 7 days"],
])("a mute until %s: %s", (until, text) => {
  expect(endText(until, now)).toBe(text);
});

it("says when a schedule mutes the next time", () => {
  expect(nextText("2026-11-22T01:00:00.000Z", now)).toBe("Next in 39 hours");
});

it.each([
  [{ service: "checkout", type: "cpu" }, "CPU alerts of checkout"],
  [{ service: null, type: null, tags: { env: "staging" } }, "all alerts of all services with env:staging"],
] as const)("says what is muted", (mute, text) => {
  expect(scopeText(mute)).toBe(text);
});

it("reads the begin in the zone of the app", () => {
  expect(instantsOf("2026-11-21T22:00", "utc")).toEqual(["2026-11-21T22:00:00.000Z"]);
  expect(instantsOf("", "utc")).toEqual([]);
});
