import type { FunctionTable } from "#tree/call-tree.ts";
import type { TreeSkeleton } from "#tree/derive.ts";

/** The columns that determine a tree. Transforms take them and return them. */
export interface Frames extends Omit<TreeSkeleton, "total" | "allFrames" | "widthOf"> {
  readonly length: number;
  /** Ids stay the same: a transform removes frames, not rows of `functions`. */
  readonly functions: FunctionTable;
  readonly parent: Int32Array;
  /** Self width of each node: siblings are sorted by the sums of subtrees. */
  readonly selfWidth: Float64Array;
}
