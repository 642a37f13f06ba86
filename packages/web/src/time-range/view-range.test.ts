import { describe, expect, it } from "vitest";
import {
  betweenRange,
  boundsOf,
  isSameRange,
  lastRange,
  moveRange,
  queryOfRange,
  rangeOfSearch,
  rangeText,
  resizeRange,
  searchOfRange,
  type ViewRange,
} from "./view-range.ts";

const now = Date.UTC(2026, 10, 20, 12);
const hour = 3_600_000;
const between = (fromHour: number, toHour: number): ViewRange => ({
  kind: "between",
  fromMs: Date.UTC(2026, 10, 20, fromHour),
  toMs: Date.UTC(2026, 10, 20, toHour),
});
const last = (span: string): ViewRange => ({ kind: "last", span });

describe("a range in the URL", () => {
  it.each([
    [{ range: "24h" }, last("24h")],
    [{ range: "90m" }, last("90m")],
    // Older names of the presets.
    [{ range: "7d" }, last("168h")],
    [{ range: "30d" }, last("720h")],
    [{ range: "fortnight" }, undefined],
    [{ range: "0h" }, undefined],
    [{ range: "4000d" }, undefined],
    [{}, undefined],
    [{ from: "2026-11-20T10:00:00Z", to: "2026-11-20T11:00:00Z" }, between(10, 11)],
    [{ range: "24h", from: "2026-11-20T10:00:00Z", to: "2026-11-20T11:00:00Z" }, between(10, 11)],
    [{ from: "2026-11-20T10:00:00Z" }, undefined],
    [{ from: "2026-11-20T11:00:00Z", to: "2026-11-20T10:00:00Z" }, undefined],
    [{ from: "soon", to: "later" }, undefined],
  ])("%j is read as %j", (search, range) => {
    expect(rangeOfSearch(search)).toEqual(range);
  });

  it.each([last("24h"), last("90m"), between(10, 11), betweenRange(now - 1500, now)!])(
    "%j survives being printed and read",
    (range) => expect(rangeOfSearch(searchOfRange(range))).toEqual(range),
  );

  it("replaces the other kind", () => {
    expect(searchOfRange(last("24h"))).toEqual({ range: "24h", from: undefined, to: undefined });
    expect(searchOfRange(between(10, 11))).toEqual({
      range: undefined,
      from: "2026-11-20T10:00:00Z",
      to: "2026-11-20T11:00:00Z",
    });
  });
});

describe("a range", () => {
  it("is given to calls as their parameters", () => {
    expect(queryOfRange(last("24h"))).toEqual({ from: "24h", to: "now" });
    expect(queryOfRange(between(10, 11))).toEqual({
      from: "2026-11-20T10:00:00Z",
      to: "2026-11-20T11:00:00Z",
    });
  });

  it("has bounds, counted from now for the last hours", () => {
    expect(boundsOf(last("4h"), now)).toEqual({ fromMs: now - 4 * hour, toMs: now });
    expect(boundsOf(between(10, 11), now)).toEqual({ fromMs: now - 2 * hour, toMs: now - hour });
  });

  it("is the same as another under the same name", () => {
    expect(isSameRange(last("24h"), lastRange("1440m")!)).toBe(true);
    expect(isSameRange(last("24h"), last("4h"))).toBe(false);
    expect(isSameRange(between(10, 11), between(10, 11))).toBe(true);
  });

  it("is widened to whole seconds, and refused if it is empty", () => {
    expect(betweenRange(now - 1500, now - 1)).toEqual({ kind: "between", fromMs: now - 2000, toMs: now });
    expect(betweenRange(now, now)).toBeUndefined();
    expect(betweenRange(Number.NaN, now)).toBeUndefined();
    expect(betweenRange(now, 9e15)).toBeUndefined();
  });
});

describe("moving a range", () => {
  it("goes back by half of it", () => {
    expect(moveRange(last("4h"), -1, now)).toEqual(between(6, 10));
    expect(moveRange(between(8, 10), -1, now)).toEqual(between(7, 9));
  });

  it("moves whole minutes, back and forth to the same range", () => {
    const back = moveRange(last("4h"), -1, now + 29_000);
    expect(back).toEqual(between(6, 10));
    expect(moveRange(back, 1, now + 35_000)).toEqual(last("4h"));
  });

  it("goes forward as far as now, and then follows it", () => {
    expect(moveRange(between(6, 8), 1, now)).toEqual(between(7, 9));
    expect(moveRange(between(6, 10), 1, now)).toEqual(last("4h"));
    expect(moveRange(between(9, 11), 1, now)).toEqual(last("2h"));
    expect(moveRange(last("4h"), 1, now)).toEqual(last("4h"));
  });
});

describe("resizing a range", () => {
  it("steps through lengths while it ends now", () => {
    expect(resizeRange(last("24h"), "widen", now)).toEqual(last("168h"));
    expect(resizeRange(last("24h"), "narrow", now)).toEqual(last("8h"));
    expect(resizeRange(last("2h"), "narrow", now)).toEqual(last("1h"));
    expect(resizeRange(last("5m"), "narrow", now)).toEqual(last("5m"));
    expect(resizeRange(last("366d"), "widen", now)).toEqual(last("366d"));
  });

  it("keeps the middle of a range that has ended", () => {
    expect(resizeRange(between(4, 6), "widen", now)).toEqual(between(3, 7));
    expect(resizeRange(between(3, 7), "narrow", now)).toEqual(between(4, 6));
  });

  it("does not go beyond now", () => {
    expect(resizeRange(between(6, 11), "widen", now)).toEqual(last("10h"));
  });
});

const noon = Date.UTC(2026, 10, 20, 12);
const spanOf = (from: string, to: string): ViewRange => ({
  kind: "between",
  fromMs: Date.parse(from),
  toMs: Date.parse(to),
});

it.each([
  [{ kind: "last", span: "24h" } as const, "Last 24 hours"],
  [{ kind: "last", span: "90m" } as const, "Last 90 minutes"],
  [{ kind: "last", span: "2h" } as const, "Last 2 hours"],
  [spanOf("2026-11-20T10:00Z", "2026-11-20T12:30Z"), "Nov 20, 10:00 – 12:30 UTC"],
  [spanOf("2026-11-19T22:00Z", "2026-11-20T00:30:05Z"), "Nov 19, 22:00 – Nov 20, 00:30:05 UTC"],
  [spanOf("2025-12-31T22:00Z", "2025-12-31T23:00Z"), "Dec 31, 2025, 22:00 – 23:00 UTC"],
  [spanOf("2026-11-18T00:00Z", "2026-11-19T00:00Z"), "Nov 18 UTC"],
  [spanOf("2026-11-18T00:00Z", "2026-11-20T00:00Z"), "Nov 18 – Nov 19 UTC"],
])("%j reads %s", (range, text) => expect(rangeText(range, noon, "utc")).toBe(text));
