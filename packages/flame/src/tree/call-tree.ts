import type { ValueType } from "@flamekeep/profile";
import { lowerBound } from "./columns.ts";

/** In the unit of the tree's sample type, as are the left edges and widths of boxes. */
export type TreeValue = number;

/** A factor for each column, which makes their values comparable: for example 1 / seconds. */
export type Scale = readonly number[];

/** A column of measured values, by node. Nodes that only other columns have are 0. */
export interface NodeValues {
  readonly self: Float64Array;
  readonly total: Float64Array;
  /** By row of the tree's `elisions`. */
  readonly elided: Float64Array;
  /** Sums over all frames of the graph, where the tree has only some of them. Its functions are then those of all frames. */
  readonly allFrames?: AllFrames;
}

/**
 * A call tree as columns, in breadth-first order.
 *
 * ```
 *              root                     node        0  1  2  3  4  5
 *        main        gc                 fn       root main gc serve parse idle
 *   serve    parse      idle            firstChild  1  3  5  6  6  6  6   (children of i: [i], up to [i + 1])
 *                                       levelStart  0  1  3  6
 * ```
 *
 * Every sibling list is contiguous and sorted by width descending, then by name, so the boxes of one row are sorted by x,
 * and after the first child that is too narrow to draw all later siblings are too.
 *
 * Values are 64-bit in profiles and doubles here: exact up to 2^53, rounded in the last bits above (`isRounded`).
 *
 * Negative values (pprof allows them, differences have them) stay in `self` and `total`, which are exact sums. A box
 * cannot be narrower than nothing, so `width` = max(0, self) + the children's widths: a child's box is always inside its
 * parent's. Without negative values `width` is the same array as `total`.
 *
 * A comparison is a tree with a column of values for each side, and a node for each path that any of them has. Its measured values are in
 * `columns`; its `self`, `total` and `width` are the values of the widest side of each frame, scaled, so that nothing is hidden:
 *
 * ```
 *   before        after                     node              0    1    2    3      4
 *   main 30       main 50                   fn                root main gc   encode parse
 *     encode 30     parse 30, encode 20     columns[0].total  40   30   10   30     0
 *   gc 10         gc 10                     columns[1].total  60   50   10   20     30
 *                                           width             70   60   10   30     30
 * ```
 */
export interface CallTree {
  readonly length: number;
  readonly valueType: ValueType;
  readonly functions: FunctionTable;
  /** length + 1 offsets: children of node i are firstChild[i] .. firstChild[i + 1] - 1. */
  readonly firstChild: Uint32Array;
  /** -1 for the root. */
  readonly parent: Int32Array;
  /** Index into `functions`. */
  readonly fn: Uint32Array;
  /** Source line of the call if all samples agree on it, else 0. */
  readonly line: Int32Array;
  /** One for a single graph, whose arrays are also `self` and `total`. */
  readonly columns: readonly NodeValues[];
  readonly scale: Scale;
  /** The only column that determines the widths; left out for the widest of all. */
  readonly widthOf?: number | undefined;
  readonly self: Float64Array;
  readonly total: Float64Array;
  readonly width: Float64Array;
  /** Left edge in value units, the root's is 0. */
  readonly x: Float64Array;
  /** Number of samples under the node; where the profile has no count of samples, the number of distinct stacks. A comparison has its widths here. */
  readonly samples: Float64Array;
  /** depth + 1 offsets: nodes of level d are levelStart[d] .. levelStart[d + 1] - 1. */
  readonly levelStart: Uint32Array;
  readonly elisions: ElisionTable;
  /** The value that is 100%, where it is not the value of the tree's own root: a part of a tree has shares of the tree that it is from. */
  readonly whole?: TreeValue;
}

/** The tree without names: numbers only. */
export type TreeColumns = Omit<CallTree, "functions" | "valueType">;

/** Whether some frames of the graph are not in the tree. */
export function isCut({ elisions }: { readonly elisions: Pick<ElisionTable, "length"> }): boolean {
  return elisions.length > 0;
}

/** Distinct functions by name. Row 0 is the root, of a part the function of its first frame. The root and `[truncated]` are not functions of the program. */
export interface FunctionTable {
  readonly length: number;
  readonly name: readonly string[];
  readonly packageName: readonly string[];
  readonly file: readonly string[];
  /** Line on which the function starts, 0 where unknown. */
  readonly startLine: Int32Array;
  /** The names in profiles that are shown as each function, where they are not its name; absent if there are none. */
  readonly storedNames?: readonly (readonly string[])[];
  /** The frame of each row, of a graph by stored frame: a function then has a row for each of its frames. */
  readonly frames?: StoredFrames;
}

/** Frames as profiles have them, by row. Each is at one line. */
export interface StoredFrames {
  /** Readable, and otherwise whole: `slices.Max[go.shape.int]`. */
  readonly name: readonly string[];
  /** For example mangled. */
  readonly storedName: readonly string[];
  readonly file: readonly string[];
  readonly startLine: Int32Array;
}

/**
 * Frames elided under a node because they are small: they are counted, never merged into another frame. Sorted by node; a node's
 * elided frames are drawn to the right of its children.
 */
export interface ElisionTable {
  readonly length: number;
  /** Parent of the elided frames. */
  readonly node: Uint32Array;
  /** Number of elided frames, including those below them. */
  readonly count: Float64Array;
  readonly total: Float64Array;
  readonly width: Float64Array;
  readonly samples: Float64Array;
  /** Function of the widest elided frame. */
  readonly largest: Uint32Array;
}

/** Values per function, by function id. */
export interface FunctionTotals {
  readonly self: Float64Array;
  /** A recursive function counts once, at its outermost frame. */
  readonly total: Float64Array;
  /** Its places: how many frames it has. */
  readonly frames: Uint32Array;
}

export interface AllFrames extends FunctionTotals {
  /** As the function of that name gives it for a whole tree. */
  readonly selfByOwner: Float64Array;
  /** By function: the value of the stacks through its package. */
  readonly ofPackage: Float64Array;
}

export const rootName = "root";

/**
 * The value that is 100%: the total, or the sum of absolute values if some are negative, as in `go tool pprof`. In a total,
 * negative values cancel positive ones, so that a frame could have more than 100%. `width` is the sum without the negative
 * values; the sum of absolute values follows from both.
 */
export function wholeOf({ total, width, whole }: Pick<CallTree, "total" | "width" | "whole">): TreeValue {
  return whole ?? 2 * width[0] - total[0];
}

/** The whole of a part of a tree. In a comparison, each column has its own, so that the widths have none. */
export function wholeField(tree: CallTree): Pick<CallTree, "whole"> {
  return tree.columns.length === 1 ? { whole: wholeOf(tree) } : {};
}

/** Whether values may be rounded, to 15 digits or more: all are exact where all of them together are within 2^53. */
export function isRounded(tree: Pick<CallTree, "total" | "width" | "whole">): boolean {
  return wholeOf(tree) > Number.MAX_SAFE_INTEGER;
}

/** Number of levels, the root's included. */
export function depthOf(tree: CallTree): number {
  return tree.levelStart.length - 1;
}

/** Level of a node, 0 for the root. O(log depth). */
export function levelOf(tree: CallTree, node: number): number {
  return lowerBound(tree.levelStart, node + 1) - 1;
}

/** Row of `elisions` for a node, or -1. O(log elisions). */
export function elisionOf(tree: CallTree, node: number): number {
  const nodes = tree.elisions.node;
  const row = lowerBound(nodes, node);
  return nodes[row] === node ? row : -1;
}

/** Path from the root to the node, both included. */
export function pathTo(tree: CallTree, node: number): number[] {
  const path: number[] = [];
  for (let at = node; at >= 0; at = tree.parent[at]) path.push(at);
  return path.reverse();
}
