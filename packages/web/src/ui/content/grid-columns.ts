/** Columns of at least `minWidthPx` that fit side by side; one if the width is not known yet. */
export function columnsOf(widthPx: number, minWidthPx: number, gapPx: number): number {
  return Math.max(1, Math.floor((widthPx + gapPx) / (minWidthPx + gapPx)));
}
