import { hourMs } from "@flamekeep/contract/durations";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { momentText, spanText, timeTicks } from "#charts/model/time-ticks.ts";
import { instantsOf } from "#settings/mutes/model.ts";
import { repeatedText, typedTime } from "#time-range/typed-range.ts";
import { rangeText } from "#time-range/view-range.ts";
import { clockTime } from "./time.ts";
import { clockText, repeatedMs, wallTimeText } from "./wall-time.ts";

// Clocks in Berlin go from 03:00 +02:00 back to 02:00 +01:00 on that day.
const summer = Date.parse("2026-10-25T00:30:00Z");
const winter = Date.parse("2026-10-25T01:30:00Z");
const nowMs = Date.parse("2026-10-25T09:00:00Z");
const context = { nowMs, zone: "local" } as const;

beforeAll(() => {
  vi.stubEnv("TZ", "Europe/Berlin");
});
afterAll(() => {
  vi.unstubAllEnvs();
});

describe("the hour that the end of summer time repeats", () => {
  it("is told apart by its offset wherever a time is shown", () => {
    expect([summer, winter].map((ms) => clockText(ms, "local"))).toEqual(["02:30 +02:00", "02:30 +01:00"]);
    expect(clockTime(new Date(winter).toISOString(), nowMs, "local")).toBe("02:30 +01:00");
    expect(momentText(summer, "local")).toBe("Oct 25, 02:30 +02:00");
    expect(spanText(summer, winter, "local")).toBe("Oct 25, 02:30 +02:00 – 02:30 +01:00");
    const range = { kind: "between", fromMs: summer, toMs: winter } as const;
    expect(rangeText(range, nowMs, "local")).toBe("Oct 25, 02:30 +02:00 – 02:30 +01:00");
  });

  it("is a span with both ends in exact times", async () => {
    // Its formatter is made once, for the zone that the process has then.
    const fresh = "./time.ts?berlin";
    const { exactSpan }: typeof import("./time.ts") = await import(/* @vite-ignore */ fresh);
    expect(exactSpan(new Date(summer).toISOString(), new Date(winter).toISOString())).toBe(
      "Oct 25, 2026, 02:30:00 GMT+2 – 02:30:00 GMT+1",
    );
  });

  it("has its offset on a second line of the axis", () => {
    const [fromMs, toMs] = [summer - 1_800_000, winter + 1_800_000];
    const { texts, lines } = timeTicks({ fromMs, toMs, lastPointMs: toMs - 1 }, "local");
    expect(texts).toEqual(["02:00\n+02:00", "02:30\n+02:00", "02:00\n+01:00", "02:30\n+01:00", "03:00"]);
    expect(lines).toBe(2);
  });

  it("has ticks one after the other, also from its second time on and over several days", () => {
    const ticksOf = (fromMs: number, toMs: number) =>
      timeTicks({ fromMs, toMs, lastPointMs: toMs - 1 }, "local").texts.map((text) =>
        text.replace("\n", " "),
      );
    expect(ticksOf(winter - 60_000, winter + hourMs)).toEqual([
      "02:30 +01:00",
      "02:45 +01:00",
      "03:00",
      "03:15",
      "03:30",
    ]);
    expect(ticksOf(summer, winter)).toEqual([
      "02:30 +02:00",
      "02:45 +02:00",
      "02:00 +01:00",
      "02:15 +01:00",
      "02:30 +01:00",
    ]);
    expect(ticksOf(summer - 12 * hourMs, summer + 12 * hourMs)).toEqual([
      "16:00 Oct 24",
      "20:00",
      "00:00 Oct 25",
      "04:00",
      "08:00",
      "12:00",
    ]);
  });

  it("can be typed with its offset, in the form that fields show", () => {
    for (const ms of [summer, winter])
      expect(typedTime(wallTimeText(ms, "local"), context, "start")).toEqual({ kind: "at", ms });
    expect(typedTime("02:30+01:00", context, "start")).toEqual({ kind: "at", ms: winter });
    expect(typedTime("Oct 25 02:30 +02:00", context, "start")).toEqual({ kind: "at", ms: summer });
  });

  it("is asked about where the offset is missing", () => {
    expect(typedTime("2026-10-25 02:30", context, "start")).toEqual({
      kind: "at",
      ms: summer,
      repeatedMs: winter,
    });
    expect(repeatedText("2026-10-25 02:30", context)).toBe(
      "This time occurs twice. Type 02:30 +02:00 or 02:30 +01:00; without an offset, the first is used.",
    );
    expect(repeatedText("2026-10-25 03:00", context)).toBeUndefined();
    expect(repeatedText("2026-10-25 02:30 +01:00", context)).toBeUndefined();
    expect(instantsOf("2026-10-25T02:30", "local").map(Date.parse)).toEqual([summer, winter]);
  });
});

describe("other times", () => {
  it("that the beginning of summer time skips have no tick", () => {
    const [fromMs, toMs] = [Date.parse("2026-03-29T00:00:00Z"), Date.parse("2026-03-29T02:00:00Z")];
    const { texts } = timeTicks({ fromMs, toMs, lastPointMs: toMs - 1 }, "local");
    expect(texts).toEqual(["01:00", "01:30", "03:00", "03:30", "04:00"]);
  });

  it.each(["2026-10-24T23:59:59Z", "2026-10-25T02:00:00Z", "2026-11-20T12:00:00Z", "2026-03-29T01:00:00Z"])(
    "of %s have no offset",
    (at) => {
      expect(repeatedMs(Date.parse(at), "local")).toBeUndefined();
      expect(clockText(Date.parse(at), "local")).toMatch(/^\d\d:\d\d$/);
    },
  );

  it("of UTC have none either", () => expect(clockText(winter, "utc")).toBe("01:30"));
});
