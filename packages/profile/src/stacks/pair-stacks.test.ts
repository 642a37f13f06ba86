import { expect, it } from "vitest";
import { hasGaugeDifferences } from "./pair-stacks.ts";

const heap = ["alloc_objects", "alloc_space", "inuse_objects", "inuse_space"].map((type) => ({
  type,
  unit: type.endsWith("space") ? "bytes" : "count",
}));
const columns = (...rows: number[][]) => heap.map((_, i) => Float64Array.from(rows, (row) => row[i]));
const seconds = 1_000_000_000n;

it.each([
  ["memory in use that shrank", columns([1, 10, -1, -10]), 0n, true],
  ["a window in which memory in use grew by what was allocated", columns([2, 20, 1, 10]), seconds, true],
  ["a window in which all that was allocated is in use", columns([2, 20, 2, 20]), seconds, true],
  ["a snapshot in which nothing is in use", columns([2, 20, 0, 0]), 0n, false],
  ["a window in which nothing happened", columns(), seconds, true],
  ["a window and what is in use at its end", columns([0, 0, 5, 50], [2, 20, 1, 10]), seconds, false],
  ["a snapshot", columns([2, 20, 1, 10]), 0n, false],
])("%s", (_, values, durationNs, expected) => {
  expect(hasGaugeDifferences(heap, values, durationNs)).toBe(expected);
});

it("counts whole numbers beyond 2^53 as well", () => {
  const values = columns([1, 10, 0, 0]).map((column) => BigInt64Array.from(column, BigInt));
  values[3][0] = -(2n ** 60n);
  expect(hasGaugeDifferences(heap, values, 0n)).toBe(true);
});

it("only concerns heap profiles", () => {
  const types = [{ type: "cpu", unit: "nanoseconds" }];
  expect(hasGaugeDifferences(types, [Float64Array.of(-5)], seconds)).toBe(false);
});
