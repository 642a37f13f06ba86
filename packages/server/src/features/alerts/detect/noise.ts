/**
 * Learns for each scale how far the window of a series usually rises above its baseline at the worst moment of a day.
 * The threshold is the level that this worst moment reaches once in thousands of days, from a Gumbel distribution fitted
 * to the median and quartiles of the days: a single day with a regression moves neither. The maximum of a day knows how
 * neighbouring profiles resemble each other, because no independence is assumed within the day.
 *
 * Several predictions of the change between baseline and window compete (none, the change at this time on other days, on
 * the same weekday, each with and without requests); the one that leaves the smallest threshold is used.
 */
import { dayMs } from "@flamekeep/contract/durations";
import { cellMs, learntDays, profilesMin, type Scale, scales } from "./scales.ts";
import { indexAt, type Series } from "./series.ts";

/** `either`: the larger of the two. */
export type Season = "none" | "day" | "weekday" | "either";

export interface Learnt {
  readonly scale: Scale;
  readonly season: Season;
  /** How much of a change in requests the values follow; 0 if requests predict nothing. */
  readonly elasticity: number;
  /** In logarithms: a rise above the prediction that is larger is not noise. */
  readonly threshold: number;
}

/** One for each scale that enough days are known of. */
export type Noise = ReadonlyMap<Scale, Learnt>;

/** A threshold is exceeded by noise once in this many days, by each scale of each series. */
const returnDays = 3000;
const daysMin = { short: 4, long: 5 };
/** Windows from this length on differ between weekdays. */
const longWindowMs = dayMs / 2;
/** The spread of the daily maximum over its median, at least: that of independent normal values. */
const spreadMin = 0.14;
const fewDays = 3;
const cellsOfDay = dayMs / cellMs;

/** Learns from the values before this time. */
export function learnNoise(values: Series, requests: Series, atMs: number): Noise {
  const grid = gridOf(values, atMs);
  const ofRequests = requests.atMs.length === 0 ? undefined : gridOf(requests, atMs);
  const elasticity = ofRequests === undefined ? 0 : elasticityOf(grid, ofRequests);
  const learnt = new Map<Scale, Learnt>();
  for (const scale of scales) {
    const change = changes(grid, scale);
    const candidates = candidatesOf(change, 0, scale);
    if (ofRequests !== undefined && elasticity > 0) {
      const asked = changes(ofRequests, scale);
      const unexplained = change.map((each, at) => each - elasticity * asked[at]!);
      candidates.push(...candidatesOf(unexplained, elasticity, scale));
    }
    const best = candidates.toSorted((a, b) => a.threshold - b.threshold)[0];
    if (best !== undefined) learnt.set(scale, best);
  }
  return learnt;
}

/** Running totals at the multiples of a cell: `counts[i]` is of all before cell i. */
interface Grid {
  readonly counts: Float64Array;
  readonly logSums: Float64Array;
}

function gridOf(series: Series, atMs: number): Grid {
  const cells = learntDays * cellsOfDay;
  const fromMs = Math.floor(atMs / cellMs) * cellMs - cells * cellMs;
  const counts = new Float64Array(cells + 1);
  const logSums = new Float64Array(cells + 1);
  let index = indexAt(series, fromMs);
  for (let cell = 0; cell <= cells; cell++) {
    const ms = fromMs + cell * cellMs;
    while (index < series.atMs.length && series.atMs[index]! < ms) index++;
    counts[cell] = series.counts[index]!;
    logSums[cell] = series.logSums[index]!;
  }
  return { counts, logSums };
}

/** Window minus baseline at each cell's start, NaN where too few profiles are known. */
function changes({ counts, logSums }: Grid, { windowMs, baselineMs }: Scale): Float64Array {
  const window = windowMs / cellMs;
  const baseline = baselineMs / cellMs;
  const found = new Float64Array(counts.length).fill(Number.NaN);
  for (let at = window + baseline; at < counts.length; at++) {
    const middle = at - window;
    const start = middle - baseline;
    const after = counts[at]! - counts[middle]!;
    const before = counts[middle]! - counts[start]!;
    if (Math.min(after, before) < profilesMin) continue;
    found[at] = (logSums[at]! - logSums[middle]!) / after - (logSums[middle]! - logSums[start]!) / before;
  }
  return found;
}

function candidatesOf(change: Float64Array, elasticity: number, scale: Scale): Learnt[] {
  const day = change.map((_, at) => usualIn(change, at, "day"));
  // In the first week no weekday came twice: all days are known then.
  const weekday = change.map((_, at) => {
    const usual = usualIn(change, at, "weekday");
    return Number.isNaN(usual) ? day[at]! : usual;
  });
  const either = day.map((each, at) => (Number.isNaN(each) ? weekday[at]! : Math.max(each, weekday[at]!)));
  const usual = { none: undefined, day, weekday, either };
  return (["none", "day", "weekday", "either"] as const).flatMap((season) => {
    const expected = usual[season];
    const rest = expected === undefined ? change : change.map((each, at) => each - expected[at]!);
    const threshold = thresholdOf(rest, scale);
    return threshold === undefined ? [] : [{ scale, season, elasticity, threshold }];
  });
}

/** The change at this time on the days before; NaN if too few are known. */
function usualIn(change: Float64Array, at: number, season: "day" | "weekday"): number {
  if (Number.isNaN(change[at])) return Number.NaN;
  return usualOf((daysBack) => change[at - daysBack * cellsOfDay] ?? Number.NaN, season) ?? Number.NaN;
}

const daysKnownMin = 3;

/** Undefined if too few days are known. */
export function usualOf(changeOn: (daysBack: number) => number, season: Season): number | undefined {
  if (season === "none") return 0;
  if (season === "either") {
    const both = [usualOf(changeOn, "day"), usualOf(changeOn, "weekday")];
    return both[1] === undefined ? undefined : Math.max(both[0] ?? both[1], both[1]);
  }
  const known: number[] = [];
  for (let back = season === "day" ? 1 : 7; back <= learntDays; back += season === "day" ? 1 : 7) {
    const each = changeOn(back);
    if (!Number.isNaN(each)) known.push(each);
  }
  if (season === "day") return known.length < daysKnownMin ? undefined : quantile(known.sort(ascending), 0.5);
  return known.length === 0 ? undefined : known.reduce((sum, each) => sum + each, 0) / known.length;
}

/** A leak must not teach its own slope: the newest window and baseline are left out. */
function thresholdOf(change: Float64Array, { windowMs, baselineMs }: Scale): number | undefined {
  const end = change.length - (windowMs + baselineMs) / cellMs;
  const worst: number[] = [];
  for (let to = end; to - cellsOfDay >= 0; to -= cellsOfDay) {
    let most = -Infinity;
    let known = 0;
    for (let at = to - cellsOfDay; at < to; at++) {
      const each = change[at]!;
      if (Number.isNaN(each)) continue;
      known++;
      if (each > most) most = each;
    }
    if (known >= cellsOfDay / 2) worst.push(most);
  }
  if (worst.length < (windowMs < longWindowMs ? daysMin.short : daysMin.long)) return undefined;
  worst.sort(ascending);
  const [low, median, high] = [0.25, 0.5, 0.75].map((share) => quantile(worst, share)) as [
    number,
    number,
    number,
  ];
  // Quartiles and median of a Gumbel distribution of scale 1 are 1.5725 apart, and 0.3665 above its mode.
  const spread = Math.max((high - low) / 1.5725, spreadMin * median);
  const level = median - 0.3665 * spread + spread * Math.log(returnDays);
  // Few days show neither their spread nor a weekend.
  const doubt = 1 + fewDays * (1 / worst.length - 1 / learntDays);
  // Two days of three weeks as bad as this are a habit, not regressions.
  return Math.max(doubt * level, 1.2 * (worst.at(-2) ?? 0));
}

/** The slope of hourly values over hourly requests, both as logarithms, between 0 and 1.5. */
function elasticityOf(values: Grid, requests: Grid): number {
  const xs: number[] = [];
  const ys: number[] = [];
  for (let at = 6; at < values.counts.length; at += 6) {
    const [n, m] = [values, requests].map(({ counts }) => counts[at]! - counts[at - 6]!) as [number, number];
    if (n === 0 || m === 0) continue;
    ys.push((values.logSums[at]! - values.logSums[at - 6]!) / n);
    xs.push((requests.logSums[at]! - requests.logSums[at - 6]!) / m);
  }
  const mean = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0) / all.length;
  const [meanX, meanY] = [mean(xs), mean(ys)];
  let [covariance, variance] = [0, 0];
  xs.forEach((x, index) => {
    covariance += (x - meanX) * (ys[index]! - meanY);
    variance += (x - meanX) ** 2;
  });
  return xs.length < 24 || variance === 0 ? 0 : Math.min(1.5, Math.max(0, covariance / variance));
}

/** Of sorted values, between neighbours in proportion. */
export function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)]!;
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at));
}

export function ascending(a: number, b: number): number {
  return a - b;
}
