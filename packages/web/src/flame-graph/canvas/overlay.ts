import { type BoxList, type Hit, rowHeight } from "@flamekeep/flame";
import type { Scene } from "./scene.ts";

export interface OverlayArea {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Y of level 0 of the tree, and the way from one level to the next. */
  readonly top: number;
  readonly step: number;
}

/** Outlines of the selected frame and of a function, over the boxes, so that selecting never repaints them. */
export function drawOverlay(
  context: CanvasRenderingContext2D,
  scene: Scene,
  boxes: BoxList,
  area: OverlayArea,
): void {
  context.clearRect(0, 0, area.widthPx, area.heightPx);
  for (let box = 0; box < boxes.length; box++) {
    if (boxes.isRun[box] === 1) continue;
    const node = boxes.node[box]!;
    if (scene.outlined !== -1 && scene.tree.fn[node] === scene.outlined) {
      outline(context, boxes, box, area, { colour: scene.colours.text, thickness: 1 });
    }
    if (node === scene.selected) {
      // The outline has a light and a dark line, so that one of them contrasts with any frame.
      outline(context, boxes, box, area, { colour: scene.colours.surface, thickness: 4 });
      outline(context, boxes, box, area, { colour: scene.colours.text, thickness: 2 });
    }
  }
}

/**
 * Outlines the box under the pointer with a separate element: the pointer moves constantly, and without a GPU the browser
 * composites a canvas as a whole.
 */
export function placePointer(
  pointer: HTMLElement,
  scene: Scene,
  boxes: BoxList,
  hover: Hit | null,
  area: OverlayArea,
): void {
  const box = hover === null ? -1 : boxUnder(scene, boxes, hover);
  pointer.style.visibility = box === -1 ? "hidden" : "visible";
  if (box === -1) return;
  const { left, right } = edges(boxes, box, area);
  const top = area.top + boxes.row[box]! * area.step;
  pointer.style.transform = `translate(${left}px, ${top}px)`;
  pointer.style.width = `${Math.max(2, right - left - 1)}px`;
  pointer.style.height = `${rowHeight - 1}px`;
}

function boxUnder(scene: Scene, boxes: BoxList, hover: Hit): number {
  for (let box = 0; box < boxes.length; box++) {
    const isRun = boxes.isRun[box] === 1;
    if (isUnder(scene, hover, boxes.node[box]!, isRun, boxes.parent[box]!)) return box;
  }
  return -1;
}

function isUnder(scene: Scene, hover: Hit, node: number, isRun: boolean, parent: number): boolean {
  if (hover.kind === "elided") return isRun && parent === hover.parent;
  if (!isRun) return node === hover.node;
  return node !== -1 && scene.tree.parent[hover.node] === parent && hover.node >= node;
}

function edges(boxes: BoxList, box: number, area: OverlayArea): { left: number; right: number } {
  const left = Math.max(0, Math.round(boxes.left[box]!));
  return { left, right: Math.min(area.widthPx, Math.max(left + 2, Math.round(boxes.right[box]!))) };
}

function outline(
  context: CanvasRenderingContext2D,
  boxes: BoxList,
  box: number,
  area: OverlayArea,
  pen: { readonly colour: string; readonly thickness: number },
): void {
  const { left, right } = edges(boxes, box, area);
  const half = pen.thickness / 2;
  context.strokeStyle = pen.colour;
  context.lineWidth = pen.thickness;
  const y = area.top + boxes.row[box]! * area.step;
  context.strokeRect(
    left + half,
    y + half,
    Math.max(1, right - left - 1 - pen.thickness),
    rowHeight - 1 - pen.thickness,
  );
}
