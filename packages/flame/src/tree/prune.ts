import { decidingFunctions } from "#colour/package-hue.ts";
import { allFramesOf } from "#view/function-totals.ts";
import { withAllFunctions } from "./all-frames.ts";
import type { CallTree, ElisionTable, FunctionTable, TreeColumns, TreeValue } from "./call-tree.ts";
import { deriveColumns, sumUp } from "./derive.ts";
import { orderedFunctions, remainingFunctions } from "./function-index.ts";
import { gather, gathered } from "./gather.ts";
import { selfSamples } from "./self-samples.ts";
import { firstChildrenAmong, widestNodes } from "./widest-nodes.ts";

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
  const columns = widestColumns(tree, widestNodes(tree, limits.maxNodes, maxDepth));
  const ids = [columns.fn, columns.elisions.largest];
  const rename = (...all: Uint32Array[]) => remainingFunctions(tree.functions, ...all);
  if (limits.hasAllFrames !== true) return prunedTree(tree, columns, rename(...ids));
  const { functions, sums } = withAllFunctions([allFramesOf(tree)] as const, ids, rename);
  return { ...prunedTree(tree, columns, functions), allFrames: sums[0] };
}

/**
 * The widest nodes of a tree, in the colours of the whole tree: its functions keep their order and include those that decide the colours
 * of packages.
 */
export function previewTree(tree: CallTree, maxNodes: number): CallTree {
  const columns = widestColumns(tree, widestNodes(tree, maxNodes, Number.POSITIVE_INFINITY));
  const deciding = decidingFunctions(tree.functions);
  const functions = orderedFunctions(tree.functions, deciding, columns.fn, columns.elisions.largest);
  return prunedTree(tree, columns, functions);
}

function prunedTree(
  { valueType, whole }: CallTree,
  columns: TreeColumns,
  functions: FunctionTable,
): CallTree {
  return { ...columns, functions, valueType, ...(whole !== undefined && { whole }) };
}

/** The columns of the nodes in `kept`, which ascend. Functions keep the ids of the whole tree. */
function widestColumns(tree: CallTree, kept: Uint32Array): TreeColumns {
  const elisions = elide(tree, kept);
  const { length } = kept;
  return deriveColumns({
    firstChild: firstChildrenAmong(kept, tree.parent),
    fn: gather(tree.fn, kept, new Uint32Array(length)),
    line: gather(tree.line, kept, new Int32Array(length)),
    self: gathered(tree.self, kept),
    selfSamples: gathered(selfSamples(tree), kept),
    elisions,
  });
}

/** The elided frames, by the row of their parent in `kept`. Kept siblings are the first ones, so elided ones are one run. */
function elide(tree: CallTree, kept: Uint32Array): ElisionTable {
  const { firstChild, elisions } = tree;
  const frames = sumUp(new Float64Array(tree.length).fill(1), tree.parent, elisions, elisions.count);
  const rows: {
    node: number;
    count: number;
    total: TreeValue;
    width: TreeValue;
    samples: number;
    largest: number;
  }[] = [];
  let next = 1;
  let elision = 0;
  for (let row = 0; row < kept.length; row++) {
    const node = kept[row];
    const end = firstChild[node + 1];
    let firstElided = firstChild[node];
    while (firstElided < end && kept[next] === firstElided) {
      firstElided++;
      next++;
    }
    const sum = {
      node: row,
      count: 0,
      total: 0,
      width: 0,
      samples: 0,
      largest: firstElided < end ? tree.fn[firstElided] : -1,
    };
    for (let child = firstElided; child < end; child++) {
      sum.count += frames[child];
      sum.total += tree.total[child];
      sum.width += tree.width[child];
      sum.samples += tree.samples[child];
    }
    while (elision < elisions.length && elisions.node[elision] < node) elision++;
    if (elision < elisions.length && elisions.node[elision] === node) {
      sum.count += elisions.count[elision];
      sum.total += elisions.total[elision];
      sum.width += elisions.width[elision];
      sum.samples += elisions.samples[elision];
      if (sum.largest === -1) sum.largest = elisions.largest[elision];
    }
    if (sum.largest !== -1) rows.push(sum);
  }
  return {
    length: rows.length,
    node: Uint32Array.from(rows, (row) => row.node),
    count: Float64Array.from(rows, (row) => row.count),
    total: Float64Array.from(rows, (row) => row.total),
    width: Float64Array.from(rows, (row) => row.width),
    samples: Float64Array.from(rows, (row) => row.samples),
    largest: Uint32Array.from(rows, (row) => row.largest),
  };
}
