import { pairStacks, type StackTable } from "@flamekeep/profile";
import { buildComparison, type CallTree } from "../index.ts";
import { stacksOf } from "./stacks-of.ts";

/** The comparison of two folded texts or tables, of their first sample types. */
export function compared(before: string | StackTable, after: string | StackTable): CallTree {
  const table = (side: string | StackTable) => ({
    stacks: typeof side === "string" ? stacksOf(side) : side,
    sampleType: 0,
  });
  return buildComparison(pairStacks(table(before), table(after)));
}
