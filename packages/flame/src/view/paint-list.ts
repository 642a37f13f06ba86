import { grown } from "#tree/grown.ts";
import type { BoxList } from "./box-list.ts";
import type { CssPixels } from "./viewport.ts";

/** Rectangles to fill in CSS pixels, grouped by colour: one fill style, then all its rectangles. */
export class PaintList {
  length = 0;
  x = new Int32Array(1024);
  row = new Int32Array(1024);
  width = new Int32Array(1024);
  colour = new Uint16Array(1024);
  /** Places in the order to paint. */
  order = new Uint32Array(1024);

  add(x: number, row: number, width: number, colour: number): void {
    if (this.length === this.x.length) this.#grow();
    this.x[this.length] = x;
    this.row[this.length] = row;
    this.width[this.length] = width;
    this.colour[this.length++] = colour;
  }

  /** Counting sort by colour. */
  sort(): void {
    if (this.order.length < this.length) this.order = new Uint32Array(this.x.length);
    const start = new Uint32Array(
      this.colour.subarray(0, this.length).reduce((max, id) => Math.max(max, id), 0) + 2,
    );
    for (let at = 0; at < this.length; at++) start[this.colour[at] + 1]++;
    for (let id = 1; id < start.length; id++) start[id] = start[id] + start[id - 1];
    for (let at = 0; at < this.length; at++) {
      const id = this.colour[at];
      this.order[start[id]] = at;
      start[id]++;
    }
  }

  #grow(): void {
    const size = this.length * 2;
    this.x = grown(this.x, new Int32Array(size));
    this.row = grown(this.row, new Int32Array(size));
    this.width = grown(this.width, new Int32Array(size));
    this.colour = grown(this.colour, new Uint16Array(size));
  }
}

/** Boxes of one colour narrower than this that follow each other are painted as one. */
const coalescedBelow = 3;

/**
 * Turns boxes into rectangles on whole pixels: clipped to the window, a gap of one pixel right of boxes wider than two, runs of narrow boxes of one
 * colour as one rectangle.
 *
 * @param colourOf colour of box i
 */
export function toPaint(
  boxes: BoxList,
  widthPx: CssPixels,
  colourOf: (box: number) => number,
  out: PaintList,
): void {
  out.length = 0;
  let run: { left: number; right: number; row: number; colour: number } | null = null;
  for (let box = 0; box < boxes.length; box++) {
    const left = Math.max(0, Math.floor(boxes.left[box] + 0.5));
    const right = Math.min(widthPx, Math.max(left + 1, Math.floor(boxes.right[box] + 0.5)));
    if (right <= left) continue;
    const colour = colourOf(box);
    const row = boxes.row[box];
    if (right - left >= coalescedBelow) {
      if (run !== null) out.add(run.left, run.row, run.right - run.left, run.colour);
      run = null;
      out.add(left, row, right - left - 1, colour);
    } else if (run !== null && run.row === row && run.colour === colour && left <= run.right) {
      run.right = Math.max(run.right, right);
    } else {
      if (run !== null) out.add(run.left, run.row, run.right - run.left, run.colour);
      run = { left, right, row, colour };
    }
  }
  if (run !== null) out.add(run.left, run.row, run.right - run.left, run.colour);
  out.sort();
}
