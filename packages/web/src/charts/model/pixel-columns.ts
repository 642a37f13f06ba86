import type { Values } from "./series.ts";

/**
 * Buckets whose points draw the same picture as all of them, when several share a column of pixels: of each stretch of values
 * within a column the lowest and the highest one, of each gap one, and the first and the last bucket. Undefined if every
 * bucket has enough room.
 */
export function drawnBuckets(
  series: readonly Values[],
  buckets: number,
  columns: number,
): number[] | undefined {
  if (buckets <= 2 * columns) return undefined;
  const isDrawn = new Uint8Array(buckets);
  isDrawn[0] = 1;
  isDrawn[buckets - 1] = 1;
  for (const values of series) markExtremes(values, isDrawn, columns);
  const drawn: number[] = [];
  for (let at = 0; at < buckets; at++) if (isDrawn[at] === 1) drawn.push(at);
  return drawn;
}

function markExtremes(values: Values, isDrawn: Uint8Array, columns: number): void {
  let from = 0;
  for (let column = 1; column <= columns; column++) {
    // Multiplied first: the width of a column is rounded, and its multiple may exceed the whole number that it should be.
    const end = Math.ceil((column * isDrawn.length) / columns);
    while (from < end) from = markStretch(values, isDrawn, from, end);
  }
}

/** Marks what is drawn of the values, or of the gap, that begins at `from`, and returns where it is over. */
function markStretch(values: Values, isDrawn: Uint8Array, from: number, end: number): number {
  let lowest = values[from] ?? null;
  if (lowest === null) {
    isDrawn[from] = 1;
    let at = from + 1;
    while (at < end && (values[at] ?? null) === null) at++;
    return at;
  }
  let highest = lowest;
  let lowestAt = from;
  let highestAt = from;
  let at = from + 1;
  for (; at < end; at++) {
    const value = values[at] ?? null;
    if (value === null) break;
    if (value < lowest) {
      lowest = value;
      lowestAt = at;
    } else if (value > highest) {
      highest = value;
      highestAt = at;
    }
  }
  isDrawn[lowestAt] = 1;
  isDrawn[highestAt] = 1;
  return at;
}
