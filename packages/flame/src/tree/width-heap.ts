/**
 * Binary heap of nodes, the widest on top; of equal ones the first. Exact, and for any order of pushes: `WidthBuckets` is faster for many
 * nodes, but takes widths within an eighth of a halving as equal.
 */
export class WidthHeap {
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
      if (!this.#before(node, heap[above])) break;
      heap[at] = heap[above];
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
      if (below + 1 < heap.length && this.#before(heap[below + 1], heap[below])) below++;
      if (!this.#before(heap[below], last)) break;
      heap[at] = heap[below];
      at = below;
    }
    heap[at] = last;
    return top;
  }

  #before(a: number, b: number): boolean {
    const difference = this.#width[a] - this.#width[b];
    return difference > 0 || (difference === 0 && a < b);
  }
}
