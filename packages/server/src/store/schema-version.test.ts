import { describe, expect, it } from "vitest";
import { keepingLog } from "#store/testing/backends.ts";
import { isNewerSchema, schemaVersionOf } from "./schema-version.ts";

const own = ["0001-first", "0002-v2-second"];

function outcome(applied: readonly string[]): unknown {
  const log = keepingLog();
  try {
    const isNewer = isNewerSchema("row store", { applied, own }, log, 2);
    return { isNewer, warnings: log.lines.map(({ fields }) => fields) };
  } catch (error) {
    return (error as Error).message;
  }
}

describe("a program of version 2", () => {
  it("brings a schema up to date that has some of its migrations, or all", () => {
    expect([outcome([]), outcome(["0001-first"]), outcome(own)]).toEqual(
      Array(3).fill({ isNewer: false, warnings: [] }),
    );
  });

  it("works on a schema of version 3, and names its migrations", () => {
    const newer = ["0003-v3-third", "0004-v3-fourth"];
    expect(outcome([...own, ...newer])).toEqual({ isNewer: true, warnings: [{ migrations: newer }] });
  });

  it("refuses a schema of version 4", () => {
    expect(outcome([...own, "0003-v3-third", "0004-v4-fourth"])).toBe(
      "The row store was changed by a Flamekeep that is more than one version newer (migration 0004-v4-fourth). Run that version, or the one before it.",
    );
  });

  it("refuses a schema of version 3 that says that it must", () => {
    expect(outcome([...own, "0003-v3-alone-third"])).toBe(
      "The row store was changed by a newer Flamekeep, on whose schema this version cannot work (migration 0003-v3-alone-third). Run that version or a later one.",
    );
  });

  it("refuses a schema that lacks one of its migrations and has others", () => {
    expect(outcome(["0001-first", "0003-v3-third"])).toBe(
      "The row store was changed by another build of Flamekeep (migration 0003-v3-third), and lacks 0002-v2-second. Run that build or a later one.",
    );
  });
});

it("the version is in the name of a migration; the first one is not written", () => {
  const names = ["0048-findings", "0052-v2-more", "0053-v12-alone-more", "0054-v-more", "0055-vary"];
  expect(names.map(schemaVersionOf)).toEqual([1, 2, 12, 1, 1]);
});
