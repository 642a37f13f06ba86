/**
 * Whether a function uses about twice what it did while the service as a whole uses about as much as before. Pure.
 *
 * Three hours are held against all earlier spans of three hours in which the service used about as much: then neither the time of
 * the day nor traffic changes what a function's part of it is.
 *
 * ```
 * level     ▂▂▃▅▇▇▅▃▂▂▃▅▇▇▅▃▂▂▃▅▇▇     the service, by hour
 * ends            ││        ││         spans that are comparable with the newest
 * newest                         └┴┘
 * ```
 */
import { dayMs, hourMs } from "@flamekeep/contract/durations";
import { ascending, medianOf, quantile } from "#alerts/detect/series/statistics.ts";

/** A change holds for so many hours before it is reported. */
export const heldHours = 3;
/** Figures of earlier hours are not compared. */
export const learntHours = (14 * dayMs) / hourMs;
/** The functions of a series with the largest values. */
export const functionsMax = 200;
/**
 * A doubling is measured with noise, and raises the whole as well: an eighth of the service that doubles is 2/9 of it then, 1.8 times as
 * much. So the bar is lower than 2.
 */
export const ratioMin = 1.7;
/** The smallest rise, as a part of the service. */
export const shareMin = 0.01;

/** The part of the bar that each of the hours has to reach, and that the quick look asks for. */
const looseMin = 1.4;
/** Levels of the service that differ by this factor at most are comparable. */
const levelFactor = 1.25;
const knownHoursMin = 24;
const endsMin = 8;
/** Between the hours that are compared: the change may be inside an hour. */
const gapHours = 1;
/** A function that was hardly there is new, or has a new name. */
const newBelow = 0.05;
/**
 * Standard deviations of the function's own noise, and of counted samples. Of 200 functions with two figures each, a month has 300,000 of
 * these comparisons.
 */
const deviationsMin = 5.5;
const countedDeviationsMin = 6;
/** The median distance of a normal distribution, and its ninth decile, in standard deviations: bursts show in the latter. */
const normalMedian = 0.6745;
const normalNinth = 1.2816;
/** A rise has to exceed earlier ones, which passed, by this factor. */
const habitFactor = 1.3;
const weekHours = 7 * 24;
/** A weekly job may begin this much earlier or later. */
const weeklyShiftHours = 2;

/** A series of a service by hour, the newest last. */
export interface ServiceHours {
  /** The mean of the series; NaN where nothing is known. */
  readonly level: Float64Array;
  /** The sum over all stacks, in the unit of the functions' values. */
  readonly totals: Float64Array;
  /** About the value of one sample. */
  readonly sample: number;
  /** The smallest rise, in the unit of the level. */
  readonly riseMin: number;
}

/** A rise of one figure of a function. Parts of the service. */
export interface Shift {
  readonly before: number;
  readonly after: number;
  /** The index of the first hour in which it was high. */
  readonly began: number;
}

/** The ends of the spans that are comparable with the newest, ascending; none if too little is known. */
export function comparableEnds(level: Float64Array): number[] {
  const newest = level.length - 1;
  const now = levelAt(level, newest);
  const known = level.reduce((count, each) => count + (Number.isNaN(each) ? 0 : 1), 0);
  if (!(now > 0) || known < knownHoursMin + heldHours) return [];
  const ends: number[] = [];
  for (let end = heldHours - 1; end <= newest - heldHours - gapHours; end++) {
    const factor = levelAt(level, end) / now;
    if (factor <= levelFactor && factor >= 1 / levelFactor) ends.push(end);
  }
  return ends.length < endsMin ? [] : ends;
}

/** The mean level of the span with this end; NaN if an hour of it is not known. */
export function levelAt(level: Float64Array, end: number): number {
  let sum = 0;
  for (let hour = end - heldHours + 1; hour <= end; hour++) sum += level[hour] ?? Number.NaN;
  return sum / heldHours;
}

/** Sums of a function, or of the whole service: each of the newest hours, and all comparable hours together. */
export interface Sums {
  readonly newest: readonly number[];
  readonly before: number;
}

/** A quick look, for which no figures by hour are needed. */
export function isSuspect(sums: Sums, whole: Sums, sampleValue: number): boolean {
  const before = sums.before / whole.before;
  const shares = sums.newest.map((value, index) => value / whole.newest[index]!);
  const after = shares.reduce((sum, each) => sum + each, 0) / shares.length;
  if (!(before > newBelow * after) || after - before < shareMin * 0.8) return false;
  const sample = sampleValue / whole.newest.reduce((sum, each) => sum + each, 0);
  if (!isBeyondCounting(before, after, sample)) return false;
  return after >= 0.9 * ratioMin * before && shares.every((share) => share >= looseMin * before * 0.9);
}

/**
 * The rise of one figure of a function, by hour as `totals`. The noise of the figure is learnt from the comparable spans; it is at least
 * that of counted samples.
 */
export function shiftOf(
  values: Float64Array,
  hours: ServiceHours,
  ends: readonly number[],
): Shift | undefined {
  const { level, totals } = hours;
  const newest = level.length - 1;
  const { before, after, shares } = usualShare(values, totals, ends);
  if (shares.length < endsMin || !(before > newBelow * after)) return undefined;
  const levelNow = levelAt(level, newest);
  const usualLevel = medianOf(ends.map((end) => levelAt(level, end)));
  // The function's part and its value: neither less other work nor more traffic is a rise.
  if (after < ratioMin * before || after * levelNow < ratioMin * before * usualLevel) return undefined;
  if (after - before < shareMin || (after - before) * levelNow < hours.riseMin) return undefined;
  if (lowestHour(values, totals) < looseMin * before) return undefined;
  if (!isBeyondNoise({ before, after, shares }, hours.sample / sumAt(totals, newest))) return undefined;
  if (after < habitFactor * habitOf(values, totals)) return undefined;
  const middle = Math.sqrt(before * after);
  let began = newest - heldHours + 1;
  while (began > 0 && values[began - 1]! / totals[began - 1]! >= middle) began--;
  return { before, after, began };
}

/** The usual part of a figure, and the newest. */
export function usualShare(
  values: Float64Array,
  totals: Float64Array,
  ends: readonly number[],
): { readonly before: number; readonly after: number; readonly shares: readonly number[] } {
  const share = (end: number) => sumAt(values, end) / sumAt(totals, end);
  const shares = ends.map(share).filter((each) => !Number.isNaN(each));
  return { before: medianOf(shares), after: share(totals.length - 1), shares };
}

function sumAt(values: Float64Array, end: number): number {
  let sum = 0;
  for (let hour = end - heldHours + 1; hour <= end; hour++) sum += values[hour]!;
  return sum;
}

function lowestHour(values: Float64Array, totals: Float64Array): number {
  const newest = totals.length - heldHours;
  return Math.min(...totals.subarray(newest).map((total, index) => values[newest + index]! / total));
}

/** Noise of a function is a factor; the noise of counted samples has a variance of a quarter in their square roots, whatever they are. */
function isBeyondNoise(
  { before, after, shares }: { before: number; after: number; shares: readonly number[] },
  sample: number,
): boolean {
  const logBefore = Math.log(before);
  const distances = shares.map((share) => Math.log(Math.max(share, sample)) - logBefore).sort(ascending);
  const learnt = Math.max(
    medianOf(distances.map(Math.abs)) / normalMedian,
    quantile(distances, 0.9) / normalNinth,
  );
  // Spans overlap: three neighbours are about one.
  const deviations = deviationsMin * (1 + (heldHours * heldHours) / shares.length);
  return Math.log(after) - logBefore >= deviations * learnt && isBeyondCounting(before, after, sample);
}

function isBeyondCounting(before: number, after: number, sample: number): boolean {
  return Math.sqrt(after) - Math.sqrt(before) >= countedDeviationsMin * 0.5 * Math.sqrt(sample);
}

/**
 * The part of the service that the function reached before: on two days, on one of the first days, or at this time of this weekday.
 */
function habitOf(values: Float64Array, totals: Float64Array): number {
  const newest = totals.length - 1;
  const days: number[] = [];
  let weekly = 0;
  for (let end = newest - heldHours - gapHours; end >= heldHours - 1; end--) {
    const share = sumAt(values, end) / sumAt(totals, end);
    if (Number.isNaN(share)) continue;
    const ago = newest - end;
    const day = Math.floor(ago / 24);
    days[day] = Math.max(days[day] ?? 0, share);
    const shift = Math.abs(ago - weekHours * Math.round(ago / weekHours));
    if (ago >= weekHours - weeklyShiftHours && shift <= weeklyShiftHours) weekly = Math.max(weekly, share);
  }
  const highest = days.filter((each) => each !== undefined).sort((a, b) => b - a);
  return Math.max(weekly, highest[highest.length < 3 ? 0 : 1] ?? 0);
}

/** A rise that an open alert is about: parts of the service, and its level then. */
export interface RisenFunction {
  readonly before: number;
  readonly after: number;
  readonly level: number;
}

/** As for other alerts, 65% of the rise. */
const fallenPart = 0.65;

/** Whether a rise is over. Under another load, the function's part may differ: then it has to be low for a day. */
export function hasFallen(
  values: Float64Array,
  { level, totals }: Pick<ServiceHours, "level" | "totals">,
  { before, after, level: levelThen }: RisenFunction,
): boolean {
  const newest = level.length - 1;
  const limit = after - fallenPart * (after - before);
  const isLow = (end: number) => sumAt(values, end) / sumAt(totals, end) < limit;
  const factor = levelAt(level, newest) / levelThen;
  if (factor <= levelFactor && factor >= 1 / levelFactor) return isLow(newest);
  const known = Array.from({ length: 24 }, (_, ago) => newest - ago).filter((end) => levelAt(level, end) > 0);
  return known.length > 0 && known.every(isLow);
}
