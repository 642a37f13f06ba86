import { type CallTree, elisionOf, pathTo } from "#tree/call-tree.ts";

/**
 * The rows of a tree whose nodes are open or closed, from the top. Children are in the tree's order, widest first; frames that the server
 * left out are one row after them.
 *
 * ```
 *   ▾ main              node 1   level 1
 *     ▸ serve                2         2
 *       parse                3         2
 *       12 left out         -2         2     -1 - the node above
 * ```
 */
export interface CallRows {
  readonly length: number;
  /** Node of each row; -1 - n for the frames left out under n. */
  readonly node: Int32Array;
  /** 1 for the first row. */
  readonly level: Uint32Array;
}

/** The rows from a node on, which is the first of them. */
export function callRows(tree: CallTree, root: number, open: ReadonlySet<number>): CallRows {
  const { firstChild } = tree;
  const nodes: number[] = [];
  const levels: number[] = [];
  // The next sibling and the end of each level that is not finished.
  const next = [root];
  const ends = [root + 1];
  while (next.length > 0) {
    const level = next.length;
    const node = next[level - 1];
    if (node === ends[level - 1]) {
      next.pop();
      ends.pop();
      const above = next.length === 0 ? -1 : next[level - 2] - 1;
      if (above !== -1 && elisionOf(tree, above) !== -1) {
        nodes.push(-1 - above);
        levels.push(level);
      }
      continue;
    }
    next[level - 1] = node + 1;
    nodes.push(node);
    levels.push(level);
    if (open.has(node) && isOpenable(tree, node)) {
      next.push(firstChild[node]);
      ends.push(firstChild[node + 1]);
    }
  }
  return { length: nodes.length, node: Int32Array.from(nodes), level: Uint32Array.from(levels) };
}

/** Whether there is anything below a node. */
export function isOpenable(tree: CallTree, node: number): boolean {
  return tree.firstChild[node] < tree.firstChild[node + 1] || elisionOf(tree, node) !== -1;
}

/** Place of a row among its siblings, and their number, for assistive technology: those left out are one. */
export function placeOf(
  tree: CallTree,
  root: number,
  row: number,
): { readonly place: number; readonly of: number } {
  if (row === root) return { place: 1, of: 1 };
  const above = row < 0 ? -1 - row : tree.parent[row];
  const children = tree.firstChild[above + 1] - tree.firstChild[above];
  const of = children + (elisionOf(tree, above) === -1 ? 0 : 1);
  return { place: row < 0 ? of : row - tree.firstChild[above] + 1, of };
}

/** Callees with at least this share of the first row are opened at first. */
const hotShare = 0.2;
const hotLevelsMax = 100;

/** The nodes on the way from a node to where its value goes: its widest callees, as long as they are wide. */
export function hotPath({ firstChild, width }: CallTree, root: number): number[] {
  const path = [root];
  for (let node = root; path.length < hotLevelsMax; ) {
    const child = firstChild[node];
    if (child === firstChild[node + 1] || width[child] < hotShare * width[root]) break;
    path.push(child);
    node = child;
  }
  return path;
}

/** The open nodes with those above a node, so that it has a row; the same set if it has one. */
export function openedTo(
  tree: CallTree,
  open: ReadonlySet<number>,
  root: number,
  node: number,
): ReadonlySet<number> {
  const path = pathTo(tree, node);
  const above = path.slice(path.indexOf(root), -1);
  if (!path.includes(root) || above.every((each) => open.has(each))) return open;
  return new Set([...open, ...above]);
}

/** The open nodes with one opened or closed, or with all of its siblings opened. */
export function toggledNode(
  tree: CallTree,
  open: ReadonlySet<number>,
  node: number,
  to: "open" | "closed" | "siblings open",
): ReadonlySet<number> {
  const next = new Set(open);
  if (to === "closed") next.delete(node);
  else if (to === "open") next.add(node);
  else {
    const above = tree.parent[node];
    if (above === -1) next.add(node);
    else for (let each = tree.firstChild[above]; each < tree.firstChild[above + 1]; each++) next.add(each);
  }
  return next;
}
