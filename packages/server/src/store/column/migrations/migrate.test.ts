import { describe, expect, it } from "vitest";
import { quietLog } from "#store/testing/backends.ts";
import { checkApplied, checksumOf } from "./migrate.ts";

const first = { number: 1, name: "0001-foundation.sql", sql: "CREATE TABLE a" };
const applied = { number: 1, name: first.name, checksum: checksumOf(first) };

describe("the migrations that a store has run", () => {
  it("are accepted if the program has the same ones", () => {
    expect(() => checkApplied([first], [applied], quietLog)).not.toThrow();
    expect(() => checkApplied([first], [], quietLog)).not.toThrow();
  });

  it("are accepted if a server of the next version has added some", () => {
    const newer = { number: 2, name: "0002-v2-more", checksum: "x" };
    expect(() => checkApplied([first], [applied, newer], quietLog)).not.toThrow();
  });

  it("stop a program that has a different text for one", () => {
    expect(() => checkApplied([{ ...first, sql: "CREATE TABLE b" }], [applied], quietLog)).toThrow(
      "by another build of Flamekeep",
    );
  });
});
