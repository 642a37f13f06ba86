import type { ValueType } from "@flamekeep/profile";
import type { ComparedTree } from "#compare/lay-out.ts";
import type { CallTree } from "#tree/call-tree.ts";

/** The part of a graph that is exported. */
export interface ExportedView {
  /** After the transforms. */
  readonly tree: CallTree;
  /** The outermost frame of the stacks: the root, or a focused frame. */
  readonly focus: number;
  /** At or below `focus`: only stacks through this frame are exported. */
  readonly zoom: number;
}

/** One value of each frame. A comparison has two. */
export interface Measure {
  readonly valueType: ValueType;
  readonly self: Float64Array;
  readonly total: Float64Array;
  /** By row of the tree's elisions. */
  readonly elided: Float64Array;
}

export function measuresOf(tree: CallTree | ComparedTree): readonly Measure[] {
  const { valueType } = tree;
  if (!("before" in tree)) {
    return [{ valueType, self: tree.self, total: tree.total, elided: tree.elisions.total }];
  }
  const side = (name: "before" | "after"): Measure => ({
    valueType: { ...valueType, type: `${name}_${valueType.type}` },
    ...tree[name],
    elided: tree.elisions[name],
  });
  return [side("before"), side("after")];
}

/** `[1234 small frames left out]`: a frame of an export for the ones that the server left out. */
export function leftOutName(count: number): string {
  return count === 1 ? "[1 small frame left out]" : `[${count} small frames left out]`;
}
