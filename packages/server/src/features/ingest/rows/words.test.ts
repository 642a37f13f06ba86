import { expect, test } from "vitest";
import { wordsAt } from "./words.ts";

test("values become 64-bit words whatever their sign and size, in the order asked for", () => {
  const numbers = Float64Array.of(0, 1, -1, 2 ** 32, -(2 ** 32) - 5, 2 ** 53 - 1, 1 - 2 ** 53, 2 ** 32 - 1);
  const wide = BigInt64Array.of(...[...numbers].map(BigInt));
  const asInts = (words: Uint32Array) => [...new BigInt64Array(words.slice().buffer)];
  const places = Uint32Array.of(7, 2, 5);
  for (const column of [numbers, wide]) {
    expect(asInts(wordsAt(column, places))).toEqual([2n ** 32n - 1n, -1n, 2n ** 53n - 1n]);
  }
});
