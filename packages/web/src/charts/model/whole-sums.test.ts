import { expect, it } from "vitest";
import { wholeSums } from "./whole-sums.ts";

const isWhole = (at: number) => at === 1 || at === 2;

it("sums of buckets that are not whole are not drawn", () => {
  const lines = [
    [1, 2, null, 1],
    [null, null, null, 5],
  ];
  expect(wholeSums(lines, isWhole)).toEqual([
    [null, 2, null, null],
    [null, null, null, null],
  ]);
});

it("sums are drawn in a bucket that still fills if nothing else was measured", () => {
  const lines = [
    [null, null, null, 1],
    [null, null, null, 5],
  ];
  expect(wholeSums(lines, isWhole)).toEqual(lines);
});
