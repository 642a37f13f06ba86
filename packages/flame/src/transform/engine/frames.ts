import type { FunctionTable } from "#tree/call-tree.ts";

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
