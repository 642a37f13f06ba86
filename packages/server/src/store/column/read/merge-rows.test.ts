import { expect, test } from "vitest";
import { mergeRows } from "./merge-rows.ts";

test("rows that were merged before are merged once, also when the cache is full", () => {
  const rows: Parameters<typeof mergeRows>[0] = [];
  const cuts = Array.from({ length: 8 }, (_, at) => [at]);
  const merged = cuts.map((each) => mergeRows(rows, each));
  for (const [at, each] of cuts.entries()) expect(mergeRows(rows, each)).toBe(merged[at]);
});
