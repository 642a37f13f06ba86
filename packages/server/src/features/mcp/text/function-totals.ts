import { type CallTree, functionTotals as totalsByFunction } from "@flamekeep/flame";
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
export function functionTotals(tree: CallTree, profileType: string): Map<string, FunctionTotal> {
  const { functions, fn, line } = tree;
  const { total, self, frames } = totalsByFunction(tree);
  const own = isWaitingType(profileType) ? selfOfWaiting(tree) : self;
  const lines = new Int32Array(functions.length);
  // Siblings are sorted by width, and levels follow each other: the first place of a function is a wide one.
  for (let node = tree.length - 1; node > 0; node--) lines[fn[node]!] = line[node]!;
  const totals = new Map<string, FunctionTotal>();
  for (let id = 1; id < functions.length; id++) {
    if (frames[id] === 0) continue;
    const [name, file, startLine] = [functions.name[id]!, functions.file[id]!, functions.startLine[id]!];
    const sums = { name, file, line: lines[id]!, startLine, self: own[id]!, total: total[id]! };
    totals.set(functionKey(name, file, startLine), sums);
  }
  return totals;
}

/** Self values by function, those of frames that wait for a caller with that caller. Callers come before what they call. */
function selfOfWaiting({ functions, fn, parent, self, length }: CallTree): Float64Array {
  const waits = functions.name.map(waitsForCaller);
  const owner = new Uint32Array(length);
  const sums = new Float64Array(functions.length);
  for (let node = 1; node < length; node++) {
    const above = parent[node]!;
    owner[node] = above > 0 && waits[fn[node]!] === true ? owner[above]! : fn[node]!;
    sums[owner[node]!]! += self[node]!;
  }
  return sums;
}
