import fc from "fast-check";
import { expect, it } from "vitest";
import { Int64Column } from "./int64-column.ts";

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

it("reads and adds up as BigInts do", () => {
  const columns = fc.tuple(fc.array(int64), fc.nat(3));
  fc.assert(
    fc.property(columns, ([values, skipped]) => {
      const column = BigInt64Array.from(values).subarray(skipped);
      const read = new Int64Column(column);
      expect(Array.from(column, (_, at) => read.numberAt(at))).toEqual(Array.from(column, Number));
      expect(read.sum()).toBe(column.reduce((sum, value) => sum + value, 0n));
    }),
  );
});

it("adds up exactly more values than fit into a number", () => {
  const column = new BigInt64Array(2 ** 21 + 3).fill(2n ** 63n - 1n);
  expect(new Int64Column(column).sum()).toBe((2n ** 63n - 1n) * BigInt(column.length));
});
