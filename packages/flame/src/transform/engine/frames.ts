import type { CallTree, FunctionTable } from "#tree/call-tree.ts";

/**
 * The columns that determine a call tree, or two compared ones. Transforms take them and return them, so that each transform is written
 * once for both: a tree has two columns of self values (values and samples), a comparison too (before and after).
 */
export interface Frames {
  readonly length: number;
  readonly functions: FunctionTable;
  /** length + 1 offsets, as in `CallTree`. */
  readonly firstChild: Uint32Array;
  readonly parent: Int32Array;
  /** Ids stay the same: a transform removes frames, not rows of `functions`. */
  readonly fn: Uint32Array;
  readonly line: Int32Array;
  /** Self values of each node. */
  readonly self: readonly Float64Array[];
  /** Self width of each node: siblings are sorted by the sums of subtrees. */
  readonly selfWidth: Float64Array;
  readonly elisions: ElidedFrames;
}

/** Frames that the server elided: nobody can say which functions they are, so they stay at the frame below which they were elided. */
export interface ElidedFrames {
  readonly length: number;
  /** Ascending. */
  readonly node: Uint32Array;
  readonly count: Float64Array;
  readonly largest: Uint32Array;
  readonly values: readonly Float64Array[];
  readonly width: Float64Array;
}

/** Sums of the subtrees of a column of self values, in a new column. Parents come before their children. */
export function subtreeSums(
  self: Float64Array,
  parent: Int32Array,
  { length, node }: Pick<ElidedFrames, "length" | "node">,
  elided: Float64Array,
): Float64Array {
  const sum = self.slice();
  for (let row = 0; row < length; row++) {
    const at = node[row];
    sum[at] += elided[row];
  }
  for (let at = sum.length - 1; at > 0; at--) {
    const above = parent[at];
    sum[above] += sum[at];
  }
  return sum;
}

/** Whether every list of siblings is sorted by width. */
export function areWidestFirst({
  parent,
  width,
  length,
}: Pick<CallTree, "parent" | "width" | "length">): boolean {
  for (let node = 2; node < length; node++)
    if (width[node] > width[node - 1] && parent[node] === parent[node - 1]) return false;
  return true;
}
