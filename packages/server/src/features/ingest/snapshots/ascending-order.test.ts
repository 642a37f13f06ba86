import { expect, test } from "vitest";
import { ascendingOrder } from "./ascending-order.ts";

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
