import { defaultFlameView, layOut, nodeRefOf, widestPlace } from "@flamekeep/flame";
import { compared } from "@flamekeep/flame/testing";
import { describe, expect, it } from "vitest";
import { wholeLayout } from "./change-text.ts";
import { drawnView, linkedView } from "./drawing.ts";

const comparison = compared("a;x 30\nb;y 20", "a;x 10\nb;y 90\nc 5");
const both = layOut(comparison, [1, 1]);

const nodeNamed = (tree: typeof both, name: string) => tree.fn.indexOf(tree.functions.name.indexOf(name));

it("is laid out again only for another scale", () => {
  const scale = [1, 1];
  const tree = wholeLayout(comparison, scale);
  expect(tree).toEqual(both);
  expect(wholeLayout(comparison, [...scale])).toBe(tree);
  expect(wholeLayout(comparison, [9, 1]).width).not.toEqual(tree.width);
});

describe("a view of a link", () => {
  it("has the references of the comparison, whatever the scale of the drawing", () => {
    for (const scale of [
      [1, 1],
      [9, 1],
    ]) {
      const tree = layOut(comparison, scale);
      const drawings = { graph: comparison, tree, callers: { graph: comparison, tree } };
      const x = nodeRefOf(tree, nodeNamed(tree, "x"));
      const linked = linkedView({ ...defaultFlameView, zoom: x, callersZoom: x }, drawings);
      expect([linked.zoom, linked.callersZoom, linked.focus]).toEqual(["1.0", "1.0", ""]);
      expect(drawnView(linked, drawings)).toMatchObject({ zoom: x, callersZoom: x, focus: "" });
    }
    const nodes = [1, 9].map((before) => nodeNamed(layOut(comparison, [before, 1]), "a"));
    expect(nodes[0]).not.toBe(nodes[1]);
  });

  it("keeps the widest place of a function", () => {
    const drawings = { graph: comparison, tree: both, callers: null };
    const view = { ...defaultFlameView, zoom: widestPlace, selectedFunction: "b" };
    expect([linkedView(view, drawings), drawnView(view, drawings)]).toEqual([view, view]);
  });
});
