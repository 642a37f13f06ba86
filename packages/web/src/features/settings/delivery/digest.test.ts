import type { AlertDigest } from "@flamekeep/contract";
import { describe, expect, it } from "vitest";
import { problemOf, statusText, withChannel } from "./digest.tsx";

const daily: AlertDigest = {
  frequency: "daily",
  hour_utc: 7,
  weekday: "monday",
  channels: ["email"],
  is_sent_when_empty: false,
  next_at: "2026-11-21T07:00:00.000Z",
  last: null,
};

describe("a digest", () => {
  it("needs a channel that is set up, unless it is off", () => {
    expect(problemOf(daily, ["email"])).toBeUndefined();
    expect(problemOf({ ...daily, frequency: "off" }, [])).toBeUndefined();
    expect(problemOf(daily, [])).toContain("No channel is set up");
    expect(problemOf(daily, ["slack"])).toContain("Choose a channel");
  });

  it("says when the next one is due, and how the last one went", () => {
    expect(statusText(daily)).toMatch(/^Next: Nov 21, 2026, 07:00:00 UTC\.$/);
    const last = (status: "due" | "delivered" | "failed", error: string | null) =>
      statusText({
        ...daily,
        last: { to: "2026-11-20T07:00:00.000Z", deliveries: [{ channel: "email", status, error }] },
      });
    expect(last("delivered", null)).toContain(
      "The last digest, until Nov 20, 2026, 07:00:00 UTC, was delivered.",
    );
    expect(last("failed", "Answered 500")).toContain("was not delivered: Answered 500.");
    expect(last("due", null)).toContain("is not delivered yet.");
  });

  it("gains and loses a channel", () => {
    expect(withChannel(["email"], "slack")).toEqual(["email", "slack"]);
    expect(withChannel(["email", "slack"], "email")).toEqual(["slack"]);
  });
});
