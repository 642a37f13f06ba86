import fc from "fast-check";
import { expect, test } from "vitest";
import { IdSet } from "./id-set.ts";

test("reports each id as new once", () => {
  const word = fc.nat({ max: 40 }).map((n) => (n * 0x9e3779b1) >>> 0);
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word), { maxLength: 500 }), (ids) => {
      const set = new IdSet(1000);
      const known = new Set<string>();
      for (const [low, high] of ids) {
        const isNew = set.add(low, high);
        expect(isNew).toBe((low === 0 && high === 0) || !known.has(`${low}:${high}`));
        if (low !== 0 || high !== 0) known.add(`${low}:${high}`);
      }
      expect(set.size).toBe(known.size);
    }),
  );
});

test("grows, and forgets when it is full", () => {
  const set = new IdSet(10_000);
  for (let i = 1; i <= 10_000; i++) expect(set.add(i, i)).toBe(true);
  expect(set.add(77, 77)).toBe(true);
  expect(set.size).toBe(1);
});

test("finds the missing ids among many, through a salt", () => {
  const set = new IdSet(1000);
  const ids = Uint32Array.from([1, 2, 3, 4, 5, 6, 0, 0, 0x9e3779b1, 0xffffffff]);
  const salt = [0xdeadbeef, 7] as const;
  const put = (place: number) =>
    set.add((ids[2 * place]! ^ salt[0]) >>> 0, (ids[2 * place + 1]! ^ salt[1]) >>> 0);
  expect(set.missing(ids, 5, ...salt)).toEqual([0, 1, 2, 3, 4]);
  put(1);
  put(4);
  expect(set.missing(ids, 5, ...salt)).toEqual([0, 2, 3]);
  expect(set.missing(ids, 2, ...salt)).toEqual([0]);
});
