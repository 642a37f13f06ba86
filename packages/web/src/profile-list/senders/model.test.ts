import { expect, it, test } from "vitest";
import { clockText, intervalText, senderStateText, stripText } from "./model.ts";

const nowMs = Date.parse("2026-11-20T12:00:00.000Z");
const last = "2026-11-20T11:10:00.000Z";
const type = (name: "cpu" | "memory" | "metrics", state: "sending" | "silent") => ({
  type: name,
  state,
  last_profile_at: last,
});

test("the state of a sender says since when nothing arrives, and which types stopped", () => {
  const sender = {
    since: last,
    last_received_at: last,
    types: [type("cpu", "silent"), type("memory", "sending")],
  };
  expect(senderStateText({ ...sender, state: "silent" }, nowMs)).toBe("Silent for 50 min");
  expect(senderStateText({ ...sender, state: "stopped_types" }, nowMs)).toBe("Stopped sending CPU");
  expect(senderStateText({ ...sender, since: null, state: "sending" }, nowMs)).toBe("Sending");
  expect(senderStateText({ ...sender, since: null, state: "irregular" }, nowMs)).toBe("Sent 50 min ago");
});

test.each([
  [null, "–"],
  [0.25, "0.3 s"],
  [15, "15 s"],
  [600, "10 min"],
  [9_000, "2.5 h"],
])("an interval of %s seconds is %s", (seconds, text) => {
  expect(intervalText(seconds)).toBe(text);
});

it("says what the strip shows", () => {
  expect(stripText([0, 0])).toBe("No uploads in the last 24 hours");
  expect(stripText([3, 1])).toBe("4 uploads in the last 24 hours");
  expect(stripText([1200, 0])).toBe("1,200 uploads in the last 24 hours, none in 1 of 2 half hours");
});

it("names a clock that is wrong by a minute", () => {
  expect(clockText(null)).toBeUndefined();
  expect(clockText(-20)).toBeUndefined();
  expect(clockText(-180)).toBe("The sender's clock is 3 min ahead.");
  expect(clockText(7200)).toContain("Profiles arrive 2 h after their end");
});
