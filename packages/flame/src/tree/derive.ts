import type { ValueType } from "@flamekeep/profile";
import type { CallTree, ElisionTable, FunctionTable } from "./call-tree.ts";

/** What has to be known of a tree; the rest follows from it. `samples` counts a node's own samples here. */
export interface TreeSkeleton {
  readonly valueType: ValueType;
  readonly functions: FunctionTable;
  readonly firstChild: Uint32Array;
  readonly fn: Uint32Array;
  readonly line: Int32Array;
  readonly self: Float64Array;
  readonly ownSamples: Float64Array;
  readonly elisions: ElisionTable;
}

/** Adds parents, levels, totals, widths and positions. The skeleton's arrays become the tree's. */
export function deriveTree(skeleton: TreeSkeleton): CallTree {
  const { firstChild, self, elisions } = skeleton;
  const length = self.length;
  const parent = parentsOf(firstChild, length);
  const total = sumUp(self, parent, elisions, elisions.total);
  const samples = sumUp(skeleton.ownSamples, parent, elisions, elisions.samples);
  const width = hasNegative(self, elisions) ? sumUp(positive(self), parent, elisions, elisions.width) : total;
  return {
    length,
    valueType: skeleton.valueType,
    functions: skeleton.functions,
    firstChild,
    parent,
    fn: skeleton.fn,
    line: skeleton.line,
    self,
    total,
    width,
    x: positions(firstChild, width),
    samples,
    levelStart: levels(firstChild, length),
    elisions,
  };
}

function parentsOf(firstChild: Uint32Array, length: number): Int32Array {
  const parent = new Int32Array(length);
  if (length > 0) parent[0] = -1;
  for (let node = 0; node < length; node++) {
    const end = firstChild[node + 1]!;
    for (let child = firstChild[node]!; child < end; child++) parent[child] = node;
  }
  return parent;
}

/** Parents come before their children, so one pass from the end adds every subtree to its root. */
export function sumUp(
  own: Float64Array,
  parent: Int32Array,
  elisions: ElisionTable,
  elided: Float64Array,
): Float64Array {
  const sum = own.slice();
  for (let row = 0; row < elisions.length; row++) {
    const node = elisions.node[row]!;
    sum[node] = sum[node]! + elided[row]!;
  }
  for (let node = sum.length - 1; node > 0; node--) {
    const above = parent[node]!;
    sum[above] = sum[above]! + sum[node]!;
  }
  return sum;
}

function hasNegative(self: Float64Array, elisions: ElisionTable): boolean {
  for (let node = 0; node < self.length; node++) if (self[node]! < 0) return true;
  for (let row = 0; row < elisions.length; row++) {
    if (elisions.width[row] !== elisions.total[row]) return true;
  }
  return false;
}

function positive(self: Float64Array): Float64Array {
  return self.map((value) => Math.max(0, value));
}

function positions(firstChild: Uint32Array, width: Float64Array): Float64Array {
  const x = new Float64Array(width.length);
  for (let node = 0; node < width.length; node++) {
    const end = firstChild[node + 1]!;
    let left = x[node]!;
    for (let child = firstChild[node]!; child < end; child++) {
      x[child] = left;
      left += width[child]!;
    }
  }
  return x;
}

function levels(firstChild: Uint32Array, length: number): Uint32Array {
  const start: number[] = [0];
  for (let from = 0, to = Math.min(1, length); from < to; ) {
    start.push(to);
    const next = firstChild[to]!;
    from = to;
    to = next;
  }
  return Uint32Array.from(start);
}
