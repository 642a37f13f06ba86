type Column = Int32Array | Uint32Array | Uint16Array | Uint8Array | Float64Array;

/** The larger array `to`, filled from the smaller one. */
export function grown<T extends Column>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** Fills `to` with the rows of `from` at the given places. Several times as fast as `from` with a function. */
export function gather<T extends Column>(from: T, places: Uint32Array, to: T): T {
  for (let row = 0; row < places.length; row++) to[row] = from[places[row]];
  return to;
}

/** The rows of a column of values at the given places. */
export function gathered(from: Float64Array, places: Uint32Array): Float64Array {
  return gather(from, places, new Float64Array(places.length));
}

/** The sums of the rows that get the same new place; rows whose place is -1 are dropped. */
export function summed(from: Float64Array, places: Int32Array, length: number): Float64Array {
  const sums = new Float64Array(length);
  for (let row = 0; row < from.length; row++) {
    const at = places[row];
    if (at !== -1) sums[at] += from[row];
  }
  return sums;
}

/** The first place in an ascending list with a number that is not less. */
export function lowerBound(list: Uint32Array, wanted: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether every list of siblings is sorted by width. */
export function isWidestFirst(width: Float64Array, parent: Int32Array): boolean {
  for (let node = 2; node < width.length; node++)
    if (width[node] > width[node - 1] && parent[node] === parent[node - 1]) return false;
  return true;
}
