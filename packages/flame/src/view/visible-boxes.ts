import { type CallTree, elisionOf, type TreeValue } from "#tree/call-tree.ts";
import { grown } from "#tree/columns.ts";
import { boxWidthMin, type CssPixels, type Viewport } from "./viewport.ts";

export interface VisibleArea extends Viewport {
  /** First and last row to list, both included. */
  readonly firstRow: number;
  readonly lastRow: number;
  readonly widthPx: CssPixels;
}

/**
 * Lists the boxes on screen. Walks down from the root, one level at a time, and only into frames that are drawn: at the first sibling
 * under a pixel all later ones are too. The work depends on what is visible, not on the tree.
 *
 * @returns number of nodes looked at
 */
export function listVisibleBoxes(tree: CallTree, window: VisibleArea, boxes: BoxList): number {
  boxes.clear();
  const scale = window.widthPx / (window.to - window.from);
  if (!Number.isFinite(scale) || scale <= 0 || tree.width[0] <= 0) return 0;
  let visited = 1;
  let above = [0];
  if (window.firstRow <= 0) {
    const left = (tree.x[0] - window.from) * scale;
    boxes.add(0, -1, 0, left, left + tree.width[0] * scale);
  }
  for (let row = 1; row <= window.lastRow && above.length > 0; row++) {
    const level: Level = { tree, window, scale, boxes, row };
    const drawn: number[] = [];
    for (const parent of above) visited += listChildren(level, parent, drawn);
    above = drawn;
  }
  return visited;
}

interface Level {
  readonly tree: CallTree;
  readonly window: VisibleArea;
  /** CSS pixels for each unit of value. */
  readonly scale: number;
  readonly boxes: BoxList;
  readonly row: number;
}

// A picture has tens of thousands of boxes in each animation frame, so columns are read once for each parent.
function listChildren(level: Level, parent: number, drawn: number[]): number {
  const { tree, window, scale, row, boxes } = level;
  const { firstChild, x, width } = tree;
  const { from, to } = window;
  const end = firstChild[parent + 1];
  const start = firstInside(tree, firstChild[parent], end, from);
  const isListed = row >= window.firstRow;
  const widthMin = boxWidthMin / scale;
  let child = start;
  for (; child < end; child++) {
    const left = x[child];
    const wide = width[child];
    if (left >= to || wide < widthMin) break;
    drawn.push(child);
    if (isListed) boxes.add(child, parent, row, (left - from) * scale, (left + wide - from) * scale);
  }
  const hasRest = child < end ? x[child] < to : tree.elisions.length > 0;
  if (isListed && hasRest) addRest(level, parent, child);
  return child - start + 1;
}

/** First child that ends right of a value. */
function firstInside({ x, width }: CallTree, from: number, to: number, value: TreeValue): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle] + width[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** One box for the children from `child` on and for the frames left out under the parent. */
function addRest({ tree, window, scale, boxes, row }: Level, parent: number, child: number): void {
  const { firstChild, x, width, elisions } = tree;
  const end = firstChild[parent + 1];
  const last = end - 1;
  const childrenEnd = last < firstChild[parent] ? x[parent] : x[last] + width[last];
  const elision = elisions.length === 0 ? -1 : elisionOf(tree, parent);
  const to = childrenEnd + (elision === -1 ? 0 : elisions.width[elision]);
  const from = child < end ? x[child] : childrenEnd;
  if (to <= from || to <= window.from || from >= window.to) return;
  const left = (from - window.from) * scale;
  boxes.addRun(child < end ? child : -1, parent, row, left, (to - window.from) * scale);
}

/**
 * Boxes on screen as columns, row by row, each row from left to right. A box is a frame, or a run of siblings that are too
 * narrow to draw one by one (`isRun`). For a run, `node` is the first sibling, or -1 where only frames that were left out remain.
 * The list is reused from one drawing to the next.
 */
export class BoxList {
  length = 0;
  node = new Int32Array(1024);
  /** Node above; -1 for the root. */
  parent = new Int32Array(1024);
  row = new Int32Array(1024);
  left = new Float64Array(1024);
  right = new Float64Array(1024);
  isRun = new Uint8Array(1024);

  clear(): void {
    this.length = 0;
  }

  /** @param left and `right`: CSS pixels */
  add(node: number, parent: number, row: number, left: number, right: number): void {
    if (this.length === this.node.length) this.#grow();
    const at = this.length++;
    this.node[at] = node;
    this.parent[at] = parent;
    this.row[at] = row;
    this.left[at] = left;
    this.right[at] = right;
    this.isRun[at] = 0;
  }

  /** @param node the first of the run, or -1 */
  addRun(node: number, parent: number, row: number, left: number, right: number): void {
    this.add(node, parent, row, left, right);
    this.isRun[this.length - 1] = 1;
  }

  #grow(): void {
    const size = this.length * 2;
    this.node = grown(this.node, new Int32Array(size));
    this.parent = grown(this.parent, new Int32Array(size));
    this.row = grown(this.row, new Int32Array(size));
    this.left = grown(this.left, new Float64Array(size));
    this.right = grown(this.right, new Float64Array(size));
    this.isRun = grown(this.isRun, new Uint8Array(size));
  }
}

/** The target under a point: a frame, or the frames left out under `parent`. */
export type Hit =
  | { readonly kind: "frame"; readonly node: number }
  | { readonly kind: "elided"; readonly parent: number };

/** Two binary searches: within the level, whose boxes are sorted by position, and for elisions in the level above. */
export function hitAt(tree: CallTree, value: TreeValue, row: number): Hit | null {
  const { levelStart, width, x } = tree;
  if (row < 0 || row > levelStart.length - 1) return null;
  const node = row === levelStart.length - 1 ? -1 : lastAtOrLeft(tree, value, row);
  if (node !== -1 && value < x[node] + width[node]) return { kind: "frame", node };
  if (row === 0 || tree.elisions.length === 0) return null;
  const parent = lastAtOrLeft(tree, value, row - 1);
  if (parent === -1) return null;
  const elision = elisionOf(tree, parent);
  if (elision === -1) return null;
  const last = tree.firstChild[parent + 1] - 1;
  const from = last < tree.firstChild[parent] ? x[parent] : x[last] + width[last];
  const isInside = value >= from && value < from + tree.elisions.width[elision];
  return isInside ? { kind: "elided", parent } : null;
}

/** Last node of a level that begins at or left of a value and has a width, or -1. */
function lastAtOrLeft({ levelStart, width, x }: CallTree, value: TreeValue, row: number): number {
  const start = levelStart[row];
  let low = start;
  let high = levelStart[row + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle] <= value) low = middle + 1;
    else high = middle;
  }
  let node = low - 1;
  while (node >= start && width[node] === 0) node--;
  return node >= start ? node : -1;
}
