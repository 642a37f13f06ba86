import { limits } from "@flamekeep/contract";
import { Bucket, moment } from "@flamekeep/contract/schemas";
import { describe, expect, it } from "vitest";
import {
  boundedRange,
  bucketStarts,
  bucketsOf,
  completeSpan,
  momentMs,
  rangeBefore,
  rangeOf,
  separateMinutes,
  sinceMinuteMs,
  spanText,
  toWholeMinutes,
} from "./time-range.ts";

const now = Date.UTC(2026, 10, 20, 12, 7, 30);
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe("a moment", () => {
  it.each([
    ["now", now],
    ["24h", now - day],
    ["90m", now - 90 * minute],
    ["7d", now - 7 * day],
    ["2026-11-20T10:00:00Z", Date.UTC(2026, 10, 20, 10)],
    ["2026-11-20T11:00:00.250+01:00", Date.UTC(2026, 10, 20, 10) + 250],
    ["2026-11-20", Date.UTC(2026, 10, 20)],
    [String(now - hour), now - hour],
  ])("%s is what it says", (text, ms) => {
    expect(moment("from").parse(text)).toBe(text);
    expect(momentMs(text, now)).toBe(ms);
  });

  it.each(["", "yesterday", "24", "1763632800", "-1h", "2026-11-20T10:00:00", "1.5h", "NaN"])(
    "%j is refused with words",
    (text) => {
      const message = moment("from").safeParse(text).error?.issues[0]?.message;
      expect(message).toMatch(/^from must be a span back from now/);
    },
  );
});

describe("a moment that does not exist", () => {
  it.each([
    ["2026-13-01", "2026-13-01, which is not in the calendar"],
    ["2026-02-30", "2026-02-30, which is not in the calendar"],
    ["2026-02-30T10:00:00Z", "2026-02-30, which is not in the calendar"],
    ["2026-11-20T24:00:00Z", "24:00:00, which is not a time of day"],
  ])("%s is refused by name", (text, reason) => {
    expect(moment("from").safeParse(text).error?.issues[0]?.message).toBe(`from names ${reason}`);
  });
});

describe("a range", () => {
  it("ends now at the latest and begins at most ten years before", () => {
    expect(boundedRange(now - hour, now + day, now)).toEqual({ fromMs: now - hour, toMs: now });
    expect(boundedRange(0, now, now)).toEqual({ fromMs: now - limits.sinceDaysMax * day, toMs: now });
  });

  it.each([
    ["that ends where it begins", now, now],
    ["that ends before it begins", now - hour, now - day],
    ["of the future", now + hour, now + day],
    ["older than anything kept", 0, 1000],
  ])("%s is refused", (_, from, to) => {
    expect(() => boundedRange(from, to, now)).toThrow("The range is empty");
  });

  it("by minutes begins with the minute", () => {
    expect(sinceMinuteMs("1h", now)).toBe(Date.UTC(2026, 10, 20, 11, 7));
  });
});

describe("buckets", () => {
  it("hold the whole range and lie on multiples of their width", () => {
    const buckets = bucketsOf(boundedRange(now - hour, now, now), 15 * minute);
    expect(buckets.isWidened).toBe(false);
    expect(bucketStarts(buckets)).toEqual(
      ["11:00", "11:15", "11:30", "11:45", "12:00"].map((time) => `2026-11-20T${time}:00.000Z`),
    );
    expect(buckets.toMs).toBe(Date.UTC(2026, 10, 20, 12, 15));
  });

  it("are complete in the range, up to the one that holds now", () => {
    const span = (fromMs: number, toMs: number, width: number) => {
      const { complete_from, complete_to } = completeSpan(
        bucketsOf({ fromMs, toMs }, width),
        { fromMs, toMs },
        new Date(now),
      );
      return [complete_from.slice(11, 16), complete_to.slice(11, 16)];
    };
    expect(span(now - hour, now, 5 * minute)).toEqual(["11:10", "12:05"]);
    // A range counts by whole minutes, from the one in which it begins.
    expect(span(now - hour, now, minute)).toEqual(["11:07", "12:07"]);
    expect(span(now - hour, now - 30 * minute, 15 * minute)).toEqual(["11:15", "11:30"]);
    expect(span(now - minute, now, 15 * minute)).toEqual(["12:15", "12:00"]);
  });

  it("of a range on their edges hold nothing more", () => {
    const noon = Date.UTC(2026, 10, 20, 12);
    expect(bucketsOf({ fromMs: noon - hour, toMs: noon }, 30 * minute)).toMatchObject({
      count: 2,
      fromMs: noon - hour,
      toMs: noon,
    });
  });

  it.each([
    [30, 1, "5m", 8641],
    [30, 5, "5m", 8641],
    [365, 15, "1h", 8761],
    [3660, 1, "12h", 7321],
    [3660, 43_200, "30d", 123],
  ])("of %d days at %d minutes are %s wide", (days, minutes, width, count) => {
    const buckets = bucketsOf(boundedRange(now - days * day, now, now), minutes * minute);
    expect([spanText(buckets.widthMs), buckets.count]).toEqual([width, count]);
    expect(buckets.isWidened).toBe(buckets.widthMs !== minutes * minute);
    expect(buckets.count).toBeLessThanOrEqual(limits.timelinePointsMax);
  });

  it.each(["1m", "5m", "15m", "30m", "1h", "4h", "7d", "90m", "30d"])("may be %s wide", (text) => {
    expect(Bucket.safeParse(text).success).toBe(true);
  });

  it.each(["30s", "0m", "15", "31d", "90s", "x", ""])("may not be %j wide", (text) => {
    expect(Bucket.safeParse(text).error?.issues[0]?.message).toMatch(/^bucket must be a span of whole/);
  });
});

describe("a range of whole minutes", () => {
  const date = new Date("2026-11-20T12:00:30.500Z");
  const text = (ms: number) => new Date(ms).toISOString().slice(0, 16);

  it.each([
    [{ from: "24h", to: "now" }, "2026-11-19T12:00", "2026-11-20T12:01"],
    [{ since: "90m", from: "24h", to: "now" }, "2026-11-20T10:30", "2026-11-20T12:01"],
    [{ from: "3h", to: "2h" }, "2026-11-20T09:00", "2026-11-20T10:01"],
    [{ from: "2026-11-20T10:00:00Z", to: "2026-11-20T11:00:00Z" }, "2026-11-20T10:00", "2026-11-20T11:00"],
    [{ from: "2026-11-20", to: "2026-12-24" }, "2026-11-20T00:00", "2026-11-20T12:01"],
    [{ from: "1795164000000", to: "now" }, "2026-11-20T08:40", "2026-11-20T12:01"],
    [{ from: "0001-01-01T00:00:00Z", to: "now" }, "2016-11-12T12:00", "2026-11-20T12:01"],
  ])("reads %j", (query, from, to) => {
    const range = toWholeMinutes(rangeOf(query, date));
    expect([text(range.fromMs), text(range.toMs)]).toEqual([from, to]);
    expect([range.fromMs % 60_000, range.toMs % 60_000]).toEqual([0, 0]);
  });

  it.each([
    { from: "1h", to: "2h" },
    { from: "now", to: "now" },
    { from: "2027-01-01", to: "2027-01-02" },
  ])("is refused if it is empty: %j", (query) => {
    expect(() => toWholeMinutes(rangeOf(query, date))).toThrow("from");
  });
});

describe("two ranges in whole minutes", () => {
  const at = (text: string) => Date.parse(`2026-11-20T${text}Z`);
  const range = ([from, to]: readonly [string, string]) => ({ fromMs: at(from), toMs: at(to) });
  const text = (ranges: readonly { fromMs: number; toMs: number }[]) =>
    ranges.map(({ fromMs, toMs }) =>
      [fromMs, toMs].map((ms) => new Date(ms).toISOString().slice(11, 19)).join(" "),
    );

  it.each([
    ["meet inside a minute", ["07:56:33.947", "08:56:33.947"], ["08:56:33.947", "09:00:00"], "08:56"],
    ["meet at a minute", ["07:56:30", "08:56:00"], ["08:56:00", "09:00:00"], "08:56"],
    ["end and begin in one minute", ["07:56:30", "08:56:10"], ["08:56:40", "09:00:00"], "08:56"],
    [
      "meet at the end of the only minute of the first",
      ["08:56:10", "08:56:40"],
      ["08:56:40", "09:00:00"],
      "08:57",
    ],
  ] as const)("that %s share no minute, whichever is first", (_, first, second, cut) => {
    const [one, other] = [range(first), range(second)];
    const separate = text([
      { fromMs: Math.floor(one.fromMs / minute) * minute, toMs: at(`${cut}:00`) },
      { fromMs: at(`${cut}:00`), toMs: other.toMs },
    ]);
    expect(text(separateMinutes(one, other))).toEqual(separate);
    expect(text(separateMinutes(other, one))).toEqual([...separate].reverse());
  });

  it("overlap where they do as given", () => {
    const [one, other] = [range(["08:00:30", "09:00:30"]), range(["09:00:10", "10:00:00"])];
    expect(text(separateMinutes(one, other))).toEqual(["08:00:00 09:01:00", "09:00:00 10:00:00"]);
  });

  it("are refused within one minute, whose profiles would be on both sides", () => {
    expect(() => separateMinutes(range(["08:00:10", "08:00:30"]), range(["08:00:30", "08:00:50"]))).toThrow(
      "are in the same minute",
    );
  });
});

describe("a range before a time", () => {
  const date = new Date(now);

  it("ends now at the latest", () => {
    expect(rangeBefore({ since: "1h", until: "30m" }, date)).toEqual({
      fromMs: now - 90 * minute,
      toMs: now - 30 * minute,
    });
    expect(rangeBefore({ since: "1h", until: "2027-01-01" }, date)).toEqual({
      fromMs: now - hour,
      toMs: now,
    });
  });

  it("is refused if it is older than anything stored", () => {
    expect(() => rangeBefore({ since: "1h", until: "1970-01-02" }, date)).toThrow("The range is empty");
  });
});
