import type { BoxList } from "./box-list.ts";
import type { CssPixels } from "./viewport.ts";

/**
 * A picture with one line of pixels for each row, to be stretched to the height of a row. A canvas takes microseconds for each rectangle:
 * filling lines instead makes 33,000 narrow boxes cost as much as 300 wide ones.
 */
export interface PixelRows {
  readonly widthPx: CssPixels;
  /** Row of the boxes that the first line shows; of the last line where rows go upwards. */
  readonly firstRow: number;
  readonly isUpwards: boolean;
  /** A whole number of lines. */
  readonly pixels: Uint32Array;
}

/** Boxes that are narrower fill their pixels without a gap. */
const gapFrom = 3;

/**
 * Fills the boxes in these rows: on whole pixels, clipped to the width, with a gap of one pixel right of boxes of three or more.
 *
 * @param firstBox the first box in these rows, which follow each other
 * @param pixelOf value of the pixels of box i
 * @returns the first box of the rows that follow
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
    pixels.fill(pixelOf(box), line + left, line + (right - left >= gapFrom ? right - 1 : right));
  }
  return box;
}
