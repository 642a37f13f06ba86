import { type CallTree, depthOf, panelHeight, rowHeight, topPadding } from "@flamekeep/flame";
import { rowCount } from "./scene.ts";

/** Enough for a few rows to point at. */
const lowestPx = 140;
/** A frame with a smaller share of the whole is narrower than a pixel on most screens. */
const visibleShare = 1 / 1500;

/**
 * The height of the panel, or less for a tree whose visible frames do not fill it. Zooming does not change it: frames that
 * only a zoom makes visible are scrolled to.
 */
export function graphHeight(tree: CallTree): number {
  const needed = topPadding + (visibleLevels(tree) + 1) * rowHeight;
  return Math.min(panelHeight, Math.max(lowestPx, needed));
}

/** Levels down to the last visible frame: a callee is at most as wide as its caller. */
function visibleLevels(tree: CallTree): number {
  const narrowest = tree.width[0]! * visibleShare;
  let level = 1;
  while (level < depthOf(tree) && hasFrameFrom(tree, level, narrowest)) level++;
  return level;
}

function hasFrameFrom({ levelStart, width }: CallTree, level: number, narrowest: number): boolean {
  for (let node = levelStart[level]!; node < levelStart[level + 1]!; node++)
    if (width[node]! >= narrowest) return true;
  return false;
}

const heights = { callers: { from: rowHeight, to: 380 }, callees: { from: 180, to: 560 } };

/** Height of a half of a sandwich: as many rows as it has, within limits so that both are in view. */
export function halfHeight(tree: CallTree, half: keyof typeof heights): number {
  // The root is in neither half, the function only in the callees' half, to which the callers reach down.
  const needed =
    half === "callers"
      ? rowCount(tree, 0, -2) * rowHeight
      : topPadding + (rowCount(tree, 0, -1) + 1) * rowHeight;
  const { from, to } = heights[half];
  return Math.min(to, Math.max(from, needed));
}
