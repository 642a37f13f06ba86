import { expect, test } from "vitest";
import { atLeast, atMost, meetsBar, quantile, toTable } from "./result.ts";

test("a bar is met at its own value", () => {
  expect(meetsBar({ what: "ratio", value: 4, unit: "", bar: atMost(4) })).toBe(true);
  expect(meetsBar({ what: "ratio", value: 4.01, unit: "", bar: atMost(4) })).toBe(false);
  expect(meetsBar({ what: "rate", value: 499, unit: "/s", bar: atLeast(500) })).toBe(false);
});

test("quantiles are values that occur", () => {
  expect(quantile([5, 1, 3], 0.5)).toBe(3);
  expect(quantile([5, 1, 3], 0.99)).toBe(5);
  expect(() => quantile([], 0.5)).toThrow("no values");
});

test("the table says which bar is missed", () => {
  const measurements = [{ what: "lost", value: 1, unit: "profiles", bar: atMost(0, true) }];
  expect(toTable([{ name: "crash", input: "", measurements }])).toMatch(
    /crash {2}lost {2}1 profiles .*at most 0 .*missed/,
  );
});
