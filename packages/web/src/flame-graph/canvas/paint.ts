import {
  BoxList,
  charWidth,
  fitLabel,
  labelLength,
  listVisibleBoxes,
  PaintList,
  rowHeight,
  runText,
  toPaint,
  type Viewport,
} from "@flamekeep/flame";
import { levelsInView, rowY, type ScrolledArea } from "./rows.ts";
import { paintOf, type Scene } from "./scene.ts";

const labelFont = '12px "JetBrains Mono Variable", ui-monospace, monospace';

/** A character of the font is 7.2 px wide; labels have `charWidth` for each. */
const labelSpacing = `${charWidth - 7.2}px`;

export interface PaintArea extends ScrolledArea {
  readonly viewport: Viewport;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Boxes narrower than this get no label. */
  readonly labelFrom: number;
}

/** Lists, colours and labels the boxes of one picture. Reuses its arrays, so each canvas has its own painter. */
export class Painter {
  readonly boxes = new BoxList();
  readonly #paint = new PaintList();

  list(scene: Scene, area: PaintArea): void {
    const { viewport, widthPx, heightPx } = area;
    const window = { ...viewport, widthPx, ...levelsInView(scene, area, heightPx) };
    listVisibleBoxes(scene.tree, window, this.boxes);
  }

  draw(context: CanvasRenderingContext2D, scene: Scene, area: PaintArea): void {
    const { boxes } = this;
    const paint = this.#paint;
    const { fills } = scene.palette;
    context.fillStyle = scene.colours.surface;
    context.fillRect(0, 0, area.widthPx, area.heightPx);
    toPaint(boxes, area.widthPx, (box) => paintOf(scene, boxes, box), paint);
    const { top, step } = rowsOf(scene, area);
    let colour = -1;
    for (let place = 0; place < paint.length; place++) {
      const at = paint.order[place]!;
      if (paint.colour[at] !== colour) {
        colour = paint.colour[at]!;
        context.fillStyle = fills[colour]!;
      }
      context.fillRect(paint.x[at]!, top + paint.row[at]! * step, paint.width[at]!, rowHeight - 1);
    }
    this.#drawElided(context, scene, area);
    this.#drawLabels(context, scene, area);
  }

  #drawLabels(context: CanvasRenderingContext2D, scene: Scene, area: PaintArea): void {
    const { boxes } = this;
    const { top, step } = rowsOf(scene, area);
    context.font = labelFont;
    context.letterSpacing = labelSpacing;
    context.textBaseline = "middle";
    let ink = "";
    for (let box = 0; box < boxes.length; box++) {
      const left = Math.max(0, boxes.left[box]!);
      const width = Math.min(area.widthPx, boxes.right[box]!) - left;
      if (width < area.labelFrom) continue;
      const label = labelOf(scene, boxes, box, labelLength(width));
      if (label === "") continue;
      const next = scene.palette.inks[paintOf(scene, boxes, box)]!;
      if (next !== ink) {
        ink = next;
        context.fillStyle = ink;
      }
      // Characters missing from the font can be wider than six pixels, so the box limits the width.
      context.fillText(label, Math.round(left) + 4, top + boxes.row[box]! * step + rowHeight / 2, width - 6);
    }
  }

  /** Hatches the boxes of frames that the server left out, to distinguish them from a single frame. */
  #drawElided(context: CanvasRenderingContext2D, scene: Scene, area: PaintArea): void {
    const { boxes } = this;
    const { top, step } = rowsOf(scene, area);
    context.fillStyle = scene.colours.surface;
    for (let box = 0; box < boxes.length; box++) {
      if (boxes.node[box] !== -1) continue;
      const left = Math.max(0, boxes.left[box]!);
      const right = Math.min(area.widthPx, boxes.right[box]!);
      const y = top + boxes.row[box]! * step;
      // The label is drawn over the hatching, which must not cross it.
      const label = labelOf(scene, boxes, box, labelLength(right - left));
      const from = label === "" ? left + 2 : left + 8 + label.length * charWidth;
      for (let x = from; x < right - 1; x += 5) context.fillRect(Math.round(x), y, 2, rowHeight - 1);
    }
  }
}

/** The name of a frame, or how many small frames a box has: in full, or not at all. */
function labelOf(scene: Scene, boxes: BoxList, box: number, length: number): string {
  const node = boxes.node[box]!;
  if (boxes.isRun[box] === 0) return fitLabel(scene.names[scene.tree.fn[node]!]!, length);
  const label = length < shortestRunText ? "" : runText(scene.tree, boxes.parent[box]!, node);
  return label.length <= length ? label : "";
}

const shortestRunText = "1 small frame, 0.1%".length;

/** Y of level 0 of the tree on the canvas, and the way from one level to the next. */
export function rowsOf(scene: Scene, area: ScrolledArea): { readonly top: number; readonly step: number } {
  return { top: rowY(scene, area, 0), step: scene.direction === "up" ? -rowHeight : rowHeight };
}
