import { expect, test } from "vitest";
import {
  datedMetric,
  datedProfile,
  datedUpload,
  parseStartedAt,
  startedAt,
  withinWindow,
} from "./started-at.ts";

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

test.each([
  ["2026-02-30", "2026-02-30, which is not in the calendar"],
  ["2026-02-30T10:00:00Z", "2026-02-30, which is not in the calendar"],
  ["2025-02-29T10:00", "2025-02-29, which is not in the calendar"],
  ["2026-11-20T24:00:00Z", "24:00:00, which is not a time of day"],
  ["2026-11-20T10:60+02:00", "10:60, which is not a time of day"],
])("refuses %s, which no calendar or clock has", (text, reason) => {
  expect(parseStartedAt(text)).toMatchObject({
    ok: false,
    refusal: { code: "invalid", message: `started_at names ${reason}.` },
  });
});

test.each([
  ["seconds", "1795196715"],
  ["seconds", "1795196715.123"],
  ["microseconds", "1795196715123456"],
  ["nanoseconds", "1795196715123456789"],
])("recognises Unix %s: %s", (unit, text) => {
  const message = expect.stringMatching(
    new RegExp(
      `^started_at looks like Unix ${unit}: send Unix milliseconds \\(1795196715\\d{3}\\) or ISO 8601 \\(2026-11-20T17:45:15\\.\\d{3}Z\\)\\.$`,
    ),
  );
  expect(parseStartedAt(text)).toMatchObject({ ok: false, refusal: { code: "invalid", message } });
});

test("the refusal asks to correct a given time, and to add a missing one", () => {
  const remedyOf = (...of: Parameters<typeof datedUpload>) => datedUpload(...of).remedy;
  expect(remedyOf("api", "parameter")).toBe("correct started_at");
  expect(remedyOf("api", "profile")).toBe("give its start as started_at");
  expect(remedyOf("pyroscope", "parameter")).toBe("correct from");
  expect(remedyOf("push", "profile")).toBe("set its time_nanos");
});

test("believes the sender, then the profile, then the clock", () => {
  const ns = BigInt(nowMs) * 1_000_000n;
  expect(startedAt(5, ns, nowMs)).toEqual({ ms: 5, source: "parameter" });
  expect(startedAt(undefined, ns - 1_000_000n, nowMs)).toEqual({ ms: nowMs - 1, source: "profile" });
  expect(startedAt(undefined, 0n, nowMs)).toEqual({ ms: nowMs, source: "arrival" });
  expect(startedAt(undefined, -1n, nowMs)).toEqual({ ms: nowMs, source: "arrival" });
});

test("recognises microseconds in time_nanos", () => {
  expect(startedAt(undefined, BigInt(nowMs) * 1000n, nowMs)).toEqual({ ms: nowMs, source: "profile" });
});

test("accepts times within the retention, and up to ten minutes ahead", () => {
  const dayMs = 86_400_000;
  const of = (ms: number) => withinWindow(ms, window, datedProfile.api);
  for (const ms of [nowMs, nowMs - 30 * dayMs, nowMs + 600_000]) expect(of(ms).ok).toBe(true);
  expect(of(nowMs - 30 * dayMs - 1)).toMatchObject({ refusal: { code: "unprocessable" } });
  expect(of(nowMs + 600_001)).toMatchObject({ refusal: { code: "unprocessable" } });
  expect(of(9e15)).toMatchObject({ refusal: { code: "unprocessable" } });
});

test("an organization that keeps less accepts less, and the refusal names its setting", () => {
  const dayMs = 86_400_000;
  const own = { ...window, orgRetentionDays: 1 };
  expect(withinWindow(nowMs - dayMs, own, datedProfile.api).ok).toBe(true);
  const refusals = [own, { ...window, orgRetentionDays: null }, { ...window, orgRetentionDays: 40 }].map(
    (of) => withinWindow(nowMs - 31 * dayMs, of, datedProfile.api),
  );
  expect(refusals).toMatchObject([
    {
      refusal: { message: expect.stringMatching(/only one day is kept.*raise retention_days of the organ/) },
    },
    {
      refusal: {
        message: expect.stringMatching(/only 30 days are kept.*raise RETENTION_DAYS on the server/),
      },
    },
    {
      refusal: {
        message: expect.stringMatching(/only 30 days are kept.*raise RETENTION_DAYS on the server/),
      },
    },
  ]);
});

test.each([
  ["our own", datedProfile.api, "started_at"],
  ["Pyroscope's", datedProfile.pyroscope, "from"],
  ["the metrics'", datedMetric(7), "timestamp"],
])("the refusal of a time at %s endpoint names the parameter of that endpoint", (_, dated, parameter) => {
  for (const ms of [0, nowMs + 600_001]) {
    const message = expect.stringMatching(new RegExp(`^${dated.what} is from .* ${parameter}\\b`));
    expect(withinWindow(ms, window, dated)).toMatchObject({ refusal: { message } });
  }
});
