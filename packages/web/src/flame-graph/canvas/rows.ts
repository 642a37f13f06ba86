import { rowHeight, topPadding } from "@flamekeep/flame";
import type { Scene } from "./scene.ts";

/** The part of a drawing that is scrolled into view. */
export interface ScrolledArea {
  /** CSS pixels scrolled away at the top. */
  readonly scrollTop: number;
  /** Height of the whole drawing; callers grow upwards from its bottom. */
  readonly contentPx: number;
}

type Rows = Pick<Scene, "focusLevel" | "direction">;

/** Y of a level of the tree on the canvas. */
export function rowY({ focusLevel, direction }: Rows, area: ScrolledArea, level: number): number {
  const row = level - focusLevel;
  const y = direction === "up" ? area.contentPx - (row + 1) * rowHeight : topPadding + row * rowHeight;
  return y - area.scrollTop;
}

/** The level of the tree at a y of the canvas; it may have no frames. */
export function levelAt({ focusLevel, direction }: Rows, area: ScrolledArea, y: number): number {
  const at = y + area.scrollTop;
  const row =
    direction === "up"
      ? Math.ceil((area.contentPx - at) / rowHeight) - 1
      : Math.floor((at - topPadding) / rowHeight);
  return focusLevel + row;
}

/** First and last level in view, both included. */
export function levelsInView(rows: Rows, area: ScrolledArea, heightPx: number) {
  const ends = [levelAt(rows, area, 0), levelAt(rows, area, heightPx)] as const;
  return { firstRow: Math.max(rows.focusLevel, Math.min(...ends)), lastRow: Math.max(...ends) };
}

/** Y of level 0 of the tree on the canvas, and the distance to the next level: negative if rows grow upwards. */
export function rowsOf(rows: Rows, area: ScrolledArea): { readonly top: number; readonly step: number } {
  return { top: rowY(rows, area, 0), step: rows.direction === "up" ? -rowHeight : rowHeight };
}
