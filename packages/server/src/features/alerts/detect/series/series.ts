/**
 * Values over time as columns, ascending, with running sums so that any window's mean costs two look-ups. An entry is
 * one profile, or a cell that represents the profiles of several minutes.
 *
 * ```
 * atMs[i]  value[i]   counts[i], sums[i], logSums[i] = totals of the entries before i
 * ```
 */
export interface Series {
  readonly atMs: Float64Array;
  /** The mean of a cell. */
  readonly value: Float64Array;
  readonly counts: Float64Array;
  readonly sums: Float64Array;
  readonly logSums: Float64Array;
}

/** Half open: [fromMs, toMs). */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The profiles of a few minutes each, as columns, in any order. */
export interface Cells {
  readonly at: readonly number[];
  readonly count: readonly number[];
  readonly sum: readonly number[];
  /** The sum of the natural logarithms; values below the floor count as the floor. */
  readonly logSum: readonly number[];
}

export interface WindowMean {
  readonly count: number;
  /** 0 if the window is empty. */
  readonly mean: number;
  /** Mean of the logarithms, on which an outlier weighs less; 0 if the window is empty. */
  readonly logMean: number;
}

/** Smaller values count as this much in logarithms. */
const smallest = 1e-9;

export const emptySeries: Series = toSeries([]);

/**
 * Takes points in any order; leaves out values that are not finite. Logarithms take no value below the floor. Entries of
 * `history` are before all points.
 */
export function toSeries(
  points: Iterable<readonly [atMs: number, value: number]>,
  { floor = smallest, history }: { readonly floor?: number; readonly history?: Series } = {},
): Series {
  const least = Math.max(floor, smallest);
  const sorted = [...points].filter(([, value]) => Number.isFinite(value)).sort((a, b) => a[0] - b[0]);
  const recent = cellSeries({
    at: sorted.map(([atMs]) => atMs),
    count: sorted.map(() => 1),
    sum: sorted.map(([, value]) => value),
    logSum: sorted.map(([, value]) => Math.log(Math.max(value, least))),
  });
  return history === undefined || history.atMs.length === 0 ? recent : joined(history, recent);
}

/** The column store groups cells in no order. */
export function cellSeries(cells: Cells): Series {
  const { at, count, sum, logSum } = ascending(cells);
  return {
    atMs: Float64Array.from(at),
    value: Float64Array.from(sum, (each, index) => each / count[index]!),
    counts: running(count),
    sums: running(sum),
    logSums: running(logSum),
  };
}

function ascending(cells: Cells): Cells {
  const { at } = cells;
  if (at.every((ms, index) => index === 0 || ms >= at[index - 1]!)) return cells;
  const order = [...at.keys()].sort((a, b) => at[a]! - at[b]!);
  const sorted = (column: readonly number[]) => order.map((index) => column[index]!);
  return {
    at: sorted(at),
    count: sorted(cells.count),
    sum: sorted(cells.sum),
    logSum: sorted(cells.logSum),
  };
}

function running(values: readonly number[]): Float64Array {
  const totals = new Float64Array(values.length + 1);
  for (let index = 0; index < values.length; index++) totals[index + 1] = totals[index]! + values[index]!;
  return totals;
}

function joined(history: Series, recent: Series): Series {
  const length = history.atMs.length + recent.atMs.length;
  const entries = (of: (series: Series) => Float64Array) => {
    const all = new Float64Array(length);
    all.set(of(history));
    all.set(of(recent), history.atMs.length);
    return all;
  };
  const totals = (of: (series: Series) => Float64Array) => {
    const before = of(history);
    const all = new Float64Array(length + 1);
    all.set(before);
    const last = before[before.length - 1]!;
    of(recent).forEach((each, index) => {
      all[history.atMs.length + index] = last + each;
    });
    return all;
  };
  return {
    atMs: entries(({ atMs }) => atMs),
    value: entries(({ value }) => value),
    counts: totals(({ counts }) => counts),
    sums: totals(({ sums }) => sums),
    logSums: totals(({ logSums }) => logSums),
  };
}

export function meanOf(series: Series, { fromMs, toMs }: Span): WindowMean {
  const from = indexAt(series, fromMs);
  const to = Math.max(from, indexAt(series, toMs));
  const count = series.counts[to]! - series.counts[from]!;
  if (count === 0) return { count: 0, mean: 0, logMean: 0 };
  return {
    count,
    mean: (series.sums[to]! - series.sums[from]!) / count,
    logMean: (series.logSums[to]! - series.logSums[from]!) / count,
  };
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

/** The smallest rise that opens an alert. */
export const increaseMin = 0.2;
/** An open alert is resolved below this rise; lower than `increaseMin`, so that it does not flap around one threshold. */
export const resolveBelow = 0.1;
/** Requests are known in a span with at least this many minutes that have any. */
export const busyMinutesMin = 3;

/** The rise as a share of the previous value: 0.5 for +50%; 0 if the previous value is 0. */
export function increaseOf(current: number, previous: number): number {
  return previous > 0 ? (current - previous) / previous : 0;
}

/** Mean requests per minute, over minutes with requests; undefined if there are too few such minutes. */
export function requestsIn(requests: Series, span: Span): number | undefined {
  const { count, mean: perMinute } = meanOf(requests, span);
  return count < busyMinutesMin ? undefined : perMinute;
}

/** The parameters of a query about a span. */
export function datesOf({ fromMs, toMs }: Span): { readonly from: Date; readonly to: Date } {
  return { from: new Date(fromMs), to: new Date(toMs) };
}

/** The standard deviation of a value, as a logarithm, from the differences of neighbours: growth and seasons are not in it. */
export function deviationIn(values: Series, span: Span): number {
  const logs = valuesOf(values, span).map((each) => Math.log(Math.max(each, 1e-9)));
  const steps = logs.slice(1).map((each, index) => (each - logs[index]!) ** 2 / 2);
  return Math.sqrt(steps.reduce((sum, each) => sum + each, 0) / Math.max(1, steps.length));
}

/** Nine of ten rises are within so many standard errors. */
const errorsOfRange = 1.64;
/** Fewer do not show how much they vary. */
const rangeValuesMin = 4;

/** Between which increases a rise is likely, as fractions; undefined if either span has too few values to tell. */
export function likelyIncreases(
  values: Series,
  {
    window,
    baseline,
    increase,
  }: { readonly window: Span; readonly baseline: Span; readonly increase: number },
): { readonly from: number; readonly to: number } | undefined {
  // Older profiles are together in cells, which vary less than a profile does.
  const spans = [window, baseline];
  const counts = spans.map((span) => valuesOf(values, span).length);
  if (Math.min(...counts) < rangeValuesMin) return undefined;
  const errors = spans.map((span, index) => deviationIn(values, span) / Math.sqrt(counts[index]!));
  const error = Math.hypot(...errors);
  const rise = Math.log1p(increase);
  return { from: Math.expm1(rise - errorsOfRange * error), to: Math.expm1(rise + errorsOfRange * error) };
}
