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

/**
 * One-sided Mann-Whitney test: the probability of ranks as high as these in `later` if both samples came from the
 * same distribution. Normal approximation with midranks and tie correction, and half a rank for continuity
 * (Hollander, Wolfe, Chicken: Nonparametric Statistical Methods, 4.1). It uses the order only, so that an outlier
 * weighs no more than any other value. 1 if a sample is empty or all values are equal.
 */
export function rankTest(later: readonly number[], earlier: readonly number[]): number {
  const n = later.length;
  const m = earlier.length;
  if (n === 0 || m === 0) return 1;
  const order = [...later.keys(), ...earlier.keys()].map((index, at) => ({
    value: at < n ? later[index]! : earlier[index]!,
    isLater: at < n,
  }));
  order.sort((a, b) => a.value - b.value);
  const total = n + m;
  let rankSum = 0;
  let ties = 0;
  for (let from = 0; from < total; ) {
    let to = from + 1;
    while (to < total && order[to]!.value === order[from]!.value) to++;
    const count = to - from;
    const midrank = (from + 1 + to) / 2;
    for (let at = from; at < to; at++) if (order[at]!.isLater) rankSum += midrank;
    ties += count ** 3 - count;
    from = to;
  }
  const u = rankSum - (n * (n + 1)) / 2;
  const variance = ((n * m) / 12) * (total + 1 - ties / (total * (total - 1)));
  if (!(variance > 0)) return 1;
  return upperTail((u - (n * m) / 2 - 0.5) / Math.sqrt(variance));
}

/** P(Z > z) of the standard normal, to 1.5e-7 (Abramowitz and Stegun 7.1.26). */
function upperTail(z: number): number {
  if (z < 0) return 1 - upperTail(-z);
  const x = z / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const polynomial =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return (polynomial * Math.exp(-x * x)) / 2;
}
