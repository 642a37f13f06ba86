/**
 * Learns for each scale how far the window of a series usually rises above its baseline at the worst moment of a day.
 * The threshold is the level that this worst moment reaches once in thousands of days, from a Gumbel distribution fitted
 * to the median and lower quartile of the days: days with a regression move neither. The maximum of a day already
 * contains the autocorrelation of its profiles, so no independence is assumed within the day.
 *
 * Several predictions of the change between baseline and window compete (none, the change at this time on other days, at
 * least that of the same weekday, each with and without requests); the one that leaves the smallest threshold is used.
 */

import { dayMs } from "@flamekeep/contract/durations";
import { betweenCells, cellMs, learntDays, type Scale, scales } from "#alerts/detect/series/scales.ts";
import type { Series } from "#alerts/detect/series/series.ts";
import { ascending, medianOf, quantile, selectQuantile } from "#alerts/detect/series/statistics.ts";
import { cellsOfDay, cellsOfHour, changes, type Grid, gridOf, hourlyMean, lastingOf } from "./grid.ts";
import { type Season, usualByDay, usualByEither } from "./season.ts";

/** The learnt noise of one scale. */
export interface ScaleNoise {
  readonly scale: Scale;
  readonly season: Season;
  /** How much of a change in requests the values follow; 0 if requests predict nothing. */
  readonly elasticity: number;
  /** The smallest rise above the prediction that is not noise, as a logarithm. */
  readonly threshold: number;
  /** The tenth and the ninetieth percentile of the changes minus their prediction, as logarithms. */
  readonly residuals: { readonly low: number; readonly high: number };
  /** The changes that the season predicts, a day of cells from `fromMs` on; undefined without a season. */
  readonly predicted: { readonly fromMs: number; readonly cells: Float64Array } | undefined;
}

export interface Noise {
  /** The scales for which enough days are known. */
  readonly byScale: ReadonlyMap<Scale, ScaleNoise>;
  /** How much of a change in requests the values follow; 0 if none or if requests are not counted. */
  readonly elasticity: number;
  /** For each sibling how much of its change shows in these values; undefined if the two do not move together. */
  readonly siblingRatios: readonly (number | undefined)[];
}

export const nothingLearnt: Noise = { byScale: new Map(), elasticity: 0, siblingRatios: [] };

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
  const byScale = new Map<Scale, ScaleNoise>();
  const nowMs = Math.floor(atMs / cellMs) * cellMs;
  for (const scale of scales) {
    const change = changes(grid, scale);
    const lasting = lastingOf(grid, scale);
    const candidates = candidatesOf(change, 0, { scale, nowMs, lasting });
    if (ofRequests !== undefined && elasticity > 0) {
      const requestChange = changes(ofRequests, scale);
      const unexplained = minus(change, requestChange, elasticity);
      candidates.push(...candidatesOf(unexplained, elasticity, { scale, nowMs, lasting }));
    }
    const best = candidates.toSorted((a, b) => a.learnt.threshold - b.learnt.threshold)[0];
    if (best !== undefined) byScale.set(scale, { ...best.learnt, residuals: residualsOf(best.rises) });
  }
  for (const scale of betweenCells) {
    const between = learntBetween(byScale, scale);
    if (between !== undefined) byScale.set(scale, between);
  }
  const siblingRatios = siblings.map((each) => siblingRatioOf(grid, gridOf(each, atMs)));
  return { byScale, elasticity, siblingRatios };
}

// Loops, here and below: `map` of a typed array takes ten times as long.
function minus(change: Float64Array, requestChange: Float64Array, elasticity: number): Float64Array {
  const unexplained = new Float64Array(change.length);
  for (let at = 0; at < change.length; at++) unexplained[at] = change[at]! - elasticity * requestChange[at]!;
  return unexplained;
}

/** Between its neighbours on a logarithmic scale, as a power of the length: of independent values it would be the root. */
function learntBetween(byScale: ReadonlyMap<Scale, ScaleNoise>, scale: Scale): ScaleNoise | undefined {
  const [shorter, longer] = [byScale.get(scales[0]!), byScale.get(scales[1]!)];
  if (shorter === undefined || longer === undefined) return undefined;
  const at = Math.log2(scale.windowMs / scales[0]!.windowMs);
  const threshold = shorter.threshold ** (1 - at) * longer.threshold ** at;
  return { ...longer, scale, threshold };
}

interface Learning {
  readonly scale: Scale;
  readonly nowMs: number;
  readonly lasting: Float64Array;
}

interface Candidate {
  readonly learnt: Omit<ScaleNoise, "residuals">;
  readonly rises: Rises;
}

function candidatesOf(
  change: Float64Array,
  elasticity: number,
  { scale, nowMs, lasting }: Learning,
): Candidate[] {
  const day = usualByDay(change);
  const usual = { none: undefined, day, either: usualByEither(change, day) };
  return (["none", "day", "either"] as const).flatMap((season) => {
    const rises = { change, predicted: usual[season], lasting };
    const threshold = thresholdOf(rises, scale);
    if (threshold === undefined) return [];
    const predicted = usual[season] && { fromMs: nowMs, cells: usual[season].slice(change.length - 1) };
    return [{ learnt: { scale, season, elasticity, threshold, predicted }, rises }];
  });
}

function residualsOf({ change, predicted }: Rises): ScaleNoise["residuals"] {
  const residuals = new Float64Array(change.length);
  let known = 0;
  for (let at = 0; at < change.length; at++) {
    const residual = change[at]! - (predicted === undefined ? 0 : predicted[at]!);
    if (!Number.isNaN(residual)) residuals[known++] = residual;
  }
  const all = residuals.subarray(0, known);
  return { low: selectQuantile(all, 0.1), high: selectQuantile(all, 0.9) };
}

/** Changes over this time are compared with each other: levels would also compare one regression with the next. */
const apartHours = 6;
const pairsMin = 48;
/** Smaller changes of requests tell little. A logarithm. */
const requestChangeMin = 0.1;
const correlationMin = 0.25;

/** By how much values usually change with requests, both as logarithms: the median ratio, between 0 and 1.5. */
function elasticityOf(values: Grid, requests: Grid): number {
  const ratios = pairsOf(requests, values)
    .filter(([requestChange]) => Math.abs(requestChange) >= requestChangeMin)
    .map(([requestChange, change]) => change / requestChange);
  if (ratios.length < pairsMin) return 0;
  return Math.min(1.5, Math.max(0, medianOf(ratios)));
}

/**
 * The ratio of the usual changes of the two, if they mostly have the same sign: that share is the correlation of normal
 * values, and a regression in either changes little of it.
 */
function siblingRatioOf(values: Grid, sibling: Grid): number | undefined {
  const pairs = pairsOf(sibling, values);
  const agreement = pairs.reduce((sum, [x, y]) => sum + Math.sign(x) * Math.sign(y), 0) / pairs.length;
  if (pairs.length < pairsMin || Math.sin((Math.PI / 2) * agreement) < correlationMin) return undefined;
  const usual = (of: 0 | 1) => medianOf(pairs.map((pair) => Math.abs(pair[of])));
  return usual(1) / usual(0);
}

/** How both changed over six hours, for each hour. */
function pairsOf(x: Grid, y: Grid): [number, number][] {
  const pairs: [number, number][] = [];
  for (let at = (1 + apartHours) * cellsOfHour; at < x.counts.length; at += cellsOfHour) {
    const pair = [x, y].map((of) => hourlyMean(of, at) - hourlyMean(of, at - apartHours * cellsOfHour));
    if (!pair.some(Number.isNaN)) pairs.push(pair as [number, number]);
  }
  return pairs;
}

/** A threshold is exceeded by noise once in this many days, by each scale of each series. */
const returnDays = 3000;
const daysMin = { short: 4, long: 5 };
/** Windows from this length on differ between weekdays. */
const longWindowMs = dayMs / 2;
/** The spread of the daily maximum over its median, at least: the spread of independent normal values. */
const spreadMin = 0.14;
/**
 * Weights of the correction for few days, which show little of their spread: by 1.2 with four days, by 1 with 21. Long windows differ
 * between weekdays too, and few days may have no weekend.
 */
const fewDaysWeight = { short: 1, long: 2 };
/** A rise on this many days, and on at least one day in seven, is a habit. */
const habitDaysMin = 2;
/** A habit may be a little worse the next time. */
const habitMargin = 1.2;

/** Distances in a Gumbel distribution of scale 1: its median is -ln(ln 2), its lower quartile -ln(ln 4). */
const gumbel = { modeToMedian: -Math.log(Math.LN2), medianToLowerQuartile: Math.LN2 };
/** On a larger share of the days steps of the level are the usual course of this series. */
const stepDaysMax = 0.4;

/** Larger rises that stay are steps of the level, not noise. */
const stepMin = Math.log(1.15);
/** A rise stays if this part of it is left in the hours after the window. */
const stayedShare = 0.7;

/** The changes of a scale by cell, as logarithms; NaN where they are not known. */
interface Rises {
  readonly change: Float64Array;
  /** The predicted change of each cell, which is subtracted. */
  readonly predicted: Float64Array | undefined;
  /** The change of the hours after the window, instead of the window itself. */
  readonly lasting: Float64Array;
}

/** The largest rise of a day above the prediction. */
interface DailyMaximum {
  readonly all: number;
  /** The largest that did not stay; -Infinity if there is none. */
  readonly passing: number;
}

/**
 * The rise that noise exceeds once in `returnDays` days; undefined if too few days are known. A rise that stayed was a regression and
 * not noise, unless it came on many days. A leak must not teach its own slope: the newest window and baseline are left out.
 */
function thresholdOf(rises: Rises, { windowMs, baselineMs }: Scale): number | undefined {
  const end = rises.change.length - (windowMs + baselineMs) / cellMs;
  const days: DailyMaximum[] = [];
  for (let to = end; to - cellsOfDay >= 0; to -= cellsOfDay) {
    const maximum = maximumBefore(to, rises);
    if (maximum !== undefined) days.push(maximum);
  }
  const steps = days.filter(({ all, passing }) => all > passing).length;
  const isHabit = steps > Math.max(1, stepDaysMax * days.length);
  const worst = days.map(({ all, passing }) => (isHabit ? all : passing));
  const length = windowMs < longWindowMs ? "short" : "long";
  if (worst.length < daysMin[length]) return undefined;
  worst.sort(ascending);
  const [low, median] = [0.25, 0.5].map((share) => quantile(worst, share)) as [number, number];
  // The upper half is not used: regressions are in it.
  const spread = Math.max((median - low) / gumbel.medianToLowerQuartile, spreadMin * median);
  const level = median - gumbel.modeToMedian * spread + spread * Math.log(returnDays);
  const doubt = 1 + fewDaysWeight[length] * (1 / worst.length - 1 / learntDays);
  const habit = worst.at(-Math.max(habitDaysMin, Math.ceil(worst.length / 7))) ?? 0;
  return Math.max(doubt * level, habitMargin * habit);
}

/** The maximum of the day before a cell; undefined if less than half of it is known. */
function maximumBefore(to: number, { change, predicted, lasting }: Rises): DailyMaximum | undefined {
  let all = -Infinity;
  let passing = -Infinity;
  let known = 0;
  for (let at = to - cellsOfDay; at < to; at++) {
    const usual = predicted === undefined ? 0 : predicted[at]!;
    const rise = change[at]! - usual;
    if (Number.isNaN(rise)) continue;
    known++;
    if (rise > all) all = rise;
    const stays = rise > stepMin && lasting[at]! - usual >= stayedShare * rise;
    if (!stays && rise > passing) passing = rise;
  }
  return known < cellsOfDay / 2 ? undefined : { all, passing };
}
