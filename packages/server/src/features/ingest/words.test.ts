import fc from "fast-check";
import { expect, test } from "vitest";
import { base64, toBigInts, toWords } from "./words.ts";

const bigints = (words: Uint32Array) => [...new BigInt64Array(words.buffer)];

test("writes doubles and 64-bit integers as the same words", () => {
  fc.assert(
    fc.property(fc.array(fc.maxSafeInteger()), (values) => {
      const doubles = Float64Array.from(values);
      expect(bigints(toWords([doubles, toBigInts(doubles)], values.length))).toEqual(
        [...values, ...values].map(BigInt),
      );
    }),
  );
});

test("keeps what a double cannot hold", () => {
  const column = BigInt64Array.of(2n ** 53n + 1n, -(2n ** 63n));
  expect(bigints(toWords([column], 2))).toEqual([...column]);
});

test("a part of a longer array is only that part", () => {
  const column = BigInt64Array.of(1n, 2n, 3n).subarray(1);
  expect(bigints(toWords([column], 2))).toEqual([2n, 3n]);
  expect(base64(Uint8Array.of(1, 2, 3).subarray(1))).toBe("AgM=");
});
