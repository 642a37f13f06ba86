import type { ElisionTable, TreeColumns } from "./call-tree.ts";

/** The columns that determine a tree; the others follow. `samples` counts a node's self samples here. */
export interface TreeSkeleton {
  readonly firstChild: Uint32Array;
  /** Derived too where it is left out. */
  readonly parent?: Int32Array;
  readonly fn: Uint32Array;
  readonly line: Int32Array;
  readonly self: Float64Array;
  readonly selfSamples: Float64Array;
  readonly elisions: ElisionTable;
}

/** Adds parents, levels, totals, widths and positions. The skeleton's arrays become the tree's: a million nodes are 8 MB a column. */
export function deriveColumns(skeleton: TreeSkeleton): TreeColumns {
  const { firstChild, self, selfSamples, elisions } = skeleton;
  const length = self.length;
  const parent = skeleton.parent ?? parentsOf(firstChild, length);
  const total = totalsOf(self, parent, elisions, elisions.total);
  const samples = sumUp(
    selfSamples === self ? self.slice() : selfSamples,
    parent,
    elisions,
    elisions.samples,
  );
  const width = hasNegative(self, elisions) ? sumUp(positive(self), parent, elisions, elisions.width) : total;
  return {
    length,
    firstChild,
    parent,
    fn: skeleton.fn,
    line: skeleton.line,
    self,
    total,
    width,
    x: positions(parent, width),
    samples,
    levelStart: levelStarts(firstChild, length),
    elisions,
  };
}

export function parentsOf(firstChild: Uint32Array, length: number): Int32Array {
  const parent = new Int32Array(length);
  if (length > 0) parent[0] = -1;
  for (let node = 0; node < length; node++) {
    const end = firstChild[node + 1];
    for (let child = firstChild[node]; child < end; child++) parent[child] = node;
  }
  return parent;
}

type ElidedNodes = Pick<ElisionTable, "node" | "length">;

/** Totals of a column of self values, with the elided ones, in a new column. */
export function totalsOf(
  self: Float64Array,
  parent: Int32Array,
  elisions: ElidedNodes,
  elided: Float64Array,
): Float64Array {
  return sumUp(self.slice(), parent, elisions, elided);
}

/** As `totalsOf`, in the array itself. */
export function sumUp(
  sum: Float64Array,
  parent: Int32Array,
  elisions: ElidedNodes,
  elided: Float64Array,
): Float64Array {
  for (let row = 0; row < elisions.length; row++) {
    const node = elisions.node[row];
    sum[node] += elided[row];
  }
  return addSubtrees(sum, parent);
}

/** Parents come before their children, so one pass from the end adds every subtree to its root, in the array itself. */
export function addSubtrees(sum: Float64Array, parent: Int32Array): Float64Array {
  for (let node = sum.length - 1; node > 0; node--) {
    const above = parent[node];
    sum[above] += sum[node];
  }
  return sum;
}

function hasNegative(self: Float64Array, elisions: ElisionTable): boolean {
  for (let node = 0; node < self.length; node++) if (self[node] < 0) return true;
  for (let row = 0; row < elisions.length; row++) {
    if (elisions.width[row] !== elisions.total[row]) return true;
  }
  return false;
}

function positive(self: Float64Array): Float64Array {
  return self.map((value) => Math.max(0, value));
}

/** A node begins where the sibling before it ends, the first child where its parent begins. */
function positions(parent: Int32Array, width: Float64Array): Float64Array {
  const x = new Float64Array(width.length);
  let right = 0;
  for (let node = 1; node < x.length; node++) {
    const above = parent[node];
    const left = above === parent[node - 1] ? right : x[above];
    x[node] = left;
    right = left + width[node];
  }
  return x;
}

/** Offsets of the levels, as in `CallTree`. */
function levelStarts(firstChild: Uint32Array, length: number): Uint32Array {
  const start: number[] = [0];
  for (let from = 0, to = Math.min(1, length); from < to; ) {
    start.push(to);
    const next = firstChild[to];
    from = to;
    to = next;
  }
  return Uint32Array.from(start);
}
