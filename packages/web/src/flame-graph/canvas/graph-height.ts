import { type CallTree, panelHeight, rowHeight, topPadding } from "@flamekeep/flame";
import { rowCount } from "./scene.ts";

/** Enough for a few rows to point at. */
const lowestPx = 140;

/** The height of the panel, or less for a tree that does not fill it. Zooming does not change it. */
export function graphHeight(tree: CallTree): number {
  const needed = topPadding + (rowCount(tree, 0, 0) + 1) * rowHeight;
  return Math.min(panelHeight, Math.max(lowestPx, needed));
}
