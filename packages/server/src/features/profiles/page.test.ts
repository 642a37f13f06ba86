import { hourMs } from "@flamekeep/contract/durations";
import { describe, expect, it } from "vitest";
import { findNewest, fromCursor, toCursor } from "./page.ts";

/** Reads times, newest first, and notes from where. */
function reader(times: readonly number[], limit: number) {
  const asked: number[] = [];
  const read = async (fromMs: number) => {
    asked.push(fromMs);
    return times.filter((time) => time >= fromMs).slice(0, limit);
  };
  return { asked, read };
}

describe("the newest rows of a range", () => {
  const untilMs = 1000 * hourMs;
  const evenly = Array.from({ length: 1000 }, (_, i) => untilMs - i * hourMs);

  it("are read from a small part of the range if rows are evenly spread", async () => {
    const { asked, read } = reader(evenly, 10);
    const rows = await findNewest(read, { fromMs: hourMs, untilMs, expected: 1000, limit: 10 });
    expect(rows).toEqual(evenly.slice(0, 10));
    expect(asked).toEqual([untilMs - 40 * 999 * 3600]);
  });

  it("are found if all of them are old", async () => {
    const old = evenly.slice(-20);
    const { asked, read } = reader(old, 10);
    const rows = await findNewest(read, { fromMs: hourMs, untilMs, expected: 1000, limit: 10 });
    expect(rows).toEqual(old.slice(0, 10));
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.at(-1)).toBe(hourMs);
  });

  it.each([
    { expected: 0, why: "nobody knows how many there are" },
    { expected: 40, why: "there are few" },
  ])("are read from all of it at once where $why", async ({ expected }) => {
    const { asked, read } = reader(evenly, 10);
    await findNewest(read, { fromMs: hourMs, untilMs, expected, limit: 10 });
    expect(asked).toEqual([hourMs]);
  });

  it.each([0, hourMs])("of a range that ends %i ms before it begins are none", async (beforeMs) => {
    const { asked, read } = reader([], 10);
    const range = { fromMs: untilMs, untilMs: untilMs - beforeMs, expected: 5, limit: 10 };
    expect(await findNewest(read, range)).toEqual([]);
    expect(asked).toEqual([untilMs]);
  });
});

describe("a page's cursor", () => {
  it("decodes to the position that it encodes", () => {
    const end = { startedAtMs: 1_763_632_800_123, profileId: "3f9a1c07be52d8e4460b7c91691e9f40" };
    expect(fromCursor(toCursor(end), false)).toEqual(end);
    expect(fromCursor(toCursor({ ...end, rank: -5 }), true)).toEqual({ ...end, rank: -5 });
  });

  it("is refused in another order", () => {
    const end = { startedAtMs: 1_763_632_800_123, profileId: "3f9a1c07be52d8e4460b7c91691e9f40" };
    expect(() => fromCursor(toCursor(end), true)).toThrow("in the same order");
    expect(() => fromCursor(toCursor({ ...end, rank: 1 }), false)).toThrow("in the same order");
  });

  it.each(["", "abc", "MTIz", "' OR 1=1", toCursor({ startedAtMs: 1, profileId: "short" })])(
    "is refused when it reads %j",
    (text) => {
      expect(() => fromCursor(text, false)).toThrow("next_cursor");
    },
  );
});
