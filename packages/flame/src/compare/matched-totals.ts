import type { TreeValue } from "#tree/call-tree.ts";
import type { ComparedTree } from "./lay-out.ts";

/**
 * Sums of the outermost matching frames on each side, as measured: matches below a match are not counted again.
 *
 * @param matches 1 for each function that matches
 */
export function matchedTotals(
  { length, fn, parent, before, after }: ComparedTree,
  matches: Uint8Array,
): { readonly before: TreeValue; readonly after: TreeValue } {
  const isCovered = new Uint8Array(length);
  const sums = { before: 0, after: 0 };
  for (let node = 1; node < length; node++) {
    const isMatch = matches[fn[node]] === 1;
    const isBelowMatch = isCovered[parent[node]] === 1;
    isCovered[node] = Number(isMatch || isBelowMatch);
    if (!isMatch || isBelowMatch) continue;
    sums.before += before.total[node];
    sums.after += after.total[node];
  }
  return sums;
}
