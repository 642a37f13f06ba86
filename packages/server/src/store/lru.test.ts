import { expect, it } from "vitest";
import { LruCache } from "./lru.ts";

it("evicts the least recently used entries when the total weight exceeds the limit", () => {
  const cache = new LruCache<string>(10);
  cache.set("a", "first", 4);
  cache.set("b", "second", 4);
  expect(cache.get("a")).toBe("first");
  cache.set("c", "third", 4);
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual(["first", undefined, "third"]);
  cache.set("a", "again", 1);
  cache.set("d", "fourth", 5);
  expect([cache.get("a"), cache.get("c"), cache.get("d")]).toEqual(["again", "third", "fourth"]);
  cache.set("e", "too heavy", 11);
  expect([cache.get("a"), cache.get("e")]).toEqual([undefined, undefined]);
});
