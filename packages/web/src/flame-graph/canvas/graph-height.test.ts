import { buildCallTree } from "@flamekeep/flame";
import { stacksOf } from "@flamekeep/flame/testing";
import { expect, it } from "vitest";
import { graphHeight } from "./graph-height.ts";

function heightOf(levels: number): number {
  const names = Array.from({ length: levels }, (_, level) => `f${level}`);
  return graphHeight(buildCallTree(stacksOf(`${names.join(";")} 1`), 0));
}

it("is as high as a shallow tree needs, and at most 800 px", () => {
  // 20 px above, 24 px for each level, the root and the space below.
  expect([1, 6, 20, 32, 200].map(heightOf)).toEqual([140, 20 + 8 * 24, 20 + 22 * 24, 800, 800]);
});
