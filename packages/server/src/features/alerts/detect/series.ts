/**
 * Values over time as columns, ascending, with running sums so that any window's mean costs two look-ups.
 *
 * ```
 * atMs[i]  value[i]   sums[i] = value[0] + .. + value[i - 1]
 * ```
 */
export interface Series {
  readonly atMs: Float64Array;
  readonly value: Float64Array;
  readonly sums: Float64Array;
}

/** Half open: [fromMs, toMs). */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface WindowMean {
  readonly count: number;
  /** 0 if the window is empty. */
  readonly mean: number;
}

export const emptySeries: Series = toSeries([]);

/** Takes points in any order; leaves out values that are not finite. */
export function toSeries(points: Iterable<readonly [atMs: number, value: number]>): Series {
  const sorted = [...points].filter(([, value]) => Number.isFinite(value)).sort((a, b) => a[0] - b[0]);
  const sums = new Float64Array(sorted.length + 1);
  sorted.forEach(([, value], index) => {
    sums[index + 1] = sums[index]! + value;
  });
  return {
    atMs: Float64Array.from(sorted, ([atMs]) => atMs),
    value: Float64Array.from(sorted, ([, value]) => value),
    sums,
  };
}

export function meanOf(series: Series, { fromMs, toMs }: Span): WindowMean {
  const from = indexAt(series, fromMs);
  const count = indexAt(series, toMs) - from;
  return { count, mean: count <= 0 ? 0 : (series.sums[from + count]! - series.sums[from]!) / count };
}

export function valuesOf(series: Series, { fromMs, toMs }: Span): number[] {
  return [...series.value.subarray(indexAt(series, fromMs), indexAt(series, toMs))];
}

/** The first index at or after the time. */
export function indexAt({ atMs }: Series, ms: number): number {
  let low = 0;
  let high = atMs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (atMs[middle]! < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}
