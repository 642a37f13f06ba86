import { expect, test } from "vitest";
import { ByteBudget } from "./budget.ts";

test("gives out no more than it has, and takes everything back once", () => {
  const budget = new ByteBudget(100);
  const first = budget.reserve(60);
  expect(budget.reserve(41)).toBeUndefined();
  expect(first?.grow(40)).toBe(true);
  expect(first?.grow(1)).toBe(false);
  expect(budget.usedBytes).toBe(100);
  first?.release();
  first?.release();
  expect(budget.usedBytes).toBe(0);
});
