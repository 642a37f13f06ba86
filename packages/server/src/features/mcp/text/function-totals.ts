import { type CallTree, selfByOwner, functionTotals as totalsByFunction } from "@flamekeep/flame";
import { functionKey, isWaitingType, truncatedName } from "@flamekeep/profile";

export interface FunctionTotal {
  readonly name: string;
  readonly file: string;
  /** Of its widest place; where the graph does not have it, or callers differ, the first line of the function. */
  readonly line: number;
  readonly startLine: number;
  self: number;
  /** With all it calls; a recursive function counts once per stack. */
  total: number;
}

/** By `functionKey`: self and total value of each function in a flame graph. Self values of a profile type that waits are those of `selfByOwner`. */
export function functionTotals(tree: CallTree, profileType: string): Map<string, FunctionTotal> {
  const { functions, fn, line } = tree;
  const { total, self, frames } = totalsByFunction(tree);
  const own = isWaitingType(profileType) ? selfByOwner(tree) : self;
  const lines = new Int32Array(functions.length);
  // Siblings are sorted by width, and levels follow each other: the first place of a function is a wide one.
  for (let node = tree.length - 1; node > 0; node--) lines[fn[node]!] = line[node]!;
  const totals = new Map<string, FunctionTotal>();
  for (let id = 1; id < functions.length; id++) {
    const [name, file, startLine] = [functions.name[id]!, functions.file[id]!, functions.startLine[id]!];
    if (frames[id] === 0 || name === truncatedName) continue;
    const line = lines[id]! || startLine;
    const sums = { name, file, line, startLine, self: own[id]!, total: total[id]! };
    totals.set(functionKey(name, file, startLine), sums);
  }
  return totals;
}
