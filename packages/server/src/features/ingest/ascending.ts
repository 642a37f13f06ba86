/** Places whose numbers fit beside the 32 bits of a half in a number's 53. */
const placesMax = 2 ** 21;

/**
 * The places of `ids` (two halves each, low first) by ascending id. Sorts numbers of high half and place, which
 * costs a tenth of sorting places by comparing BigInts.
 */
export function ascending(ids: Uint32Array, length: number): Uint32Array {
  if (length > placesMax) throw new RangeError(`${length} ids are more than ${placesMax}`);
  const keys = new Float64Array(length);
  for (let i = 0; i < length; i++) keys[i] = ids[2 * i + 1]! * placesMax + i;
  keys.sort();
  const order = new Uint32Array(length);
  for (let i = 0; i < length; i++) order[i] = keys[i]! % placesMax;
  orderEqualHighs(ids, order);
  return order;
}

/** Puts neighbours with equal high halves in order of their low ones, keeping equal ids in order of place. */
function orderEqualHighs(ids: Uint32Array, order: Uint32Array): void {
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && ids[2 * order[to]! + 1] === ids[2 * order[from]! + 1]) to++;
    if (to > from + 1) order.subarray(from, to).sort((a, b) => ids[2 * a]! - ids[2 * b]! || a - b);
    from = to;
  }
}
