import fc from "fast-check";
import { expect, test } from "vitest";
import { profileTail } from "./profile-line.ts";

/** Values as the engine reads them: 64-bit integers, which JavaScript's own JSON would round. */
function valuesIn(tail: string): bigint[][] {
  const text = /,\[(\[.*\])\]\]\n$/.exec(tail)?.[1] ?? "";
  return [...text.matchAll(/\[([^\]]*)\]/g)].map(([, list = ""]) =>
    list === "" ? [] : list.split(",").map(BigInt),
  );
}

test("writes doubles and 64-bit integers as the same digits", () => {
  fc.assert(
    fc.property(fc.array(fc.maxSafeInteger()), (values) => {
      const columns = [Float64Array.from(values), BigInt64Array.from(values, BigInt)];
      const expected = values.map(BigInt);
      expect(valuesIn(profileTail(new Uint8Array(), [0n, 0n], columns))).toEqual([expected, expected]);
    }),
  );
});

test("keeps what a double cannot hold", () => {
  const column = BigInt64Array.of(2n ** 53n + 1n, -(2n ** 63n));
  expect(valuesIn(profileTail(new Uint8Array(), [0n], [column]))).toEqual([[...column]]);
});

test("writes ids as little-endian words", () => {
  expect(profileTail(Uint32Array.of(1, 0), [5n], [Float64Array.of(5)])).toBe('"AQAAAAAAAAA=",[5],[[5]]]\n');
});
