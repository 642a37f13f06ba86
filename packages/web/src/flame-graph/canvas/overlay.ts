import { type BoxList, type Hit, rowHeight } from "@flamekeep/flame";
import type { Scene } from "./scene.ts";

export interface OverlayArea {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Y of row 0. */
  readonly top: number;
}

/** Outlines over the boxes, so that pointing never repaints them. */
export function drawOverlay(
  context: CanvasRenderingContext2D,
  scene: Scene,
  boxes: BoxList,
  hover: Hit | null,
  area: OverlayArea,
): void {
  context.clearRect(0, 0, area.widthPx, area.heightPx);
  for (let box = 0; box < boxes.length; box++) {
    const node = boxes.node[box]!;
    const isRun = boxes.isRun[box] === 1;
    if (!isRun && scene.outlined !== -1 && scene.tree.fn[node] === scene.outlined) {
      outline(context, boxes, box, area, { colour: scene.colours.text, thickness: 1 });
    }
    if (isUnder(scene, hover, node, isRun, boxes.parent[box]!)) {
      outline(context, boxes, box, area, { colour: scene.colours.text, thickness: 1.5 });
    }
    if (!isRun && node === scene.selected) {
      outline(context, boxes, box, area, { colour: scene.colours.accent, thickness: 2.5 });
    }
  }
}

function isUnder(scene: Scene, hover: Hit | null, node: number, isRun: boolean, parent: number): boolean {
  if (hover === null) return false;
  if (hover.kind === "elided") return isRun && parent === hover.parent;
  if (!isRun) return node === hover.node;
  return node !== -1 && scene.tree.parent[hover.node] === parent && hover.node >= node;
}

function outline(
  context: CanvasRenderingContext2D,
  boxes: BoxList,
  box: number,
  area: OverlayArea,
  pen: { readonly colour: string; readonly thickness: number },
): void {
  const left = Math.max(0, Math.round(boxes.left[box]!));
  const right = Math.min(area.widthPx, Math.max(left + 2, Math.round(boxes.right[box]!)));
  const half = pen.thickness / 2;
  context.strokeStyle = pen.colour;
  context.lineWidth = pen.thickness;
  const y = area.top + boxes.row[box]! * rowHeight;
  context.strokeRect(
    left + half,
    y + half,
    Math.max(1, right - left - 1 - pen.thickness),
    rowHeight - 1 - pen.thickness,
  );
}
