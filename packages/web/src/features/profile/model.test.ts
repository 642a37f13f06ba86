import { expect, test } from "vitest";
import { omissionsOf, spacedDuration } from "./model.ts";

test("each omission of a profile has a sentence with its reason", () => {
  expect(omissionsOf({ gauges: 2, depth: 1, labels: 3, other: 2 })).toEqual([
    "Memory in use is left out, because this profile is a difference (?seconds=).",
    "1 stack had too many frames; the leaf side was cut.",
    "3 labels beyond the limit of a sample left out.",
    "A limit cut other (2 times).",
  ]);
});

test.each([
  ["10s", "10 s"],
  ["1m30s", "1 m 30 s"],
  ["250ms", "250 ms"],
])("a duration of %s is shown as %s", (given, shown) => {
  expect(spacedDuration(given)).toBe(shown);
});
