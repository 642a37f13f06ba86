import { describe, expect, it } from "vitest";
import { checkApplied, checksumOf } from "./migrate.ts";

const first = { number: 1, name: "0001-foundation.sql", sql: "CREATE TABLE a" };
const applied = { number: 1, name: first.name, checksum: checksumOf(first) };

describe("the migrations that a store has run", () => {
  it("are accepted if the program has the same ones", () => {
    expect(() => checkApplied([first], [applied])).not.toThrow();
    expect(() => checkApplied([first], [])).not.toThrow();
  });

  it("stop a program that lacks one of them, or has a different text for one", () => {
    const newer = { number: 2, name: "0002-more.sql", checksum: "x" };
    expect(() => checkApplied([first], [applied, newer])).toThrow(
      "written by a newer Flamekeep (migration 0002-more.sql)",
    );
    expect(() => checkApplied([{ ...first, sql: "CREATE TABLE b" }], [applied])).toThrow(
      "by another build of Flamekeep",
    );
  });
});
