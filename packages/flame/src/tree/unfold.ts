/**
 * Puts a subtree that has more frames in the place of the one that a tree has:
 *
 * ```
 *        main                 serve                main
 *   serve    gc       +    parse  query     =   serve    gc
 *   parse +3 left out        3 frames          parse query
 * ```
 *
 * On each level a subtree is one range of nodes, so every column is made of three pieces a level.
 */
import type { CallTree, ElisionTable, FunctionTable } from "./call-tree.ts";
import { noElisions } from "./call-tree.ts";
import { deriveColumns } from "./derive.ts";
import { selfSamples } from "./self-samples.ts";
import { elisionRows, type NodeRange, rangesBelow } from "./subtree.ts";

/** Whether frames at or below the node were left out. */
export function hasElisionsBelow(tree: CallTree, node: number): boolean {
  if (tree.elisions.length === 0) return false;
  if (node === 0) return true;
  const { node: nodes } = tree.elisions;
  let row = 0;
  for (const { from, to } of rangesBelow(tree, node)) {
    while (row < nodes.length && nodes[row] < from) row++;
    if (row < nodes.length && nodes[row] < to) return true;
  }
  return false;
}

/**
 * The tree with `subtree` at `node`: the same function with all frames that the tree has there, in the same order, and more. Positions
 * of frames among their siblings stay the same, and with them references to frames.
 */
export function unfoldAt(tree: CallTree, node: number, subtree: CallTree): CallTree {
  const { functions, ofSubtree } = joinedFunctions(tree.functions, subtree.functions);
  const layout = layoutOf(tree, node, subtree);
  const join = <T extends Float64Array | Int32Array | Uint32Array>(outer: T, inner: T, to: T): T => {
    for (const { from, end, at, isInner } of layout.pieces)
      to.set((isInner ? inner : outer).subarray(from, end), at);
    return to;
  };
  const { length } = layout;
  const innerFn = subtree.fn.map((fn) => ofSubtree[fn]);
  const innerLine = subtree.line.slice();
  innerLine[0] = tree.line[node];
  const columns = deriveColumns({
    firstChild: childOffsets(join(childCounts(tree), childCounts(subtree), new Uint32Array(length))),
    fn: join(tree.fn, innerFn, new Uint32Array(length)),
    line: join(tree.line, innerLine, new Int32Array(length)),
    self: join(tree.self, subtree.self, new Float64Array(length)),
    selfSamples: join(selfSamples(tree), selfSamples(subtree), new Float64Array(length)),
    elisions: joinedElisions(tree, subtree, layout, ofSubtree),
  });
  const { valueType, whole } = tree;
  return { ...columns, functions, valueType, ...(whole !== undefined && { whole }) };
}

/** Nodes that follow each other in one of the trees and in the joined one. */
interface Piece {
  readonly isInner: boolean;
  readonly from: number;
  readonly end: number;
  /** Place in the joined tree. */
  readonly at: number;
}

interface Layout {
  readonly length: number;
  readonly pieces: readonly Piece[];
}

function layoutOf(tree: CallTree, node: number, subtree: CallTree): Layout {
  const replaced = rangesBelow(tree, node);
  const { levelStart } = tree;
  let above = 0;
  while (levelStart[above + 1] <= node) above++;
  const pieces: Piece[] = [];
  let at = 0;
  const add = (isInner: boolean, from: number, end: number) => {
    if (end > from) pieces.push({ isInner, from, end, at });
    at += end - from;
  };
  const outerLevels = levelStart.length - 1;
  const innerLevels = subtree.levelStart.length - 1;
  for (let level = 0; level < Math.max(outerLevels, above + innerLevels); level++) {
    const end = levelStart[Math.min(level + 1, outerLevels)];
    const start = levelStart[Math.min(level, outerLevels)];
    const inner = level - above;
    const gap: NodeRange = replaced[inner] ?? gapAfter(tree, replaced, inner, end);
    add(false, start, Math.max(start, gap.from));
    if (inner >= 0 && inner < innerLevels)
      add(true, subtree.levelStart[inner], subtree.levelStart[inner + 1]);
    add(false, Math.max(start, gap.to), end);
  }
  return { length: at, pieces };
}

/** Where frames of the subtree belong on a level on which the tree has none of them. */
function gapAfter(
  { firstChild }: CallTree,
  replaced: readonly NodeRange[],
  inner: number,
  end: number,
): NodeRange {
  if (inner < 0) return { from: end, to: end };
  // The children of the last frames that were replaced would begin here; below them, each level leads to the next.
  let at = replaced.at(-1)!.to;
  for (let level = replaced.length - 1; level < inner; level++) at = firstChild[at];
  return { from: Math.min(at, end), to: Math.min(at, end) };
}

function childCounts({ firstChild, length }: CallTree): Uint32Array {
  const counts = new Uint32Array(length);
  for (let node = 0; node < length; node++) counts[node] = firstChild[node + 1] - firstChild[node];
  return counts;
}

function childOffsets(counts: Uint32Array): Uint32Array {
  const offsets = new Uint32Array(counts.length + 1);
  let next = 1;
  for (let node = 0; node < counts.length; node++) {
    offsets[node] = next;
    next += counts[node];
  }
  offsets[counts.length] = next;
  return offsets;
}

function joinedElisions(
  tree: CallTree,
  subtree: CallTree,
  { pieces }: Layout,
  ofSubtree: Uint32Array,
): ElisionTable {
  const inner = { ...subtree.elisions, largest: subtree.elisions.largest.map((fn) => ofSubtree[fn]) };
  const tables = pieces.map(({ isInner, from, end, at }) => {
    const table = isInner ? inner : tree.elisions;
    const rows: number[] = [];
    for (let row = rowFrom(table.node, from); row < table.length && table.node[row] < end; row++)
      rows.push(row);
    const picked = elisionRows(table, rows);
    return { ...picked, node: picked.node.map((node) => node - from + at) };
  });
  const filled = tables.filter(({ length }) => length > 0);
  if (filled.length === 0) return noElisions;
  const floats = (of: "count" | "total" | "width" | "samples") =>
    Float64Array.from(filled.flatMap((table) => [...table[of]]));
  return {
    length: filled.reduce((sum, { length }) => sum + length, 0),
    node: Uint32Array.from(filled.flatMap(({ node }) => [...node])),
    largest: Uint32Array.from(filled.flatMap(({ largest }) => [...largest])),
    count: floats("count"),
    total: floats("total"),
    width: floats("width"),
    samples: floats("samples"),
  };
}

/** First row of a node at or after `from`. */
function rowFrom(nodes: Uint32Array, from: number): number {
  let low = 0;
  let high = nodes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (nodes[middle] < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The functions of the tree, followed by those that only the subtree has; and the id of each function of the subtree. */
function joinedFunctions(of: FunctionTable, more: FunctionTable) {
  const ids = new Map<string, number>();
  // Function 0 is the root, which no subtree has.
  for (let fn = 1; fn < of.length; fn++) ids.set(of.name[fn], fn);
  const added: number[] = [];
  const ofSubtree = new Uint32Array(more.length);
  for (let fn = 0; fn < more.length; fn++) {
    let id = ids.get(more.name[fn]);
    if (id === undefined) {
      id = of.length + added.length;
      ids.set(more.name[fn], id);
      added.push(fn);
    }
    ofSubtree[fn] = id;
  }
  const texts = (from: readonly string[], extra: readonly string[]) => [
    ...from,
    ...added.map((fn) => extra[fn]),
  ];
  const functions: FunctionTable = {
    length: of.length + added.length,
    name: texts(of.name, more.name),
    packageName: texts(of.packageName, more.packageName),
    file: texts(of.file, more.file),
    startLine: Int32Array.from([...of.startLine, ...added.map((fn) => more.startLine[fn])]),
  };
  return { functions, ofSubtree };
}
