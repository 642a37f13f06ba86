import { describe, expect, it } from "vitest";
import { lastDueMs, nextDueMs, type Schedule } from "./schedule.ts";

const at = (text: string) => Date.parse(text);
const text = (ms: number) => new Date(ms).toISOString().slice(0, 16);

describe("a daily digest", () => {
  const daily: Schedule = { frequency: "daily", hourUtc: 7, weekday: 1 };

  it("is due once a day at its hour", () => {
    expect(text(nextDueMs(daily, at("2026-11-20T06:59:59.999Z")))).toBe("2026-11-20T07:00");
    expect(text(nextDueMs(daily, at("2026-11-20T07:00:00Z")))).toBe("2026-11-21T07:00");
    expect(text(lastDueMs(daily, at("2026-11-20T07:00:00Z")))).toBe("2026-11-20T07:00");
    expect(text(lastDueMs(daily, at("2026-11-20T06:00:00Z")))).toBe("2026-11-19T07:00");
  });
});

describe("a weekly digest", () => {
  const weekly: Schedule = { frequency: "weekly", hourUtc: 0, weekday: 1 };

  it("is due on its day", () => {
    // A Friday.
    const friday = at("2026-11-20T12:00:00Z");
    expect(text(lastDueMs(weekly, friday))).toBe("2026-11-16T00:00");
    expect(text(nextDueMs(weekly, friday))).toBe("2026-11-23T00:00");
    expect(text(nextDueMs(weekly, at("2026-11-23T00:00:00Z")))).toBe("2026-11-30T00:00");
    expect(text(nextDueMs({ ...weekly, weekday: 0 }, friday))).toBe("2026-11-22T00:00");
    expect(text(lastDueMs({ ...weekly, weekday: 5, hourUtc: 13 }, friday))).toBe("2026-11-13T13:00");
  });
});
