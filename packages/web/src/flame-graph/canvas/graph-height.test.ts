import { buildCallTree, rowHeight } from "@flamekeep/flame";
import { stacksOf } from "@flamekeep/flame/testing";
import { expect, it } from "vitest";
import { graphHeight, halfHeight } from "./graph-height.ts";

function heightOf(levels: number): number {
  const names = Array.from({ length: levels }, (_, level) => `f${level}`);
  return graphHeight(buildCallTree(stacksOf(`${names.join(";")} 1`), 0));
}

it("is as high as a shallow tree needs, and at most 800 px", () => {
  // 20 px above, 24 px for each level, the root and the space below.
  expect([1, 6, 20, 32, 200].map(heightOf)).toEqual([140, 20 + 8 * 24, 20 + 22 * 24, 800, 800]);
});

it("leaves no room for frames that are narrower than a pixel", () => {
  const deep = Array.from({ length: 30 }, (_, level) => `f${level}`).join(";");
  const heightWith = (share: number) =>
    graphHeight(buildCallTree(stacksOf(`a;b;c;d;e;f 10000\n${deep} ${share}`), 0));
  expect([heightWith(1), heightWith(100)]).toEqual([20 + 8 * 24, 20 + 32 * 24]);
});

it("gives the callers as much height as their rows take", () => {
  const callers = buildCallTree(stacksOf("json;handle;serve 50\njson;log 30"), 0);
  expect(halfHeight(callers, "callers")).toBe(2 * rowHeight);
});
