import { expect, test } from "vitest";
import { restMsAfter } from "#analysis/queue/runner.ts";

test("a slot rests in proportion to the analysis before, but never longer than four seconds", () => {
  expect(restMsAfter(0)).toBe(0);
  expect(restMsAfter(50)).toBe(450);
  expect(restMsAfter(3_000)).toBe(4_000);
});
