import { readFileSync } from "node:fs";
import { decodeFlameGraph, functionTotals, isCut } from "@flamekeep/flame";
import { expect, it } from "vitest";

it("the recorded graph, which has its widest frames, names functions by all of them", () => {
  const { tree } = decodeFlameGraph(readFileSync(new URL("./checkout-cpu.bin", import.meta.url)));
  expect(isCut(tree)).toBe(true);
  expect(functionTotals(tree).self.reduce((sum, value) => sum + value, 0)).toBe(tree.total[0]);
});
