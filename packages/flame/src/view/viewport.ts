import type { Fraction } from "@flamekeep/profile";
import type { CallTree, TreeValue } from "#tree/call-tree.ts";

/** Pixels as CSS counts them: one may be several pixels of the screen. */
export type CssPixels = number;

/** The horizontal part of the tree on screen, in value units. */
export interface Viewport {
  readonly from: TreeValue;
  readonly to: TreeValue;
}

export const rowHeight: CssPixels = 24;
export const panelHeight: CssPixels = 800;
export const topPadding: CssPixels = 20;
export const zoomDurationMs = 750;
/** Narrower boxes are drawn together. */
export const boxWidthMin: CssPixels = 1;

/** The box of a node fills the viewport. */
export function viewportOf(tree: CallTree, node: number): Viewport {
  return { from: tree.x[node], to: tree.x[node] + tree.width[node] };
}

/**
 * The viewport at a time of a transition, 0 .. 1, eased at both ends. The scale changes at a constant rate around one fixed point, so
 * a zoom of 400 times looks as even as one of 2.
 */
export function interpolate(start: Viewport, end: Viewport, time: Fraction): Viewport {
  if (time <= 0) return start;
  if (time >= 1) return end;
  const eased = time < 0.5 ? 4 * time ** 3 : 1 - (2 - 2 * time) ** 3 / 2;
  const before = start.to - start.from;
  const after = end.to - end.from;
  if (before <= 0 || after <= 0 || Math.abs(after - before) < 1e-9 * before) {
    const from = start.from + (end.from - start.from) * eased;
    return { from, to: from + before + (after - before) * eased };
  }
  const extent = before * (after / before) ** eased;
  const moved = (extent - before) / (after - before);
  const from = start.from + (end.from - start.from) * moved;
  return { from, to: from + extent };
}

/** Zooms at a point, 0 .. 1 across; never out of the whole, never below a millionth of it. */
export function zoomAt(view: Viewport, whole: Viewport, at: Fraction, factor: number): Viewport {
  const all = whole.to - whole.from;
  const extent = Math.min(all, Math.max(all * 1e-6, (view.to - view.from) / factor));
  const point = view.from + (view.to - view.from) * at;
  return inside({ from: point - extent * at, to: point + extent * (1 - at) }, whole);
}

/** Moves by a share of the viewport's own extent. */
export function panBy(view: Viewport, whole: Viewport, share: Fraction): Viewport {
  const step = (view.to - view.from) * share;
  return inside({ from: view.from + step, to: view.to + step }, whole);
}

function inside(view: Viewport, whole: Viewport): Viewport {
  const extent = view.to - view.from;
  const from = Math.max(whole.from, Math.min(view.from, whole.to - extent));
  return { from, to: from + extent };
}
