import { breadthFirst, firstChildren } from "./breadth-first.ts";
import type { AllFrames, CallTree, Scale } from "./call-tree.ts";
import { gather, gathered, isWidestFirst, lowerBound, summed } from "./columns.ts";
import {
  deriveColumns,
  type ElidedFrames,
  skeletonOf,
  type TreeSkeleton,
  totalsOf,
  widestValues,
} from "./derive.ts";

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

/** The rows at new nodes; the rows of one node are summed. @param place new node of each node, -1 where the rows are dropped */
export function placeElisions(elisions: ElidedFrames, place: Int32Array): ElidedFrames {
  const { rowOf, node } = rowsAt(elisions, place);
  const added = (column: Float64Array) => summed(column, rowOf, node.length);
  return {
    length: node.length,
    node,
    count: added(elisions.count),
    largest: largestOf(elisions, rowOf, node.length),
    values: elisions.values.map(added),
    width: added(elisions.width),
  };
}

/** The nodes with rows in ascending order, and the new row of each old one, -1 where it is dropped. */
function rowsAt({ node, length }: ElidedFrames, place: Int32Array) {
  const at = new Int32Array(length);
  for (let row = 0; row < length; row++) at[row] = place[node[row]];
  const sorted = at.slice().sort();
  let count = 0;
  for (let row = 0; row < length; row++)
    if (sorted[row] !== -1 && (row === 0 || sorted[row] !== sorted[row - 1])) sorted[count++] = sorted[row];
  const nodes = Uint32Array.from(sorted.subarray(0, count));
  const rowOf = at.map((found) => (found === -1 ? -1 : lowerBound(nodes, found)));
  return { rowOf, node: nodes };
}

/** The widest frame of rows that become one: only each row's own widest frame is known, so the widest row decides. */
function largestOf({ largest, width }: ElidedFrames, rowOf: Int32Array, rows: number): Uint32Array {
  const names = new Uint32Array(rows);
  const widest = new Float64Array(rows).fill(-1);
  for (let row = 0; row < rowOf.length; row++) {
    const at = rowOf[row];
    if (at === -1 || width[row] <= widest[at]) continue;
    widest[at] = width[row];
    names[at] = largest[row];
  }
  return names;
}

/** The scale with which the total of each column is 1; a column without values stays as it is. */
export function shareScale({ columns }: Pick<CallTree, "columns">): Scale {
  return columns.map(({ total }) => (total[0] === 0 ? 1 : 1 / total[0]));
}

/** The tree with the values of each column divided, as the mean of gauges is. The same one for divisors of 1. */
export function dividedBy(tree: CallTree, divisors: readonly number[]): CallTree {
  if (divisors.every((divisor) => divisor === 1)) return tree;
  const { self, total, allFrames, elisions, ...skeleton } = skeletonOf(tree);
  const each = (columns: readonly Float64Array[]) =>
    columns.map((values, at) => (at < divisors.length ? quotients(values, divisors[at]) : values));
  const isSingle = divisors.length === 1;
  const divided = deriveColumns({
    ...skeleton,
    self: each(self),
    total: total && each(total),
    allFrames: allFrames?.map((sums, at) => dividedSums(sums, divisors[at])),
    scale: isSingle ? tree.scale : tree.scale.map((factor, at) => factor * divisors[at]),
    elisions: {
      ...elisions,
      values: each(elisions.values),
      width: isSingle ? quotients(elisions.width, divisors[0]) : elisions.width,
    },
  });
  return { ...tree, ...divided };
}

function dividedSums({ frames, self, total, ofPackage, selfByOwner }: AllFrames, divisor: number): AllFrames {
  return {
    frames,
    self: quotients(self, divisor),
    total: quotients(total, divisor),
    ofPackage: quotients(ofPackage, divisor),
    selfByOwner: quotients(selfByOwner, divisor),
  };
}

function quotients(values: Float64Array, divisor: number): Float64Array {
  return values.map((value) => value / divisor);
}
