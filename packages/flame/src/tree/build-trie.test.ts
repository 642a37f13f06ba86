import { expect, it } from "vitest";
import { Trie } from "./build-trie.ts";

/** Numbers that start looking in the same few slots of a table of 2^16, by the hash of a trie. */
function colliding(count: number): number[] {
  const found: number[] = [];
  for (let fn = 0; found.length < count; fn++) {
    const mixed = Math.imul(fn + 1, 0x85ebca6b);
    if (((mixed ^ (mixed >>> 15)) & 0xffff) < 16) found.push(fn);
  }
  return found;
}

it("finds children with colliding ids in a bounded number of steps, before and after growth", () => {
  const functions = colliding(1000);
  const trie = new Trie(1 << 15, 1 << 15);
  let steps = 0;
  trie.parent = new Proxy(trie.parent, {
    get(nodes, key) {
      if (typeof key === "string" && /^\d+$/.test(key)) steps++;
      return Reflect.get(nodes, key);
    },
  });
  const nodes = functions.map((fn) => trie.child(0, fn, fn));
  expect(steps).toBeGreaterThan(20 * functions.length);
  expect(steps).toBeLessThan(100 * functions.length);
  expect(nodes).toEqual(functions.map((_, i) => i + 1));
  expect(functions.map((fn) => trie.child(0, fn, fn))).toEqual(nodes);

  const small = new Trie(1, 1001);
  expect(functions.map((fn) => small.child(0, fn, fn))).toEqual(nodes);
  expect(functions.map((fn) => small.child(0, fn, 7))).toEqual(nodes);
  expect([...small.line.subarray(0, 1001)]).toEqual([0, ...functions.map((fn) => (fn === 7 ? 7 : 0))]);
  expect(small.length).toBe(1001);
  expect(small.child(1, 1, 1)).toBe(-1);
});
