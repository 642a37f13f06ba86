import { type FlameView, nodeAtRef, nodeRefOf, widestPlace, zoomedNode } from "@flamekeep/flame";
import {
  type ComparedTree,
  type Comparison,
  changePalette,
  changeStep,
  layOut,
  type Scale,
  type WidthSide,
} from "@flamekeep/flame/compare";
import { useMemo } from "react";
import type { GraphLook } from "#flame-graph/canvas/scene.ts";
import type { Scaling } from "./change-text.ts";

export interface DrawnComparison {
  readonly tree: ComparedTree;
  readonly look: GraphLook;
}

/** The comparison as a tree whose colours show the change of each frame with its callees. */
export function useDrawn(comparison: Comparison, { scale }: Scaling, widthOf: WidthSide): DrawnComparison {
  return useMemo(() => drawn(comparison, scale, widthOf), [comparison, scale, widthOf]);
}

function drawn(comparison: Comparison, scale: Scale, widthOf: WidthSide): DrawnComparison {
  const tree = widthOf === "both" ? wholeLayout(comparison, scale) : layOut(comparison, scale, widthOf);
  const { before, after } = tree;
  const colourOf = (node: number) =>
    changeStep(before.total[node]! * scale.before, after.total[node]! * scale.after);
  return { tree, look: { paletteOf: changePalette, colourOf } };
}

/** As `useDrawn`, where there may be none. */
export function useDrawnOf(comparison: Comparison | null, { scale }: Scaling): DrawnComparison | null {
  return useMemo(() => (comparison === null ? null : drawn(comparison, scale, "both")), [comparison, scale]);
}

const wholeLayouts = new WeakMap<Comparison, ComparedTree>();

/** The layout of both sides as one graph, made once for the drawing, the summary and links to the widest place of a function. */
export function wholeLayout(comparison: Comparison, scale: Scale): ComparedTree {
  const latest = wholeLayouts.get(comparison);
  if (latest?.scale.before === scale.before && latest.scale.after === scale.after) return latest;
  const tree = layOut(comparison, scale);
  wholeLayouts.set(comparison, tree);
  return tree;
}

/** Node of each node of the comparison, by layout. */
const inverses = new WeakMap<ComparedTree, Uint32Array>();

function inverseOf(tree: ComparedTree): Uint32Array {
  let nodes = inverses.get(tree);
  if (nodes === undefined) {
    nodes = new Uint32Array(tree.length);
    for (let node = 0; node < tree.length; node++) nodes[tree.source[node]!] = node;
    inverses.set(tree, nodes);
  }
  return nodes;
}

/** The node of another layout of the same comparison. */
export function nodeIn(to: ComparedTree, from: ComparedTree, node: number): number {
  return inverseOf(to)[from.source[node]!]!;
}

/** The view of one layout of a comparison in another one, whose siblings may have another order. */
export function viewIn(view: FlameView, from: ComparedTree, to: ComparedTree): FlameView {
  if (view.zoom === "" && view.focus === "") return view;
  const moved = (at: number) => {
    let node = nodeIn(to, from, at);
    // A frame that only the other side has cannot fill the width.
    while (node > 0 && to.width[node] === 0) node = to.parent[node]!;
    return nodeRefOf(to, node);
  };
  return { ...view, zoom: moved(zoomedNode(from, view)), focus: moved(nodeAtRef(from, view.focus)) };
}

/** The drawings of a comparison to which the references of a view belong. */
export interface Drawings {
  readonly comparison: Comparison;
  readonly tree: ComparedTree;
  readonly callers: { readonly comparison: Comparison; readonly tree: ComparedTree } | null;
}

/**
 * The view of a link, whose references follow the order of the comparison, in the order in which it is drawn. The order of siblings in a
 * drawing depends on the scale and on the frames that were loaded since; the drawing of the comparison does not.
 */
export function drawnView(view: FlameView, { comparison, tree, callers }: Drawings): FlameView {
  const moved = (ref: string, from: Comparison, to: ComparedTree) =>
    isPlace(ref) ? nodeRefOf(to, inverseOf(to)[nodeAtRef(from, ref)]!) : ref;
  return {
    ...view,
    zoom: moved(view.zoom, comparison, tree),
    focus: moved(view.focus, comparison, tree),
    callersZoom:
      callers === null ? view.callersZoom : moved(view.callersZoom, callers.comparison, callers.tree),
  };
}

/** The inverse of `drawnView`: a drawn view with the references of the comparison, for a link. */
export function linkedView(view: FlameView, { comparison, tree, callers }: Drawings): FlameView {
  const moved = (ref: string, from: ComparedTree, to: Comparison) =>
    isPlace(ref) ? nodeRefOf(to, from.source[nodeAtRef(from, ref)]!) : ref;
  return {
    ...view,
    zoom: moved(view.zoom, tree, comparison),
    focus: moved(view.focus, tree, comparison),
    callersZoom:
      callers === null ? view.callersZoom : moved(view.callersZoom, callers.tree, callers.comparison),
  };
}

function isPlace(ref: string): boolean {
  return ref !== "" && ref !== widestPlace;
}
