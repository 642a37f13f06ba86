import type { CssPixels } from "./viewport.ts";
import type { BoxList } from "./visible-boxes.ts";

/**
 * A picture with one line of pixels for each row of boxes; its reader stretches each line to the height of a row. A canvas takes microseconds
 * for each rectangle, so filling pixels costs as much for 33,000 narrow boxes as for 300 wide ones.
 */
export interface PixelRows {
  readonly widthPx: CssPixels;
  /** The lowest level of the picture: its first line, or its last line if rows grow upwards. */
  readonly firstRow: number;
  readonly isUpwards: boolean;
  /** Whole lines of `widthPx` pixels. */
  readonly pixels: Uint32Array;
}

/** Boxes at least this wide leave a gap of one pixel at their right end. */
const gapFromPx = 3;

/**
 * Fills the boxes of the picture's rows, on whole pixels and clipped to its width.
 *
 * @param boxes in the order of their rows
 * @param firstBox the first box whose row is at least `firstRow`
 * @param pixelOf value of the pixels of box i
 * @returns the first box after the picture's rows
 */
export function fillPixelRows(
  boxes: BoxList,
  firstBox: number,
  pixelOf: (box: number) => number,
  { widthPx, firstRow, isUpwards, pixels }: PixelRows,
): number {
  const lines = pixels.length / widthPx;
  let box = firstBox;
  for (; box < boxes.length && boxes.row[box] < firstRow + lines; box++) {
    const left = Math.max(0, Math.floor(boxes.left[box] + 0.5));
    const right = Math.min(widthPx, Math.max(left + 1, Math.floor(boxes.right[box] + 0.5)));
    if (right <= left) continue;
    const row = boxes.row[box] - firstRow;
    const line = (isUpwards ? lines - 1 - row : row) * widthPx;
    fillSpan(pixels, pixelOf(box), line + left, line + (right - left >= gapFromPx ? right - 1 : right));
  }
  return box;
}

/** Narrower spans are faster to fill one by one. */
const fillFromPx = 16;

function fillSpan(pixels: Uint32Array, value: number, from: number, to: number): void {
  if (to - from >= fillFromPx) pixels.fill(value, from, to);
  else for (let at = from; at < to; at++) pixels[at] = value;
}
