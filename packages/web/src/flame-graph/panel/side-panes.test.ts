// @vitest-environment happy-dom
import { defaultFlameView, layOut, nodeRefOf } from "@flamekeep/flame";
import { compared } from "@flamekeep/flame/testing";
import { describe, expect, it } from "vitest";
import { nodeIn, viewIn } from "./side-panes.tsx";

const comparison = compared("a;x 30\nb;y 20", "a;x 10\nb;y 90\nc 5");
const both = layOut(comparison, [1, 1]);
const before = layOut(comparison, [1, 1], 0);

const nodeNamed = (tree: typeof both, name: string) => tree.fn.indexOf(tree.functions.name.indexOf(name));

describe("a view of one layout in another", () => {
  it("zooms to the same frame, whose siblings have another order", () => {
    expect([nodeNamed(both, "a"), nodeNamed(before, "a")]).toEqual([2, 1]);
    const zoomed = { ...defaultFlameView, zoom: nodeRefOf(both, nodeNamed(both, "x")), search: "y" };
    const moved = viewIn(zoomed, both, before);
    expect(moved).toEqual({ ...zoomed, zoom: nodeRefOf(before, nodeNamed(before, "x")) });
    expect(viewIn(moved, before, both)).toEqual(zoomed);
    expect(nodeIn(before, both, nodeNamed(both, "b"))).toBe(nodeNamed(before, "b"));
  });

  it("zooms to the caller of a frame that the other side does not have", () => {
    const zoomed = { ...defaultFlameView, zoom: nodeRefOf(both, nodeNamed(both, "c")) };
    expect(viewIn(zoomed, both, before).zoom).toBe("");
  });
});
