type Column = Int32Array | Uint32Array | Float64Array;

/** Fills `to` with the rows of `from` at the given places. Several times as fast as `from` with a function. */
export function gather<T extends Column>(from: T, places: Uint32Array, to: T): T {
  for (let row = 0; row < places.length; row++) to[row] = from[places[row]];
  return to;
}

/** The rows of a column of values at the given places. */
export function gathered(from: Float64Array, places: Uint32Array): Float64Array {
  return gather(from, places, new Float64Array(places.length));
}
