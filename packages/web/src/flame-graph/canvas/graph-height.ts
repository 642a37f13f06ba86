import { type CallTree, panelHeight, rowHeight, topPadding } from "@flamekeep/flame";
import { rowCount } from "./scene.ts";

const lowestPx = 320;

/** The height of the panel, or less for a tree that does not fill it. Zooming does not change it. */
export function graphHeight(tree: CallTree): number {
  const needed = topPadding + (rowCount(tree, 0, 0) + 1) * rowHeight;
  return Math.min(panelHeight, Math.max(lowestPx, needed));
}
