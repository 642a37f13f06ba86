import { hourMs } from "@flamekeep/contract/durations";
import { describe, expect, it } from "vitest";
import { openColumnStore } from "#store/column/column-store.ts";
import { columnStoreFolder, quietLog } from "#store/testing/backends.ts";
import { profileBatch, testOrg } from "#store/testing/profile-rows.ts";
import { findNewest, fromCursor, toCursor } from "./page.ts";
import { profilePage } from "./queries.ts";

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

describe("the newest profiles of many services", () => {
  const untilMs = Date.parse("2026-11-20T12:00:00.000Z");
  const rows = Array.from({ length: 2000 }, (_, number) => ({
    service: `service-${number % 1000}`,
    profileId: String(number).padStart(32, "0"),
    startedAt: new Date(untilMs - (number + 1) * 1000),
    stacks: [1n],
    values: [[1n], [10n]],
  }));
  const params = {
    ...{ service: "", type: "", metrics: "with" as const, search: "" },
    ...{ marks: [], otherMarks: [], tagNames: [], tagValues: [] },
    orgId: testOrg,
    sinceMs: untilMs - hourMs,
    beforeMs: untilMs,
    beforeId: "",
    limit: 4,
  };

  it("are without those of a removed service", async () => {
    const folder = await columnStoreFolder();
    const columns = await openColumnStore({ kind: "embedded", dataDir: folder.path }, quietLog);
    const servicesOfPage = async () =>
      (await columns.query(profilePage, params)).map(({ service }) => service);
    try {
      await columns.insert(profileBatch(rows, "one"));
      expect(await servicesOfPage()).toEqual(["service-0", "service-1", "service-2", "service-3"]);
      await columns.maintenance.removeService({ orgId: testOrg, service: "service-1" });
      expect(await servicesOfPage()).toEqual(["service-0", "service-2", "service-3", "service-4"]);
    } finally {
      await columns[Symbol.asyncDispose]();
      folder.remove();
    }
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
