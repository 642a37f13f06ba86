import fc from "fast-check";
import { expect, test } from "vitest";
import { type Counters, canFollow, growthOf, totalsOf } from "./counters.ts";

function counters(...stacks: [id: number, ...values: number[]][]): Counters {
  const width = (stacks[0]?.length ?? 2) - 1;
  return {
    ids: BigUint64Array.from(stacks, ([id]) => BigInt(id)),
    values: Array.from({ length: width }, (_, c) =>
      BigInt64Array.from(stacks, (stack) => BigInt(stack[c + 1]!)),
    ),
  };
}

const grown = (earlier: Counters, later: Counters) =>
  growthOf(earlier, later)?.map((column) => Array.from(column, Number));

test("subtracts stack by stack, and takes new stacks whole", () => {
  expect(grown(counters([1, 10, 100], [5, 7, 70]), counters([1, 12, 120], [3, 1, 10], [5, 7, 70]))).toEqual([
    [2, 1, 0],
    [20, 10, 0],
  ]);
});

test.each([
  ["a value that fell", counters([1, 10], [2, 5]), counters([1, 11], [2, 4])],
  ["a stack that vanished", counters([1, 10], [2, 5]), counters([1, 11], [3, 9])],
  ["a last stack that vanished", counters([1, 10], [2, 5]), counters([1, 11])],
])("%s means another process", (_, earlier, later) => {
  expect(grown(earlier, later)).toBeUndefined();
});

test("a process without stacks may grow to anything", () => {
  expect(grown(counters(), counters([1, 3]))).toEqual([[3]]);
  expect(grown(counters(), counters())).toEqual([[]]);
});

test("the earlier snapshot and the growth make the later snapshot", () => {
  const growth = fc.dictionary(
    fc.integer({ min: 1, max: 30 }).map(String),
    fc.bigInt({ min: 0n, max: 1n << 60n }),
  );
  fc.assert(
    fc.property(growth, growth, (first, more) => {
      const keys = [...new Set([...Object.keys(first), ...Object.keys(more)])]
        .map(Number)
        .sort((a, b) => a - b);
      const columns = (ids: number[], value: (id: number) => bigint): Counters => ({
        ids: BigUint64Array.from(ids, BigInt),
        values: [BigInt64Array.from(ids, value)],
      });
      const firstIds = keys.filter((id) => String(id) in first);
      const earlier = columns(firstIds, (id) => first[id] ?? 0n);
      const later = columns(keys, (id) => (first[id] ?? 0n) + (more[id] ?? 0n));
      const values = growthOf(earlier, later);
      expect([...(values?.[0] ?? [])]).toEqual(keys.map((id) => more[id] ?? 0n));
    }),
  );
});

test("compares and adds all 64 bits, with their sign", () => {
  const int64 = fc.oneof(
    fc.bigInt({ min: -(1n << 62n), max: (1n << 62n) - 1n }),
    fc.bigInt({ min: -3n, max: 3n }),
    fc.bigInt({ min: -3n, max: 3n }).map((offset) => (1n << 32n) + offset),
  );
  const stacks = fc.array(fc.tuple(int64, int64), { maxLength: 20 });
  fc.assert(
    fc.property(stacks, (pairs) => {
      const ids = BigUint64Array.from(pairs, (_, i) => BigInt(i) << 31n);
      const earlier = { ids, values: [BigInt64Array.from(pairs, ([before]) => before)] };
      const later = { ids, values: [BigInt64Array.from(pairs, ([, after]) => after)] };
      const isGrowth = pairs.every(([before, after]) => after >= before);
      expect(canFollow(earlier, later)).toBe(isGrowth);
      const growth = growthOf(earlier, later);
      expect(growth && [...growth[0]!]).toEqual(
        isGrowth ? pairs.map(([before, after]) => after - before) : undefined,
      );
      expect(totalsOf(later.values)).toEqual([pairs.reduce((sum, [, after]) => sum + after, 0n)]);
    }),
  );
});
