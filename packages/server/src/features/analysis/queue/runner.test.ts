import { expect, test } from "vitest";
import { restMsAfter } from "#analysis/queue/runner.ts";

test("a slot rests in proportion to the analysis before, but never longer than two seconds", () => {
  expect(restMsAfter(50, 0)).toBe(0);
  expect(restMsAfter(50, 4)).toBe(200);
  expect(restMsAfter(3_000, 4)).toBe(2_000);
});
