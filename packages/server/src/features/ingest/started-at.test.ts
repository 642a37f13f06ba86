import { expect, test } from "vitest";
import { parseStartedAt, startedAt, withinWindow } from "./started-at.ts";

const nowMs = Date.UTC(2026, 10, 20, 12);
const window = { nowMs, retentionDays: 30 };

test.each([
  ["2026-11-20T10:00:00Z", "2026-11-20T10:00:00.000Z"],
  ["2026-11-20T10:00:00.5+02:00", "2026-11-20T08:00:00.500Z"],
  ["2026-11-20T10:00", "2026-11-20T10:00:00.000Z"],
  ["1795196715123", "2026-11-20T17:45:15.123Z"],
])("reads %s", (text, expected) => {
  const read = parseStartedAt(text);
  expect(read.ok && new Date(read.value).toISOString()).toBe(expected);
});

test.each(["", "yesterday", "2026-13-45T99:00:00Z", "12", "-5", "NaN"])("refuses %s", (text) => {
  expect(parseStartedAt(text)).toMatchObject({ ok: false, refusal: { code: "invalid" } });
});

test("believes the sender, then the profile, then the clock", () => {
  const ns = BigInt(nowMs) * 1_000_000n;
  expect(startedAt(5, ns, nowMs)).toEqual({ ms: 5, source: "parameter" });
  expect(startedAt(undefined, ns - 1_000_000n, nowMs)).toEqual({ ms: nowMs - 1, source: "profile" });
  expect(startedAt(undefined, 0n, nowMs)).toEqual({ ms: nowMs, source: "arrival" });
  expect(startedAt(undefined, -1n, nowMs)).toEqual({ ms: nowMs, source: "arrival" });
});

test("takes microseconds in time_nanos for what they are", () => {
  expect(startedAt(undefined, BigInt(nowMs) * 1000n, nowMs)).toEqual({ ms: nowMs, source: "profile" });
});

test("takes what is kept, and ten minutes of a fast clock", () => {
  const dayMs = 86_400_000;
  for (const ms of [nowMs, nowMs - 30 * dayMs, nowMs + 600_000])
    expect(withinWindow(ms, window).ok).toBe(true);
  expect(withinWindow(nowMs - 30 * dayMs - 1, window)).toMatchObject({ refusal: { code: "unprocessable" } });
  expect(withinWindow(nowMs + 600_001, window)).toMatchObject({ refusal: { code: "unprocessable" } });
  expect(withinWindow(9e15, window)).toMatchObject({ refusal: { code: "unprocessable" } });
});
