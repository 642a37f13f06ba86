import type { CallTree } from "./call-tree.ts";
import { WidthHeap } from "./width-heap.ts";

/**
 * The `count` widest nodes in ascending order, none deeper than `maxDepth` levels. A parent is never narrower than its
 * child and siblings are sorted by width, so only the first child and the next sibling of a taken node can be next: the
 * work depends on `count`, not on the tree. Equal widths are taken in breadth-first order.
 */
export function widestNodes(tree: CallTree, count: number, maxDepth: number): Uint32Array {
  const { firstChild, parent, width, levelStart } = tree;
  const deepest = Math.min(maxDepth, levelStart.length - 1);
  const end = levelStart[Math.max(0, deepest)];
  const candidates = new WidthHeap(width);
  const taken: number[] = [];
  if (count > 0 && end > 0) candidates.push(0);
  while (taken.length < count) {
    const node = candidates.pop();
    if (node === undefined) break;
    taken.push(node);
    const child = firstChild[node];
    if (child < firstChild[node + 1] && child < end) candidates.push(child);
    const above = parent[node];
    if (above !== -1 && node + 1 < firstChild[above + 1]) candidates.push(node + 1);
  }
  return Uint32Array.from(taken).sort();
}

/** Offsets of the children of ascending nodes, as `CallTree.firstChild`. Every node but the root has its parent among them. */
export function firstChildrenAmong(nodes: Uint32Array, parent: Int32Array): Uint32Array {
  const { length } = nodes;
  const firstChild = new Uint32Array(length + 1);
  let next = 1;
  for (let row = 0; row < length; row++) {
    firstChild[row] = next;
    while (next < length && parent[nodes[next]] === nodes[row]) next++;
  }
  firstChild[length] = length;
  return firstChild;
}
