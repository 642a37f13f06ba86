import { expect, test } from "vitest";
import { free } from "./free.ts";

test("frees large memory through a view of any part of it", () => {
  const memory = new Uint8Array(100_000);
  free(memory.subarray(10, 20));
  expect(memory.length).toBe(0);
  free(memory);
});

test("keeps the pool of small buffers", () => {
  const neighbours = [Buffer.from("one"), Buffer.from("two")];
  free(neighbours[0]!);
  expect(neighbours.map(String)).toEqual(["one", "two"]);
});
