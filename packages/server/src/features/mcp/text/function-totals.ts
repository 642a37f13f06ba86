import type { FlameGraphNode } from "@flamekeep/contract";
import { functionKey, isWaitingType, waitsForCaller } from "@flamekeep/profile";

export interface FunctionTotal {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly startLine: number;
  self: number;
  /** With all it calls; a recursive function counts once per stack. */
  total: number;
}

/**
 * By `functionKey`: self and total value of each function in a flame graph. Self values of a profile type that waits belong to the function that
 * waits, as in `callerOf`.
 */
export function functionTotals(root: FlameGraphNode, profileType: string): Map<string, FunctionTotal> {
  const totals = new Map<string, FunctionTotal>();
  const above = new Map<string, number>();
  const isWaiting = isWaitingType(profileType);
  const visit = (node: FlameGraphNode, callerOwner?: FunctionTotal): void => {
    const { function_name: name, file_name: file, line_number: line } = node;
    const key = functionKey(name, file, node.start_line);
    const sums = totals.get(key) ?? { name, file, line, startLine: node.start_line, self: 0, total: 0 };
    totals.set(key, sums);
    const owner = callerOwner !== undefined && isWaiting && waitsForCaller(name) ? callerOwner : sums;
    owner.self += node.self_value;
    const depth = above.get(key) ?? 0;
    if (depth === 0) sums.total += node.total_value;
    above.set(key, depth + 1);
    for (const child of node.children) visit(child, owner);
    above.set(key, depth);
  };
  for (const child of root.children) visit(child);
  return totals;
}
