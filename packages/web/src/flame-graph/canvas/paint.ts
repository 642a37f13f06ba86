import {
  BoxList,
  charWidth,
  fillPixelRows,
  fitLabel,
  labelLength,
  listVisibleBoxes,
  rowHeight,
  runText,
  type Viewport,
} from "@flamekeep/flame";
import { levelsInView, rowsOf, rowY, type ScrolledArea } from "./rows.ts";
import { paintOf, type Scene } from "./scene.ts";

/** Rows in one image: an exported picture can have tens of thousands. */
const rowsMax = 512;

interface PictureArea extends ScrolledArea {
  readonly widthPx: number;
}

/** Draws boxes as an image with a line of pixels for each row, which it stretches to the height of a row. Reuses its memory. */
class RowPicture {
  readonly #canvas = document.createElement("canvas");
  // In main memory: the pixels are written in each frame.
  readonly #context = this.#canvas.getContext("2d", { willReadFrequently: true });
  #image = new ImageData(1, 1);
  #pixels = new Uint32Array(this.#image.data.buffer);

  /**
   * @param boxes the boxes of the levels, in the order of their rows
   * @param levels first and last level to draw, both included
   */
  draw(
    context: CanvasRenderingContext2D,
    scene: Scene,
    boxes: BoxList,
    area: PictureArea,
    levels: { readonly firstRow: number; readonly lastRow: number },
  ): void {
    const { pixels } = scene.palette;
    const pixelOf = (box: number) => pixels[paintOf(scene, boxes, box)]!;
    const isUpwards = scene.direction === "up";
    context.imageSmoothingEnabled = false;
    context.fillStyle = scene.colours.surface;
    let box = 0;
    for (let firstRow = levels.firstRow; firstRow <= levels.lastRow; firstRow += rowsMax) {
      const rows = Math.min(rowsMax, levels.lastRow - firstRow + 1);
      const widthPx = Math.ceil(area.widthPx);
      this.#resize(widthPx, rows);
      this.#pixels.fill(pixels[scene.palette.surface]!);
      box = fillPixelRows(boxes, box, pixelOf, { widthPx, firstRow, isUpwards, pixels: this.#pixels });
      this.#stretch(context, rowY(scene, area, isUpwards ? firstRow + rows - 1 : firstRow));
    }
  }

  #resize(widthPx: number, rows: number): void {
    if (this.#image.width === widthPx && this.#image.height === rows) return;
    this.#image = new ImageData(widthPx, rows);
    this.#pixels = new Uint32Array(this.#image.data.buffer);
    this.#canvas.width = widthPx;
    this.#canvas.height = rows;
  }

  #stretch(context: CanvasRenderingContext2D, y: number): void {
    const { width, height } = this.#image;
    this.#context?.putImageData(this.#image, 0, 0);
    context.drawImage(this.#canvas, 0, y, width, height * rowHeight);
    // The gaps between rows, in the colour of the surface.
    for (let row = 1; row <= height; row++) context.fillRect(0, y + row * rowHeight - 1, width, 1);
  }
}

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
