type Column = Int32Array | Uint32Array | Uint16Array | Uint8Array | Float64Array;

/** The larger array `to`, filled from the smaller one. */
export function grown<T extends Column>(from: T, to: T): T {
  to.set(from);
  return to;
}
