import { expect, test } from "vitest";
import { findWordings } from "./wording.ts";

test("a discouraged word is found in prose and in names, with its line and a plain one", () => {
  const text = ["const limit = 1;", "function door() {}", "// anew"].join("\n");
  expect(findWordings(text)).toMatchObject([
    { line: 2, use: "endpoint" },
    { line: 3, use: "again" },
  ]);
});

test("a comment must not begin with a relative clause; a question may", () => {
  expect(findWordings("/** What the server keeps of it. */")).toHaveLength(1);
  expect(findWordings("// Why does it fail? What helps? See below.")).toEqual([]);
  expect(findWordings("  // Of all parts the largest.")).toHaveLength(1);
});

test("ordinary words that contain a discouraged one are left alone", () => {
  expect(findWordings("indoor temperature, general outdoors, literal, operation, besides")).toEqual([]);
  expect(findWordings("the frame stands out; Unix epoch; tells the two apart; of its own day")).toEqual([]);
});
