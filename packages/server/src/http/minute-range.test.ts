import { describe, expect, it } from "vitest";
import { minuteRangeOf } from "./minute-range.ts";

const now = new Date("2026-11-20T12:00:30.500Z");
const text = (ms: number) => new Date(ms).toISOString().slice(0, 16);

describe("a range of whole minutes", () => {
  it.each([
    [{ from: "24h", to: "now" }, "2026-11-19T12:00", "2026-11-20T12:01"],
    [{ since: "90m", from: "24h", to: "now" }, "2026-11-20T10:30", "2026-11-20T12:01"],
    [{ from: "3h", to: "2h" }, "2026-11-20T09:00", "2026-11-20T10:01"],
    [{ from: "2026-11-20T10:00:00Z", to: "2026-11-20T11:00:00Z" }, "2026-11-20T10:00", "2026-11-20T11:00"],
    [{ from: "2026-11-20", to: "2026-12-24" }, "2026-11-20T00:00", "2026-11-20T12:01"],
    [{ from: "1795164000000", to: "now" }, "2026-11-20T08:40", "2026-11-20T12:01"],
    [{ from: "0001-01-01T00:00:00Z", to: "now" }, "2016-11-12T12:00", "2026-11-20T12:01"],
  ])("reads %j", (query, from, to) => {
    const range = minuteRangeOf(query, now);
    expect([text(range.fromMs), text(range.toMs)]).toEqual([from, to]);
    expect([range.fromMs % 60_000, range.toMs % 60_000]).toEqual([0, 0]);
  });

  it.each([
    { from: "1h", to: "2h" },
    { from: "now", to: "now" },
    { from: "2027-01-01", to: "2027-01-02" },
  ])("is refused when it is empty: %j", (query) => {
    expect(() => minuteRangeOf(query, now)).toThrow("from");
  });
});
