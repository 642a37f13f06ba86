/**
 * How the columns of a tree and of a subtree that takes the place of one of its own are joined:
 *
 * ```
 *        main                 serve                main
 *   serve    gc       +    parse  query     =   serve    gc
 *   parse +3 left out        3 frames          parse query
 * ```
 *
 * On each level a subtree is one range of nodes, so every column is made of three pieces a level.
 */

import { functionRef } from "#view/selected-function.ts";
import type { CallTree, ElisionTable, FunctionTable } from "./call-tree.ts";
import { lowerBound } from "./sorted.ts";
import { type Column, type NodeRange, rangesBelow } from "./subtree.ts";

/** The columns that determine where the nodes of a tree are. */
export type TreeShape = Pick<CallTree, "firstChild" | "levelStart">;

/** Nodes that follow each other in one of the trees and in the joined one. */
interface Piece {
  readonly isInner: boolean;
  readonly from: number;
  readonly end: number;
  /** Place in the joined tree. */
  readonly at: number;
}

export interface JoinedLayout {
  readonly length: number;
  readonly pieces: readonly Piece[];
}

/** The places of the nodes if `subtree` takes the place of the one at `node`. */
export function joinedLayout(tree: TreeShape, node: number, subtree: TreeShape): JoinedLayout {
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
  { firstChild }: TreeShape,
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

/** A column of both trees in the order of the joined one. */
export function joinedColumn<T extends Column>({ pieces }: JoinedLayout, outer: T, inner: T, to: T): T {
  for (const { from, end, at, isInner } of pieces) to.set((isInner ? inner : outer).subarray(from, end), at);
  return to;
}

export function joinedChildren(layout: JoinedLayout, tree: TreeShape, subtree: TreeShape): Uint32Array {
  const counts = new Uint32Array(layout.length);
  return childOffsets(joinedColumn(layout, childCounts(tree), childCounts(subtree), counts));
}

function childCounts({ firstChild }: TreeShape): Uint32Array {
  const length = firstChild.length - 1;
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

/** A row of one of the tables of elided frames, and its node in the joined tree. */
interface JoinedRow {
  readonly isInner: boolean;
  readonly row: number;
  readonly node: number;
}

/** The rows of both tables that remain, by node. @param outer nodes of the rows of the tree, sorted; `inner` are those of the subtree */
function joinedRows({ pieces }: JoinedLayout, outer: Uint32Array, inner: Uint32Array): JoinedRow[] {
  const rows: JoinedRow[] = [];
  for (const { from, end, at, isInner } of pieces) {
    const nodes = isInner ? inner : outer;
    for (let row = lowerBound(nodes, from); row < nodes.length && nodes[row] < end; row++)
      rows.push({ isInner, row, node: nodes[row] - from + at });
  }
  return rows;
}

/** The functions of the tree, followed by those that only the subtree has; and the id of each function of the subtree. */
export function joinedFunctions(of: FunctionTable, more: FunctionTable) {
  const ids = new Map<string, number>();
  // Function 0 is the root, which no subtree has.
  for (let fn = 1; fn < of.length; fn++) ids.set(functionRef(of, fn), fn);
  const added: number[] = [];
  const ofSubtree = new Uint32Array(more.length);
  for (let fn = 0; fn < more.length; fn++) {
    const ref = functionRef(more, fn);
    let id = ids.get(ref);
    if (id === undefined) {
      id = of.length + added.length;
      ids.set(ref, id);
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

/** A table of elided frames, with the figures that it has for each row. */
type Elisions<Figure extends string> = Pick<ElisionTable, "length" | "node" | "largest"> &
  Readonly<Record<Figure, Float64Array>>;

/** The rows of both tables that remain. @param ofSubtree id in the joined table of each function of the subtree */
export function joinedElisions<Figure extends string>(
  layout: JoinedLayout,
  outer: Elisions<Figure>,
  inner: Elisions<Figure>,
  ofSubtree: Uint32Array,
  figures: readonly Figure[],
): Elisions<Figure> {
  const rows = joinedRows(layout, outer.node, inner.node);
  const column = (figure: Figure) =>
    Float64Array.from(rows, ({ isInner, row }) => (isInner ? inner : outer)[figure][row]);
  return {
    length: rows.length,
    node: Uint32Array.from(rows, ({ node }) => node),
    largest: Uint32Array.from(rows, ({ isInner, row }) =>
      isInner ? ofSubtree[inner.largest[row]] : outer.largest[row],
    ),
    ...(Object.fromEntries(figures.map((figure) => [figure, column(figure)])) as Record<
      Figure,
      Float64Array
    >),
  };
}
