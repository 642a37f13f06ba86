import { withAllFunctions } from "./all-frames.ts";
import { type CallTree, type FunctionTable, type TreeColumns, wholeField } from "./call-tree.ts";
import { gather, gathered } from "./columns.ts";
import { deriveColumns, type ElidedFrames, elidedOf, skeletonOf, sumUp } from "./derive.ts";
import { remainingFunctions } from "./function-index.ts";
import { allFramesOf } from "./function-totals.ts";
import { WidthHeap } from "./width-heap.ts";

export interface PruneLimits {
  readonly maxNodes: number;
  /** Levels to keep, the root's included. */
  readonly maxDepth?: number;
  /** Whether the smaller tree has the sums over all frames, and all functions. */
  readonly hasAllFrames?: boolean;
}

/**
 * The tree of its `maxNodes` widest frames. Elided frames are counted at their parent (`elisions`): every total stays
 * the same, and no frame is renamed or merged. Returns the same tree if it is small enough.
 */
export function pruneTree(tree: CallTree, limits: PruneLimits): CallTree {
  const maxDepth = limits.maxDepth ?? Number.POSITIVE_INFINITY;
  if (tree.length <= limits.maxNodes && tree.levelStart.length - 1 <= maxDepth) return tree;
  const columns = columnsOf(tree, widestNodes(tree, limits.maxNodes, maxDepth));
  const ids = [columns.fn, columns.elisions.largest];
  const rename = (...all: Uint32Array[]) => remainingFunctions(tree.functions, ...all);
  if (limits.hasAllFrames !== true) return prunedTree(tree, columns, rename(...ids));
  const { functions, sums } = withAllFunctions(
    tree.columns.map((_, column) => allFramesOf(tree, column)),
    ids,
    rename,
  );
  const withSums = columns.columns.map((column, at) => ({ ...column, allFrames: sums[at] }));
  return { ...prunedTree(tree, { ...columns, columns: withSums }, functions) };
}

/** The widest nodes of a tree, with the functions that they use. */
export function previewTree(tree: CallTree, maxNodes: number): CallTree {
  const columns = columnsOf(tree, widestNodes(tree, maxNodes, Number.POSITIVE_INFINITY));
  return prunedTree(tree, columns, remainingFunctions(tree.functions, columns.fn, columns.elisions.largest));
}

function prunedTree(
  { valueType, whole }: CallTree,
  columns: TreeColumns,
  functions: FunctionTable,
): CallTree {
  return { ...columns, functions, valueType, ...(whole !== undefined && { whole }) };
}

/** The frame and everything below it as a separate tree. Its shares still refer to the whole tree. */
export function subtreeAt(tree: CallTree, root: number): CallTree {
  if (root === 0) return tree;
  const kept: number[] = [];
  for (const { from, to } of rangesBelow(tree, root))
    for (let node = from; node < to; node++) kept.push(node);
  const columns = columnsOf(tree, Uint32Array.from(kept));
  const functions = remainingFunctions(tree.functions, columns.fn, columns.elisions.largest);
  return { ...prunedTree(tree, columns, functions), ...wholeField(tree) };
}

/** The nodes of a subtree on each of its levels, from its root down: one range each, the end not included. */
export function rangesBelow({ firstChild }: Pick<CallTree, "firstChild">, root: number): NodeRange[] {
  const ranges: NodeRange[] = [];
  for (let from = root, to = root + 1; from < to; ) {
    ranges.push({ from, to });
    const next = firstChild[to];
    from = firstChild[from];
    to = next;
  }
  return ranges;
}

interface NodeRange {
  readonly from: number;
  readonly to: number;
}

/** The columns of nodes that ascend, each after its parent but the first one. Functions keep the ids of the whole tree. */
function columnsOf(tree: CallTree, kept: Uint32Array): TreeColumns {
  const { fn, line, self, total, scale, widthOf } = skeletonOf(tree);
  const pick = (column: Float64Array) => gathered(column, kept);
  return deriveColumns({
    firstChild: firstChildrenAmong(kept, tree.parent),
    fn: gather(fn, kept, new Uint32Array(kept.length)),
    line: gather(line, kept, new Int32Array(kept.length)),
    self: self.map(pick),
    total: tree.columns.length === 1 ? undefined : total?.map(pick),
    scale,
    widthOf,
    elisions: elide(tree, kept),
  });
}

/** The elided frames, by the row of their parent in `kept`. */
function elide(tree: CallTree, kept: Uint32Array): ElidedFrames {
  const { columns, fn, parent, samples, width } = tree;
  const elided = elidedOf(tree);
  const { length, row: node, from, to, earlier } = elidedRuns(tree, kept);
  /** @param below sums of subtrees @param left sums of the frames that the tree has already elided */
  const sumsOf = (below: Float64Array, left: Float64Array): Float64Array => {
    const sums = new Float64Array(length);
    for (let run = 0; run < length; run++) {
      let sum = 0;
      for (let child = from[run]; child < to[run]; child++) sum += below[child];
      sums[run] = earlier[run] === -1 ? sum : sum + left[earlier[run]];
    }
    return sums;
  };
  const frames = sumUp(new Float64Array(tree.length).fill(1), parent, elided, elided.count);
  const totals = columns.length === 1 ? [columns[0].total, samples] : columns.map(({ total }) => total);
  return {
    length,
    node,
    count: sumsOf(frames, elided.count),
    values: totals.map((total, column) => sumsOf(total, elided.values[column])),
    width: sumsOf(width, elided.width),
    largest: node.map((_, run) => (from[run] < to[run] ? fn[from[run]] : elided.largest[earlier[run]])),
  };
}

/** Rows of `kept` with elided frames: kept siblings are the first ones, so the others are one run `from .. to`. */
function elidedRuns({ firstChild, elisions }: CallTree, kept: Uint32Array) {
  const [row, from, to] = [0, 1, 2].map(() => new Uint32Array(kept.length));
  /** Row of the frames that the tree has already elided there, else -1. */
  const earlier = new Int32Array(kept.length).fill(-1);
  let length = 0;
  let next = 1;
  let elision = 0;
  for (let at = 0; at < kept.length; at++) {
    const node = kept[at];
    const end = firstChild[node + 1];
    let child = firstChild[node];
    for (; child < end && kept[next] === child; child++) next++;
    while (elision < elisions.length && elisions.node[elision] < node) elision++;
    const hasElided = elision < elisions.length && elisions.node[elision] === node;
    if (child === end && !hasElided) continue;
    row[length] = at;
    from[length] = child;
    to[length] = end;
    if (hasElided) earlier[length] = elision;
    length++;
  }
  return { length, row: row.slice(0, length), from, to, earlier };
}

/**
 * The `count` widest nodes in ascending order, none deeper than `maxDepth` levels. A parent is never narrower than its
 * child and siblings are sorted by width, so only the first child and the next sibling of a taken node can be next: the
 * work depends on `count`, not on the tree. Equal widths are taken in breadth-first order.
 */
function widestNodes(tree: CallTree, count: number, maxDepth: number): Uint32Array {
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
function firstChildrenAmong(nodes: Uint32Array, parent: Int32Array): Uint32Array {
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
