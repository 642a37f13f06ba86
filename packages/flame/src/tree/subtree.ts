import type { CallTree, ElisionTable } from "./call-tree.ts";
import { noElisions, wholeOf } from "./call-tree.ts";
import { deriveColumns } from "./derive.ts";
import { remainingFunctions } from "./function-index.ts";
import { selfSamples } from "./self-samples.ts";

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

export interface NodeRange {
  readonly from: number;
  readonly to: number;
}

/** The frame and everything below it as a separate tree. Its shares still refer to the whole tree. */
export function subtreeAt(tree: CallTree, root: number): CallTree {
  if (root === 0) return tree;
  const ranges = rangesBelow(tree, root);
  const length = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  const copy = <T extends Column>(from: T, to: T): T => copyRanges(ranges, from, to);
  const elisions = elisionsIn(tree.elisions, ranges);
  const fn = copy(tree.fn, new Uint32Array(length));
  const functions = remainingFunctions(tree.functions, fn, elisions.largest);
  const columns = deriveColumns({
    firstChild: childrenIn(tree, ranges, length),
    fn,
    line: copy(tree.line, new Int32Array(length)),
    self: copy(tree.self, new Float64Array(length)),
    selfSamples: copy(selfSamples(tree), new Float64Array(length)),
    elisions,
  });
  return { ...columns, functions, valueType: tree.valueType, whole: wholeOf(tree) };
}

/** One value for each node. */
export type Column = Float64Array | Int32Array | Uint32Array;

/** The rows of a column in the ranges, one after the other. */
export function copyRanges<T extends Column>(ranges: readonly NodeRange[], from: T, to: T): T {
  let at = 0;
  for (const range of ranges) {
    to.set(from.subarray(range.from, range.to), at);
    at += range.to - range.from;
  }
  return to;
}

/** Offsets of the children, numbered as in the subtree. */
export function childrenIn(
  { firstChild }: Pick<CallTree, "firstChild">,
  ranges: readonly NodeRange[],
  length: number,
): Uint32Array {
  const children = new Uint32Array(length + 1);
  let at = 0;
  let next = 1;
  for (const { from, to } of ranges) {
    for (let node = from; node < to; node++) {
      children[at++] = next;
      next += firstChild[node + 1] - firstChild[node];
    }
  }
  children[length] = next;
  return children;
}

/** The rows of elided frames whose nodes are in the ranges, and those nodes, numbered from 0. */
export function rowsIn(
  { node, length }: Pick<ElisionTable, "node" | "length">,
  ranges: readonly NodeRange[],
) {
  const rows: number[] = [];
  const nodes: number[] = [];
  let row = 0;
  let before = 0;
  for (const { from, to } of ranges) {
    while (row < length && node[row] < from) row++;
    for (; row < length && node[row] < to; row++) {
      rows.push(row);
      nodes.push(before + node[row] - from);
    }
    before += to - from;
  }
  return { rows, nodes: Uint32Array.from(nodes) };
}

function elisionsIn(elisions: ElisionTable, ranges: readonly NodeRange[]): ElisionTable {
  const { rows, nodes } = rowsIn(elisions, ranges);
  return rows.length === 0 ? noElisions : { ...elisionRows(elisions, rows), node: nodes };
}

/** Some rows of a table. */
function elisionRows(elisions: ElisionTable, rows: readonly number[]): ElisionTable {
  const values = (of: Float64Array) => Float64Array.from(rows, (row) => of[row]);
  return {
    length: rows.length,
    node: Uint32Array.from(rows, (row) => elisions.node[row]),
    count: values(elisions.count),
    total: values(elisions.total),
    width: values(elisions.width),
    samples: values(elisions.samples),
    largest: Uint32Array.from(rows, (row) => elisions.largest[row]),
  };
}
