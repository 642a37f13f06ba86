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
