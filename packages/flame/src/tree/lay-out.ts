import { breadthFirst, firstChildren } from "./breadth-first.ts";
import type { CallTree, Scale } from "./call-tree.ts";
import { gather, gathered, isWidestFirst } from "./columns.ts";
import { deriveColumns, skeletonOf, type TreeSkeleton, totalsOf, widestValues } from "./derive.ts";
import { placeElisions } from "./place-elisions.ts";

/** A tree whose siblings are sorted for its scale. */
export interface LaidOutTree extends CallTree {
  /** Node of the tree that was laid out, for each node. */
  readonly source: Uint32Array;
}

/**
 * Sorts siblings by width for a scale. Shares arrays with the tree if its order already fits. A single column is drawn as measured.
 *
 * @param widthOf the only column that determines the widths, for graphs next to each other; left out for the widest of all
 */
export function layOut(tree: CallTree, scale: Scale, widthOf?: number): LaidOutTree {
  const { columns, elisions, parent } = tree;
  const isAsBefore =
    columns.length === 1 ||
    (tree.widthOf === widthOf && scale.every((factor, column) => factor === tree.scale[column]));
  const drawn = isAsBefore ? undefined : widestValues(columns, { scale, widthOf });
  const width = drawn === undefined ? tree.width : totalsOf(drawn.self, parent, elisions, drawn.elided);
  const isSorted = isWidestFirst(width, parent);
  if (isSorted && isAsBefore) return { ...tree, source: inOrder(tree) };
  const { order, skeleton } = isSorted
    ? { order: inOrder(tree), skeleton: skeletonOf(tree) }
    : reordered(tree, width);
  return { ...tree, ...deriveColumns({ ...skeleton, scale, widthOf }), source: order };
}

function inOrder({ length }: CallTree): Uint32Array {
  const places = new Uint32Array(length);
  for (let node = 0; node < length; node++) places[node] = node;
  return places;
}

/** The tree with its siblings sorted by a width. Totals of a single column are added up again. */
export function reordered(tree: CallTree, width: Float64Array) {
  const { order, childCount } = breadthFirst(tree, width, tree.functions);
  const place = new Int32Array(order.length);
  for (let at = 0; at < order.length; at++) place[order[at]] = at;
  const { self, total, fn, line, elisions, parent: _, ...others } = skeletonOf(tree);
  const pick = (column: Float64Array) => gathered(column, order);
  const skeleton: TreeSkeleton = {
    ...others,
    firstChild: firstChildren(order, childCount),
    fn: gather(fn, order, new Uint32Array(order.length)),
    line: gather(line, order, new Int32Array(order.length)),
    self: self.map(pick),
    total: tree.columns.length === 1 ? undefined : total?.map(pick),
    elisions: placeElisions(elisions, place),
  };
  return { order, skeleton };
}
