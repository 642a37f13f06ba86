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
  if (window.firstRow <= 0) addBox({ tree, window, scale, boxes, row: 0 }, 0, -1);
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

function listChildren(level: Level, parent: number, drawn: number[]): number {
  const { tree, window, scale, row } = level;
  const { firstChild, x, width } = tree;
  const end = firstChild[parent + 1];
  const start = firstInside(tree, firstChild[parent], end, window.from);
  const isListed = row >= window.firstRow;
  let child = start;
  for (; child < end && x[child] < window.to; child++) {
    if (width[child] * scale < boxWidthMin) break;
    drawn.push(child);
    if (isListed) addBox(level, child, parent);
  }
  if (isListed && (child === end || x[child] < window.to)) addRest(level, parent, child);
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

function addBox({ tree, window, scale, boxes, row }: Level, node: number, parent: number): void {
  const at = boxes.add();
  boxes.node[at] = node;
  boxes.parent[at] = parent;
  boxes.row[at] = row;
  boxes.isRun[at] = 0;
  boxes.left[at] = (tree.x[node] - window.from) * scale;
  boxes.right[at] = (tree.x[node] + tree.width[node] - window.from) * scale;
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
  const at = boxes.add();
  boxes.node[at] = child < end ? child : -1;
  boxes.parent[at] = parent;
  boxes.row[at] = row;
  boxes.isRun[at] = 1;
  boxes.left[at] = (from - window.from) * scale;
  boxes.right[at] = (to - window.from) * scale;
}
