import { type BoxList, fillPixelRows, rowHeight } from "@flamekeep/flame";
import { rowY, type ScrolledArea } from "./rows.ts";
import { paintOf, type Scene } from "./scene.ts";

/** Rows in one image: an exported picture can have tens of thousands. */
const rowsMax = 512;

interface PictureArea extends ScrolledArea {
  readonly widthPx: number;
}

/** Draws boxes as an image with a line of pixels for each row, which it stretches to the height of a row. Reuses its memory. */
export class RowPicture {
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
