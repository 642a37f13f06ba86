import { type CallTree, elisionOf, type TreeValue } from "#tree/call-tree.ts";

/** The target under a point: a frame, or the frames left out under `parent`. */
export type Hit =
  | { readonly kind: "frame"; readonly node: number }
  | { readonly kind: "elided"; readonly parent: number };

/** Two binary searches: within the level, whose boxes are sorted by position, and for elisions in the level above. */
export function hitAt(tree: CallTree, value: TreeValue, row: number): Hit | null {
  const { levelStart, width, x } = tree;
  if (row < 0 || row > levelStart.length - 1) return null;
  const node = row === levelStart.length - 1 ? -1 : lastAtOrLeft(tree, value, row);
  if (node !== -1 && value < x[node] + width[node]) return { kind: "frame", node };
  if (row === 0 || tree.elisions.length === 0) return null;
  const parent = lastAtOrLeft(tree, value, row - 1);
  if (parent === -1) return null;
  const elision = elisionOf(tree, parent);
  if (elision === -1) return null;
  const last = tree.firstChild[parent + 1] - 1;
  const from = last < tree.firstChild[parent] ? x[parent] : x[last] + width[last];
  const isInside = value >= from && value < from + tree.elisions.width[elision];
  return isInside ? { kind: "elided", parent } : null;
}

/** Last node of a level that begins at or left of a value and has a width, or -1. */
function lastAtOrLeft({ levelStart, width, x }: CallTree, value: TreeValue, row: number): number {
  const start = levelStart[row];
  let low = start;
  let high = levelStart[row + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle] <= value) low = middle + 1;
    else high = middle;
  }
  let node = low - 1;
  while (node >= start && width[node] === 0) node--;
  return node >= start ? node : -1;
}
