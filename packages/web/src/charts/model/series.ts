/** Pure parts of a chart. A bucket is a stretch of time with one value per series; null means that nothing was measured. */

export type Values = readonly (number | null)[];

export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** From the start of the first bucket to the end of the last one. */
export function spanOf(timesMs: readonly number[], bucketMs: number): TimeSpan {
  const fromMs = timesMs[0] ?? 0;
  return { fromMs, toMs: (timesMs.at(-1) ?? fromMs) + bucketMs };
}

/** Index of the bucket that contains a time, or of the nearest one; -1 without buckets. */
export function nearestBucket(timesMs: readonly number[], bucketMs: number, atMs: number): number {
  let low = 0;
  let high = timesMs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (timesMs[middle]! <= atMs) low = middle + 1;
    else high = middle;
  }
  const before = low - 1;
  if (before < 0) return timesMs.length === 0 ? -1 : 0;
  if (low === timesMs.length || atMs < timesMs[before]! + bucketMs) return before;
  const gapBefore = atMs - (timesMs[before]! + bucketMs);
  return timesMs[low]! - atMs < gapBefore ? low : before;
}

/** The whole buckets that a drag between two times touches. */
export function bucketSpan(timesMs: readonly number[], bucketMs: number, aMs: number, bMs: number): TimeSpan {
  const first = timesMs[nearestBucket(timesMs, bucketMs, Math.min(aMs, bMs))] ?? 0;
  // A drag that ends exactly between two buckets does not touch the later one.
  const last = timesMs[nearestBucket(timesMs, bucketMs, Math.max(aMs, bMs) - 1)] ?? first;
  return { fromMs: first, toMs: Math.max(first, last) + bucketMs };
}

/**
 * Running sums, the first series at the bottom. In a bucket where another series was measured, a missing value counts as 0;
 * a bucket in which nothing was measured stays a gap.
 */
export function stacked(series: readonly Values[]): (number | null)[][] {
  const length = Math.max(0, ...series.map((values) => values.length));
  const sums: (number | null)[] = Array.from({ length }, (_, at) =>
    series.some((values) => (values[at] ?? null) !== null) ? 0 : null,
  );
  return series.map((values) => {
    for (let at = 0; at < length; at++) {
      const sum = sums[at] ?? null;
      if (sum !== null) sums[at] = sum + (values[at] ?? 0);
    }
    return [...sums];
  });
}

export function highest(series: readonly Values[]): number {
  let found = 0;
  for (const values of series) {
    // By index: the iterator takes three times as long until the function is optimized.
    for (let at = 0; at < values.length; at++) {
      const value = values[at] ?? 0;
      if (value > found) found = value;
    }
  }
  return found;
}

/** Indexes of values between two gaps: a line has no length there, so that only a dot can show them. */
export function lonePoints(values: ArrayLike<number | null | undefined>): number[] {
  const found: number[] = [];
  for (let at = 0; at < values.length; at++) {
    if (isMeasured(values[at]) && !isMeasured(values[at - 1]) && !isMeasured(values[at + 1])) found.push(at);
  }
  return found;
}

export function isMeasured(value: number | null | undefined): value is number {
  return value !== null && value !== undefined;
}

/** Highest value at the cursor first, missing ones last; without a cursor in the given order. */
export function sortedAt<T extends { readonly values: Values }>(
  series: readonly T[],
  index: number | null,
): readonly T[] {
  if (index === null) return series;
  const at = (each: T) => each.values[index] ?? Number.NEGATIVE_INFINITY;
  return series.toSorted((a, b) => at(b) - at(a));
}

/**
 * Sums by bucket, without buckets that are not whole because they still fill or are only partly in the range: such a
 * sum is too small, and its line would seem to fall. They stay where no whole bucket has one, as after the first profile.
 * Buckets that are not whole are the first or the last ones.
 */
export function wholeSums(lines: readonly Values[], isWhole: (bucket: number) => boolean): readonly Values[] {
  const whole = lines.map((values) => wholePart(values, isWhole));
  return whole.some((values) => values.some(isMeasured)) ? whole : lines;
}

function wholePart(values: Values, isWhole: (bucket: number) => boolean): Values {
  let from = 0;
  let end = values.length;
  while (from < end && !isWhole(from)) from++;
  while (end > from && !isWhole(end - 1)) end--;
  // Asking for each of thousands of buckets takes longer than drawing them.
  return from === 0 && end === values.length ? values : values.slice().fill(null, 0, from).fill(null, end);
}
