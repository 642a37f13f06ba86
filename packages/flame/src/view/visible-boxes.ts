import { type CallTree, elisionOf, type TreeValue } from "#tree/call-tree.ts";
import type { BoxList } from "./box-list.ts";
import type { CssPixels } from "./viewport.ts";
import { boxWidthMin, type Viewport } from "./viewport.ts";

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
