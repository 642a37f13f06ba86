import { expect, test } from "vitest";
import { pprofOf } from "#ingest/testing/pprof-of.ts";
import { ascendingOrder, countersOf, wordsAt } from "./read-counters.ts";

test("counters of a profile as large as any that is accepted are read", () => {
  const heap = pprofOf({
    sampleTypes: ["alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"],
    samples: [["main;keep", 3, 300, 2, 200]],
    vdso: 0x7f0000001000,
  });
  // A field that no reader knows: the profile is larger than 64 MiB and below INGEST_MAX_INFLATED_BYTES.
  const padding = Buffer.alloc(75_000_000, Buffer.of(0xf8, 0x7f, 1));
  const counters = countersOf(Uint8Array.from(Buffer.concat([heap, padding])));
  expect(counters?.stackValues.values.map((column) => [...column])).toEqual([[3n], [300n], [2n], [200n]]);
  expect(counters?.identity).toBe("7f0000001000");
});

test("ids are in order of all their 64 bits, equal ones in order of place", () => {
  const ids = BigUint64Array.of(5n, 2n ** 63n, 0n, 2n ** 32n + 7n, 2n ** 32n + 1n, 5n, 2n ** 64n - 1n, 1n);
  const order = ascendingOrder(new Uint32Array(ids.buffer), ids.length);
  expect([...order]).toEqual([2, 7, 0, 5, 4, 3, 1, 6]);
});

test("many ids are in the order of their comparison", () => {
  const halves = Uint32Array.from({ length: 4000 }, (_, i) => Math.imul(i + 1, 0x9e3779b1) ^ (i % 3));
  for (let i = 1; i < halves.length; i += 6) halves[i] = 77;
  const ids = new BigUint64Array(halves.buffer);
  const expected = [...ids.keys()].sort((a, b) => (ids[a]! < ids[b]! ? -1 : ids[a]! > ids[b]! ? 1 : a - b));
  expect([...ascendingOrder(halves, ids.length)]).toEqual(expected);
});

test("values become 64-bit words whatever their sign and size, in the order asked for", () => {
  const numbers = Float64Array.of(0, 1, -1, 2 ** 32, -(2 ** 32) - 5, 2 ** 53 - 1, 1 - 2 ** 53, 2 ** 32 - 1);
  const wide = BigInt64Array.of(...[...numbers].map(BigInt));
  const asInts = (words: Uint32Array) => [...new BigInt64Array(words.slice().buffer)];
  const places = Uint32Array.of(7, 2, 5);
  for (const column of [numbers, wide]) {
    expect(asInts(wordsAt(column, places))).toEqual([2n ** 32n - 1n, -1n, 2n ** 53n - 1n]);
  }
});
