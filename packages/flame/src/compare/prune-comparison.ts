import { withAllFunctions } from "#tree/all-frames.ts";
import type { AllFrames } from "#tree/call-tree.ts";
import { addSubtrees } from "#tree/derive.ts";
import { remainingFunctions } from "#tree/function-index.ts";
import { gather, gathered } from "#tree/gather.ts";
import { firstChildrenAmong, widestNodes } from "#tree/widest-nodes.ts";
import { allFramesOf } from "#view/function-totals.ts";
import type { ComparedElisions, Comparison, Scale, SideValues } from "./comparison.ts";
import { type ComparedTree, layOut } from "./lay-out.ts";

/**
 * The comparison of its `maxNodes` widest frames for a scale. Elided frames are counted at their parent, with their values before
 * and after: every total stays the same. Returns the same comparison if it is small enough.
 *
 * @param hasAllFrames whether it has the sums over all frames of both sides, and all functions
 */
export function pruneComparison(
  comparison: Comparison,
  scale: Scale,
  maxNodes: number,
  hasAllFrames = false,
): Comparison {
  if (comparison.length <= maxNodes) return comparison;
  const tree = layOut(comparison, scale);
  const widest = widestNodes(tree, Math.max(1, maxNodes), Number.POSITIVE_INFINITY);
  const length = widest.length;
  const rowOf = new Int32Array(tree.length).fill(-1);
  for (let row = 0; row < length; row++) rowOf[widest[row]] = row;
  const parent = Int32Array.from(widest, (node) => (node === 0 ? -1 : rowOf[tree.parent[node]]));
  const fn = gather(tree.fn, widest, new Uint32Array(length));
  const elisions = elide(comparison, tree, rowOf);
  const ids = [fn, elisions.largest];
  const rename = (...all: Uint32Array[]) => remainingFunctions(comparison.functions, ...all);
  const all = hasAllFrames ? withAllFunctions(sumsOfSides(tree), ids, rename) : undefined;
  const functions = all?.functions ?? rename(...ids);
  const side = ({ self, total }: SideValues, allFrames: AllFrames | undefined) => ({
    self: gathered(self, widest),
    total: gathered(total, widest),
    ...(allFrames && { allFrames }),
  });
  return {
    length,
    valueType: comparison.valueType,
    functions,
    firstChild: firstChildrenAmong(widest, tree.parent),
    parent,
    fn,
    line: gather(tree.line, widest, new Int32Array(length)),
    before: side(tree.before, all?.sums[0]),
    after: side(tree.after, all?.sums[1]),
    elisions,
  };
}

function sumsOfSides(tree: ComparedTree) {
  return [allFramesOf({ ...tree, ...tree.before }), allFramesOf({ ...tree, ...tree.after })] as const;
}

interface Sum {
  count: number;
  before: number;
  after: number;
  readonly largest: number;
}

/** The elided frames, by the row of their parent: subtrees of `tree`, and the frames that the comparison had already elided. */
function elide({ elisions }: Comparison, tree: ComparedTree, rowOf: Int32Array): ComparedElisions {
  const frames = addSubtrees(countsOf(tree), tree.parent);
  const sums = new Map<number, Sum>();
  const add = (row: number, part: Sum) => {
    const sum = sums.get(row);
    if (sum === undefined) sums.set(row, part);
    else {
      sum.count += part.count;
      sum.before += part.before;
      sum.after += part.after;
    }
  };
  for (let node = 1; node < tree.length; node++) {
    const row = rowOf[tree.parent[node]];
    if (row === -1 || rowOf[node] !== -1) continue;
    const [before, after] = [tree.before.total[node], tree.after.total[node]];
    add(row, { count: frames[node], before, after, largest: tree.fn[node] });
  }
  const nodeOf = new Uint32Array(tree.length);
  for (let node = 0; node < tree.length; node++) nodeOf[tree.source[node]] = node;
  for (let elision = 0; elision < elisions.length; elision++) {
    const row = rowOf[nodeOf[elisions.node[elision]]];
    if (row === -1) continue;
    add(row, {
      count: elisions.count[elision],
      before: elisions.before[elision],
      after: elisions.after[elision],
      largest: elisions.largest[elision],
    });
  }
  const rows = [...sums].sort(([a], [b]) => a - b);
  return {
    length: rows.length,
    node: Uint32Array.from(rows, ([row]) => row),
    count: Float64Array.from(rows, ([, sum]) => sum.count),
    before: Float64Array.from(rows, ([, sum]) => sum.before),
    after: Float64Array.from(rows, ([, sum]) => sum.after),
    largest: Uint32Array.from(rows, ([, sum]) => sum.largest),
  };
}

/** 1 for each node, and the frames that are already elided under it. */
function countsOf({ length, elisions }: ComparedTree): Float64Array {
  const counts = new Float64Array(length).fill(1);
  for (let row = 0; row < elisions.length; row++) {
    const node = elisions.node[row];
    counts[node] += elisions.count[row];
  }
  return counts;
}
