/**
 * Learns for each scale how far the window of a series usually rises above its baseline at the worst moment of a day.
 * The threshold is the level that this worst moment reaches once in thousands of days, from a Gumbel distribution fitted
 * to the median and lower quartile of the days: days with a regression move neither. The maximum of a day knows how
 * neighbouring profiles resemble each other, because no independence is assumed within the day.
 *
 * Several predictions of the change between baseline and window compete (none, the change at this time on other days, at
 * least that of the same weekday, each with and without requests); the one that leaves the smallest threshold is used.
 */
import { dayMs, hourMs } from "@flamekeep/contract/durations";
import { betweenCells, cellMs, learntDays, profilesMin, type Scale, scales } from "./scales.ts";
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
  /** The tenth and the ninetieth percentile of what the prediction leaves over, in logarithms. */
  readonly usual: { readonly low: number; readonly high: number };
  /** The changes that the season predicts, a day of cells from `fromMs` on; undefined without a season. */
  readonly predicted: { readonly fromMs: number; readonly cells: Float64Array } | undefined;
}

export interface Noise {
  /** One for each scale that enough days are known of. */
  readonly byScale: ReadonlyMap<Scale, Learnt>;
  /** How much of a change in requests the values follow; 0 if none or if requests are not counted. */
  readonly elasticity: number;
  /** For each sibling how much of its change shows in these values; undefined if the two do not move together. */
  readonly followed: readonly (number | undefined)[];
}

export const nothingLearnt: Noise = { byScale: new Map(), elasticity: 0, followed: [] };

/** A threshold is exceeded by noise once in this many days, by each scale of each series. */
const returnDays = 3000;
const daysMin = { short: 4, long: 5 };
/** Windows from this length on differ between weekdays. */
const longWindowMs = dayMs / 2;
/** The spread of the daily maximum over its median, at least: that of independent normal values. */
const spreadMin = 0.14;
const fewDays = 2;
/** And one for every week. */
const habitDaysMin = 2;
const cellsOfDay = dayMs / cellMs;

/** Learns from the values before this time. */
export function learnNoise(
  values: Series,
  requests: Series,
  siblings: readonly Series[],
  atMs: number,
): Noise {
  const grid = gridOf(values, atMs);
  const ofRequests = requests.atMs.length === 0 ? undefined : gridOf(requests, atMs);
  const elasticity = ofRequests === undefined ? 0 : elasticityOf(grid, ofRequests);
  const byScale = new Map<Scale, Learnt>();
  const nowMs = Math.floor(atMs / cellMs) * cellMs;
  for (const scale of scales) {
    const change = changes(grid, scale);
    const lasting = lastingOf(grid, scale);
    const candidates = candidatesOf(change, 0, { scale, nowMs, lasting });
    if (ofRequests !== undefined && elasticity > 0) {
      const asked = changes(ofRequests, scale);
      const unexplained = change.map((each, at) => each - elasticity * asked[at]!);
      candidates.push(...candidatesOf(unexplained, elasticity, { scale, nowMs, lasting }));
    }
    const best = candidates.toSorted((a, b) => a.learnt.threshold - b.learnt.threshold)[0];
    if (best !== undefined) byScale.set(scale, { ...best.learnt, usual: usualRange(best.rest) });
  }
  for (const scale of betweenCells) {
    const between = learntBetween(byScale, scale);
    if (between !== undefined) byScale.set(scale, between);
  }
  const followed = siblings.map((each) => followedOf(grid, gridOf(each, atMs)));
  return { byScale, elasticity, followed };
}

/** Between its neighbours on a logarithmic scale, as a power of the length: of independent values it would be the root. */
function learntBetween(byScale: ReadonlyMap<Scale, Learnt>, scale: Scale): Learnt | undefined {
  const [shorter, longer] = [byScale.get(scales[0]!), byScale.get(scales[1]!)];
  if (shorter === undefined || longer === undefined) return undefined;
  const at = Math.log2(scale.windowMs / scales[0]!.windowMs);
  const threshold = shorter.threshold ** (1 - at) * longer.threshold ** at;
  return { ...longer, scale, threshold };
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

/** Larger rises that stay are steps of the level, not noise. */
const stepMin = Math.log(1.15);
const stayedShare = 0.7;
const stayedMs = 6 * hourMs;
/** On a larger share of the days they are the usual course of this series. */
const stepDaysMax = 0.4;

/** The mean of the hours after a window minus its baseline, NaN where too few profiles are known. */
function lastingOf({ counts, logSums }: Grid, { windowMs, baselineMs }: Scale): Float64Array {
  const found = new Float64Array(counts.length).fill(Number.NaN);
  const [window, baseline] = [windowMs / cellMs, baselineMs / cellMs];
  const after = Math.max(stayedMs, windowMs) / cellMs;
  for (let at = window + baseline; at + after < counts.length; at++) {
    const middle = at - window;
    const start = middle - baseline;
    const [later, before] = [counts[at + after]! - counts[at]!, counts[middle]! - counts[start]!];
    if (Math.min(later, before) < profilesMin) continue;
    found[at] = (logSums[at + after]! - logSums[at]!) / later - (logSums[middle]! - logSums[start]!) / before;
  }
  return found;
}

interface Learning {
  readonly scale: Scale;
  readonly nowMs: number;
  readonly lasting: Float64Array;
}

interface Candidate {
  readonly learnt: Omit<Learnt, "usual">;
  /** The change minus the prediction. */
  readonly rest: Float64Array;
}

function candidatesOf(
  change: Float64Array,
  elasticity: number,
  { scale, nowMs, lasting }: Learning,
): Candidate[] {
  const day = usualByDay(change);
  const weekday = usualByWeekday(change, day);
  const either = day.map((each, at) => (Number.isNaN(each) ? weekday[at]! : Math.max(each, weekday[at]!)));
  const usual = { none: undefined, day, either };
  return (["none", "day", "either"] as const).flatMap((season) => {
    const expected = usual[season];
    const rest = expected === undefined ? change : change.map((each, at) => each - expected[at]!);
    const stays = rest.map((each, at) => {
      const stayed = lasting[at]! - (expected?.[at] ?? 0);
      return each > stepMin && stayed >= stayedShare * each ? 1 : 0;
    });
    const threshold = thresholdOf(rest, stays, scale);
    if (threshold === undefined) return [];
    const predicted = expected && { fromMs: nowMs, cells: expected.slice(change.length - 1) };
    return [{ learnt: { scale, season, elasticity, threshold, predicted }, rest }];
  });
}

function usualRange(rest: Float64Array): Learnt["usual"] {
  const sorted = rest.filter((each) => !Number.isNaN(each)).sort();
  return { low: quantile(sorted, 0.1), high: quantile(sorted, 0.9) };
}

/** The median change at this time on the days before, also of the cells of the next day; NaN if too few are known. */
function usualByDay(change: Float64Array): Float64Array {
  const usual = new Float64Array(change.length + cellsOfDay).fill(Number.NaN);
  for (let first = 0; first < cellsOfDay; first++) {
    const sorted: number[] = [];
    for (let at = first; at < usual.length; at += cellsOfDay) {
      if (sorted.length >= daysKnownMin) usual[at] = quantile(sorted, 0.5);
      const each = change[at] ?? Number.NaN;
      if (!Number.isNaN(each)) insert(sorted, each);
    }
  }
  return usual;
}

function insert(sorted: number[], value: number): void {
  let at = sorted.length;
  while (at > 0 && sorted[at - 1]! > value) at--;
  sorted.splice(at, 0, value);
}

/** The mean of the same weekday of the weeks before. In the first week no weekday came twice: all days count then. */
function usualByWeekday(change: Float64Array, byDay: Float64Array): Float64Array {
  return byDay.map((ofDay, at) => {
    let [sum, known] = [0, 0];
    for (let then = at - 7 * cellsOfDay; then >= 0; then -= 7 * cellsOfDay) {
      if (Number.isNaN(change[then]!)) continue;
      sum += change[then]!;
      known++;
    }
    return known === 0 ? ofDay : sum / known;
  });
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

/**
 * A rise that stayed was a regression and not noise, unless it came on many days. A leak must not teach its own
 * slope: the newest window and baseline are left out.
 */
function thresholdOf(
  change: Float64Array,
  stays: Float64Array,
  { windowMs, baselineMs }: Scale,
): number | undefined {
  const end = change.length - (windowMs + baselineMs) / cellMs;
  const days: { readonly all: number; readonly passing: number }[] = [];
  for (let to = end; to - cellsOfDay >= 0; to -= cellsOfDay) {
    let [all, passing, known] = [-Infinity, -Infinity, 0];
    for (let at = to - cellsOfDay; at < to; at++) {
      const each = change[at]!;
      if (Number.isNaN(each)) continue;
      known++;
      all = Math.max(all, each);
      if (stays[at] === 0) passing = Math.max(passing, each);
    }
    if (known >= cellsOfDay / 2) days.push({ all, passing });
  }
  const steps = days.filter(({ all, passing }) => all > passing).length;
  const isHabit = steps > Math.max(1, stepDaysMax * days.length);
  const worst = days.map(({ all, passing }) => (isHabit ? all : passing));
  if (worst.length < (windowMs < longWindowMs ? daysMin.short : daysMin.long)) return undefined;
  worst.sort(ascending);
  const [low, median] = [0.25, 0.5].map((share) => quantile(worst, share)) as [number, number];
  // The lower quartile and median of a Gumbel distribution of scale 1 are 0.6931 apart, and the median 0.3665 above its
  // mode. The upper half is not used: regressions are in it.
  const spread = Math.max((median - low) / 0.6931, spreadMin * median);
  const level = median - 0.3665 * spread + spread * Math.log(returnDays);
  // Few days show neither their spread nor a weekend.
  const doubt = 1 + fewDays * (1 / worst.length - 1 / learntDays);
  // A rise of several days is a habit, and may be a little worse the next time.
  const habit = worst.at(-Math.max(habitDaysMin, Math.ceil(worst.length / 7))) ?? 0;
  return Math.max(doubt * level, 1.2 * habit);
}

/** Changes over this time are compared with each other: levels would also compare one regression with the next. */
const apartHours = 6;
const pairsMin = 48;
/** In logarithms: smaller changes of requests tell little. */
const askedMin = 0.1;
const correlationMin = 0.25;

/** By how much values usually change with requests, both as logarithms: the median ratio, between 0 and 1.5. */
function elasticityOf(values: Grid, requests: Grid): number {
  const ratios = pairsOf(requests, values)
    .filter(([asked]) => Math.abs(asked) >= askedMin)
    .map(([asked, change]) => change / asked);
  if (ratios.length < pairsMin) return 0;
  return Math.min(1.5, Math.max(0, quantile(ratios.sort(ascending), 0.5)));
}

/**
 * The ratio of the usual changes of the two, if they mostly have the same sign: that share is the correlation of normal
 * values, and a regression in either changes little of it.
 */
function followedOf(values: Grid, sibling: Grid): number | undefined {
  const pairs = pairsOf(sibling, values);
  const agreement = pairs.reduce((sum, [x, y]) => sum + Math.sign(x) * Math.sign(y), 0) / pairs.length;
  if (pairs.length < pairsMin || Math.sin((Math.PI / 2) * agreement) < correlationMin) return undefined;
  const usual = (of: 0 | 1) => quantile(pairs.map((pair) => Math.abs(pair[of])).sort(ascending), 0.5);
  return usual(1) / usual(0);
}

const cellsOfHour = hourMs / cellMs;

/** How both changed over six hours, for each hour. */
function pairsOf(x: Grid, y: Grid): [number, number][] {
  const pairs: [number, number][] = [];
  for (let at = (1 + apartHours) * cellsOfHour; at < x.counts.length; at += cellsOfHour) {
    const pair = [x, y].map((of) => hourlyMean(of, at) - hourlyMean(of, at - apartHours * cellsOfHour));
    if (!pair.some(Number.isNaN)) pairs.push(pair as [number, number]);
  }
  return pairs;
}

/** NaN of an hour without profiles. */
function hourlyMean({ counts, logSums }: Grid, at: number): number {
  return (logSums[at]! - logSums[at - cellsOfHour]!) / (counts[at]! - counts[at - cellsOfHour]!);
}

/** Of sorted values, between neighbours in proportion. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)]!;
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at));
}

export function ascending(a: number, b: number): number {
  return a - b;
}
