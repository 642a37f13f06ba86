import type { CallTree } from "./call-tree.ts";

/**
 * The `count` widest nodes in ascending order, none deeper than `maxDepth` levels. A parent is never narrower than its
 * child and siblings are sorted by width, so only the first child and the next sibling of a taken node can be next: the
 * work depends on `count`, not on the tree. Equal widths are taken in breadth-first order.
 */
export function widestNodes(tree: CallTree, count: number, maxDepth: number): Uint32Array {
  const { firstChild, parent, width, levelStart } = tree;
  const deepest = Math.min(maxDepth, levelStart.length - 1);
  const end = levelStart[Math.max(0, deepest)]!;
  const candidates = new WidestFirst(width);
  const taken: number[] = [];
  if (count > 0 && end > 0) candidates.push(0);
  while (taken.length < count) {
    const node = candidates.pop();
    if (node === undefined) break;
    taken.push(node);
    const child = firstChild[node]!;
    if (child < firstChild[node + 1]! && child < end) candidates.push(child);
    const above = parent[node]!;
    if (above !== -1 && node + 1 < firstChild[above + 1]!) candidates.push(node + 1);
  }
  return Uint32Array.from(taken).sort();
}

/** Binary heap of nodes. */
class WidestFirst {
  readonly #width: Float64Array;
  readonly #heap: number[] = [];

  constructor(width: Float64Array) {
    this.#width = width;
  }

  push(node: number): void {
    const heap = this.#heap;
    let at = heap.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#before(node, heap[above]!)) break;
      heap[at] = heap[above]!;
      at = above;
    }
    heap[at] = node;
  }

  pop(): number | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return top;
    let at = 0;
    for (let below = 1; below < heap.length; below = at * 2 + 1) {
      if (below + 1 < heap.length && this.#before(heap[below + 1]!, heap[below]!)) below++;
      if (!this.#before(heap[below]!, last)) break;
      heap[at] = heap[below]!;
      at = below;
    }
    heap[at] = last;
    return top;
  }

  #before(a: number, b: number): boolean {
    const difference = this.#width[a]! - this.#width[b]!;
    return difference > 0 || (difference === 0 && a < b);
  }
}
