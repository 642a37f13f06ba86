import { describe, expect, it } from "vitest";
import { msOfWallTime, startOfDayMs, wallTimeOf, wallTimeText } from "#format/wall-time.ts";
import { typedRange, typedTime } from "./typed-range.ts";

const nowMs = Date.UTC(2026, 10, 20, 12, 7, 30);
const utc = { nowMs, zone: "utc" } as const;

describe("a typed time", () => {
  it.each([
    ["2h", "2h"],
    ["90 min", "90m"],
    ["Last 3 days", "3d"],
    ["15 minutes ago", "15m"],
    ["2 w", "14d"],
    ["1 hr", "1h"],
  ])("%s is a span", (text, span) => expect(typedTime(text, utc, "start")).toEqual({ kind: "span", span }));

  it.each([
    ["2026-11-19", "2026-11-19T00:00:00Z"],
    ["2026-11-19 14:05", "2026-11-19T14:05:00Z"],
    ["2026-11-19T14:05:09", "2026-11-19T14:05:09Z"],
    ["2026-11-19T14:05Z", "2026-11-19T14:05:00Z"],
    ["2026-11-19 14:05 +02:00", "2026-11-19T12:05:00Z"],
    ["yesterday 14:05-0330", "2026-11-19T17:35:00Z"],
    ["2026-11-19T14:05:00.250+01:00", "2026-11-19T13:05:00.250Z"],
    ["yesterday", "2026-11-19T00:00:00Z"],
    ["Yesterday 14:00", "2026-11-19T14:00:00Z"],
    ["yesterday at 9:30", "2026-11-19T09:30:00Z"],
    ["today", "2026-11-20T00:00:00Z"],
    ["11:59", "2026-11-20T11:59:00Z"],
    // Later than now, so of yesterday.
    ["14:00", "2026-11-19T14:00:00Z"],
    ["Nov 3", "2026-11-03T00:00:00Z"],
    ["nov 3, 2025, 08:00", "2025-11-03T08:00:00Z"],
    ["1795176000", "2026-11-20T12:00:00Z"],
    ["1795176000000", "2026-11-20T12:00:00Z"],
  ])("%s is a moment", (text, iso) =>
    expect(typedTime(text, utc, "start")).toEqual({ kind: "at", ms: Date.parse(iso) }),
  );

  it("is the end of a day that is the end of a range", () => {
    expect(typedTime("yesterday", utc, "end")).toEqual({ kind: "at", ms: Date.UTC(2026, 10, 20) });
    expect(typedTime("2026-02-28", utc, "end")).toEqual({ kind: "at", ms: Date.UTC(2026, 2, 1) });
  });

  it.each([
    "",
    "soon",
    "25:00",
    "12:61",
    "2026-02-30",
    "2026-13-01",
    "foo 3",
    "30s",
    "0h",
    "1.5h",
    "2026-11-19T99:00Z",
    "2026-02-30T10:00Z",
    "2026-02-30T10:00:00.5Z",
    "2026-11-19T24:00:00.5Z",
  ])("%j is none", (text) => expect(typedTime(text, utc, "start")).toBeUndefined());
});

describe("a typed range", () => {
  it("up to now is the last span", () => {
    const expected = { ok: true, range: { kind: "last", span: "2h" } };
    expect(typedRange("2h", "now", utc)).toEqual(expected);
    expect(typedRange("2h", " ", utc)).toEqual(expected);
    expect(typedRange("7d", "", utc)).toEqual({ ok: true, range: { kind: "last", span: "168h" } });
  });

  it.each([
    ["yesterday 14:00", "yesterday 16:30", "2026-11-19T14:00:00Z", "2026-11-19T16:30:00Z"],
    ["2026-11-18", "2026-11-18", "2026-11-18T00:00:00Z", "2026-11-19T00:00:00Z"],
    ["4h", "2h", "2026-11-20T08:07:30Z", "2026-11-20T10:07:30Z"],
    ["2026-11-20 10:00", "now", "2026-11-20T10:00:00Z", "2026-11-20T12:07:30Z"],
    ["today", "2027-01-01", "2026-11-20T00:00:00Z", "2026-11-20T12:07:30Z"],
  ])("from %s to %s", (from, to, fromIso, toIso) => {
    const range = { kind: "between", fromMs: Date.parse(fromIso), toMs: Date.parse(toIso) };
    expect(typedRange(from, to, utc)).toEqual({ ok: true, range });
  });

  it.each([
    ["soon", "now", "from", /^Type a time such as 2h/],
    ["2h", "later", "to", /^Type a time such as 2h/],
    ["1h", "2h", "to", /after the start/],
    ["2027-01-01", "now", "from", /in the past/],
    ["5000d", "now", "from", /ten years/],
  ])("from %s to %s is refused", (from, to, field, message) => {
    expect(typedRange(from, to, utc)).toEqual({ ok: false, field, message: expect.stringMatching(message) });
  });
});

describe("wall time", () => {
  it.each(["utc", "local"] as const)("is the same after going to milliseconds and back in %s", (zone) => {
    const wall = { year: 2026, month: 11, day: 20, hour: 12, minute: 7, second: 30 };
    expect(wallTimeOf(msOfWallTime(wall, zone), zone)).toEqual(wall);
    expect(wallTimeText(msOfWallTime(wall, zone), zone)).toBe("2026-11-20 12:07:30");
    const midnight = wallTimeOf(startOfDayMs(msOfWallTime(wall, zone), zone, -20), zone);
    expect(midnight).toEqual({ year: 2026, month: 10, day: 31, hour: 0, minute: 0, second: 0 });
  });

  it("is local where the zone is local", () => {
    const ms = new Date(2026, 10, 20, 9, 0).getTime();
    expect(wallTimeText(ms, "local")).toBe("2026-11-20 09:00");
  });
});
