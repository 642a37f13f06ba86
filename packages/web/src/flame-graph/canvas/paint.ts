import {
  BoxList,
  charWidth,
  fitLabel,
  labelLength,
  listVisibleBoxes,
  rowHeight,
  runText,
  type Viewport,
} from "@flamekeep/flame";
import { RowPicture } from "./row-picture.ts";
import { levelsInView, rowsOf, type ScrolledArea } from "./rows.ts";
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
  readonly #picture = new RowPicture();

  list(scene: Scene, area: PaintArea): void {
    const { viewport, widthPx, heightPx } = area;
    const window = { ...viewport, widthPx, ...levelsInView(scene, area, heightPx) };
    listVisibleBoxes(scene.tree, window, this.boxes);
  }

  draw(context: CanvasRenderingContext2D, scene: Scene, area: PaintArea): void {
    context.fillStyle = scene.colours.surface;
    context.fillRect(0, 0, area.widthPx, area.heightPx);
    this.#picture.draw(context, scene, this.boxes, area, levelsInView(scene, area, area.heightPx));
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
