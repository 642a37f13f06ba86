import { expect, test } from "vitest";
import { parsePyroscopeTime } from "./pyroscope-time.ts";

const nowMs = Date.UTC(2026, 10, 20, 12);

test.each([
  ["now", "2026-11-20T12:00:00.000Z"],
  ["now-1h", "2026-11-20T11:00:00.000Z"],
  ["now-30s", "2026-11-20T11:59:30.000Z"],
  ["20261119", "2026-11-19T00:00:00.000Z"],
  ["1795196715", "2026-11-20T17:45:15.000Z"],
  ["1795196715123", "2026-11-20T17:45:15.123Z"],
  ["1795196715123456", "2026-11-20T17:45:15.123Z"],
  ["1795196715123456789", "2026-11-20T17:45:15.123Z"],
  ["99999999", "1973-03-03T09:46:39.000Z"],
])("reads %s", (text, expected) => {
  const ns = parsePyroscopeTime(text, nowMs);
  expect(new Date(Number((ns ?? 0n) / 1_000_000n)).toISOString()).toBe(expected);
});

test.each(["", "yesterday", "-5", "1.5", "now+1h", "now-", "1".repeat(20), "0x10", "20260230"])(
  "refuses %s",
  (text) => {
    expect(parsePyroscopeTime(text, nowMs)).toBeUndefined();
  },
);
