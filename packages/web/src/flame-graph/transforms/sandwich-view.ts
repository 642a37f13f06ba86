import { type CallTree, type FlameView, rowHeight, topPadding } from "@flamekeep/flame";
import { rowCount } from "#flame-graph/canvas/scene.ts";

/** Reference of the function in both halves of a sandwich: the only frame below the root. */
const functionRef = "0";

/** The view of a half: the function is its root. */
export function viewOfHalf(view: FlameView): FlameView {
  return { ...view, zoom: view.zoom || functionRef, focus: view.focus || functionRef };
}

/** The other way round: a link does not repeat what the sandwich says. */
export function viewFromHalf(view: FlameView): FlameView {
  const moved = (ref: string) => (ref === functionRef ? "" : ref);
  return { ...view, zoom: moved(view.zoom), focus: moved(view.focus) };
}

const heights = { callers: { from: rowHeight, to: 380 }, callees: { from: 180, to: 560 } };

/** Height of a half: as many rows as it has, within limits so that both are in view. */
export function halfHeight(tree: CallTree, half: keyof typeof heights): number {
  // The root is in neither half, the function only in the callees' half, to which the callers reach down.
  const needed =
    half === "callers"
      ? rowCount(tree, 0, -2) * rowHeight
      : topPadding + (rowCount(tree, 0, -1) + 1) * rowHeight;
  const { from, to } = heights[half];
  return Math.min(to, Math.max(from, needed));
}
