import type { ValueType } from "@flamekeep/profile";
import type { CallTree, NodeValues } from "#tree/call-tree.ts";

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
export interface Measure extends NodeValues {
  readonly valueType: ValueType;
}

const sideNames = ["before", "after"];

export function measuresOf({ columns, valueType }: CallTree): readonly Measure[] {
  if (columns.length === 1) return [{ valueType, ...columns[0] }];
  return columns.map((values, at) => {
    const side = columns.length === sideNames.length ? sideNames[at] : `side${at + 1}`;
    return { valueType: { ...valueType, type: `${side}_${valueType.type}` }, ...values };
  });
}

/** `[1234 small frames left out]`: a frame of an export for the ones that the server left out. */
export function leftOutName(count: number): string {
  return count === 1 ? "[1 small frame left out]" : `[${count} small frames left out]`;
}
