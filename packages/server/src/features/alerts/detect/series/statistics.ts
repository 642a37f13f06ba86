/** Of sorted values, between neighbours in proportion. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)]!;
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at));
}

/** NaN without values. */
export function medianOf(values: ArrayLike<number>): number {
  return values.length === 0 ? Number.NaN : selectQuantile(Float64Array.from(values), 0.5);
}

/** As `quantile`, of values in any order, without sorting all of them: it exchanges some in place (Hoare's quickselect). */
export function selectQuantile(values: Float64Array, share: number): number {
  const at = (values.length - 1) * share;
  const low = select(values, Math.floor(at));
  if (Number.isInteger(at)) return low;
  // The values after the place are not smaller.
  let high = Infinity;
  for (let index = Math.floor(at) + 1; index < values.length; index++)
    if (values[index]! < high) high = values[index]!;
  return low + (high - low) * (at - Math.floor(at));
}

/** The value that sorting would bring to this place. Smaller ones are before it then, larger ones after it. */
function select(values: Float64Array, place: number): number {
  let [from, to] = [0, values.length - 1];
  while (from < to) {
    const pivot = values[(from + to) >>> 1]!;
    let [low, high] = [from, to];
    while (low <= high) {
      while (values[low]! < pivot) low++;
      while (values[high]! > pivot) high--;
      if (low > high) break;
      const exchanged = values[low]!;
      values[low++] = values[high]!;
      values[high--] = exchanged;
    }
    if (place <= high) to = high;
    else if (place >= low) from = low;
    else break;
  }
  return values[place]!;
}

export function ascending(a: number, b: number): number {
  return a - b;
}
