import type { AllFrames, ElisionTable, NodeValues, Scale, TreeColumns } from "./call-tree.ts";

/** The columns that determine a tree; the others follow. */
export interface TreeSkeleton {
  readonly firstChild: Uint32Array;
  /** Derived too where it is left out. */
  readonly parent?: Int32Array;
  readonly fn: Uint32Array;
  readonly line: Int32Array;
  /** Self values of each column. After a single one its samples. */
  readonly self: readonly Float64Array[];
  /** Derived too where they are left out. Those of means are quotients of exact sums, which the sums of means are not. */
  readonly total?: readonly Float64Array[] | undefined;
  readonly allFrames?: readonly AllFrames[] | undefined;
  readonly scale: Scale;
  readonly widthOf?: number | undefined;
  readonly elisions: ElidedFrames;
}

/** Frames that were elided: nobody can say which functions they are, so they stay at the frame below which they were elided. */
export interface ElidedFrames {
  readonly length: number;
  /** Ascending. */
  readonly node: Uint32Array;
  readonly count: Float64Array;
  readonly largest: Uint32Array;
  /** As `self`. */
  readonly values: readonly Float64Array[];
  /** Widths that a single column has; several have their widest values. */
  readonly width: Float64Array;
}

/** Adds parents, levels, totals, widths and positions. The skeleton's arrays become the tree's: a million nodes are 8 MB a column. */
export function deriveColumns(skeleton: TreeSkeleton): TreeColumns {
  const { allFrames, firstChild, fn, line, elisions, scale, widthOf } = skeleton;
  const { length } = fn;
  const parent = skeleton.parent ?? parentsOf(firstChild, length);
  const columns = scale.map((_, at) => {
    const [self, elided] = [skeleton.self[at], elisions.values[at]];
    const total = skeleton.total?.[at] ?? totalsOf(self, parent, elisions, elided);
    return { self, total, elided, ...(allFrames && { allFrames: allFrames[at] }) };
  });
  const drawn =
    columns.length === 1 ? asMeasured(columns[0], skeleton, parent) : asWidest(columns, skeleton, parent);
  return {
    length,
    firstChild,
    parent,
    fn,
    line,
    columns,
    scale,
    widthOf,
    ...drawn,
    x: positions(parent, drawn.width),
    levelStart: levelStarts(firstChild, length),
  };
}

type DrawnColumns = Pick<TreeColumns, "self" | "total" | "width" | "samples" | "elisions">;

function asMeasured(column: NodeValues, skeleton: TreeSkeleton, parent: Int32Array): DrawnColumns {
  const { self, total, elided } = column;
  const { values, ...frames } = skeleton.elisions;
  const elisions = { ...frames, total: elided, samples: values[1] };
  const [, own] = skeleton.self;
  const samples = sumUp(own === self ? self.slice() : own, parent, elisions, elisions.samples);
  const width = hasNegative(self, elisions) ? sumUp(positive(self), parent, elisions, elisions.width) : total;
  return { self, total, width, samples, elisions };
}

function asWidest(
  columns: readonly NodeValues[],
  { elisions: { values: _, ...frames }, ...skeleton }: TreeSkeleton,
  parent: Int32Array,
): DrawnColumns {
  const { self, elided } = widestValues(columns, skeleton);
  const width = totalsOf(self, parent, frames, elided);
  const elisions = { ...frames, total: elided, width: elided, samples: elided };
  return { self, total: width, width, samples: width, elisions };
}

/** The skeleton of a tree. */
export function skeletonOf(tree: TreeColumns): TreeSkeleton & { readonly parent: Int32Array } {
  const { columns, firstChild, fn, line, parent, scale, widthOf } = tree;
  const isSingle = columns.length === 1;
  const allFrames = columns.flatMap((column) => column.allFrames ?? []);
  return {
    firstChild,
    parent,
    fn,
    line,
    self: [...columns.map(({ self }) => self), ...(isSingle ? [selfSamples(tree)] : [])],
    total: columns.map(({ total }) => total),
    ...(allFrames.length > 0 && { allFrames }),
    scale,
    widthOf,
    elisions: elidedOf(tree),
  };
}

export function elidedOf({ columns, elisions }: Pick<TreeColumns, "columns" | "elisions">): ElidedFrames {
  const { length, node, count, largest, width, samples } = elisions;
  const values = [...columns.map(({ elided }) => elided), ...(columns.length === 1 ? [samples] : [])];
  return { length, node, count, largest, values, width };
}

/** The largest of the scaled values of each node and of each row of elided frames, at least 0. */
export function widestValues(
  columns: readonly Pick<NodeValues, "self" | "elided">[],
  { scale, widthOf }: Pick<TreeSkeleton, "scale" | "widthOf">,
): { readonly self: Float64Array; readonly elided: Float64Array } {
  const largest = (of: "self" | "elided") => {
    const values = new Float64Array(columns[0][of].length);
    for (const [at, column] of columns.entries()) {
      if (widthOf !== undefined && widthOf !== at) continue;
      const factor = scale[at];
      const measured = column[of];
      for (let row = 0; row < values.length; row++) {
        const value = measured[row] * factor;
        if (value > values[row]) values[row] = value;
      }
    }
    return values;
  };
  return { self: largest("self"), elided: largest("elided") };
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

/** Samples that end in each node: its samples without the samples of its children and of elided frames below it. */
function selfSamples({ length, parent, samples, elisions }: TreeColumns): Float64Array {
  const self = samples.slice();
  for (let node = 1; node < length; node++) {
    const above = parent[node];
    self[above] = self[above] - samples[node];
  }
  for (let row = 0; row < elisions.length; row++) {
    const node = elisions.node[row];
    self[node] = self[node] - elisions.samples[row];
  }
  return self;
}
