/**
 * Rises that passed by themselves: a batch each week, a job each hour, a warm-up after each release. Another one
 * is no regression while it lasts no longer than they did. Pure.
 *
 * ```
 *                 lengthMs
 *             ┌──────────┐
 *   ──────────┘          └────────        an hour before it, an hour after it: as low
 *        beganMs
 * ```
 */
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { cellMs, learntDays } from "#alerts/detect/series/scales.ts";
import { indexAt, meanOf, type Series } from "#alerts/detect/series/series.ts";
import { isSudden, logMeanOf, stepDeviation } from "#alerts/detect/series/steep-falls.ts";

/** A rise that a series shows now. */
export interface RiseNow {
  readonly beganMs: number;
  readonly atMs: number;
  /** As a logarithm. */
  readonly size: number;
}

/** A rise that is over. */
interface Passing {
  readonly beganMs: number;
  readonly lengthMs: number;
}

/** A longer rise is a change of the level. */
const passingMsMax = 12 * hourMs;
const sideMs = hourMs;
const profilesMin = 3;
/** How much passings have to resemble the rise. */
interface Likeness {
  /** A passing is at least this part of the rise. Cells of ten minutes show half of a shorter rise. */
  readonly sizeShare: { readonly short: number; readonly long: number };
  /** The rise may last longer than they did by this factor. */
  readonly longerFactor: number;
}

const alike: Likeness = { sizeShare: { short: 0.5, long: 0.7 }, longerFactor: 1.25 };
/** Of many bursts, each with its own size and length, the next one may be the largest. */
const ofOneKind: Likeness = { sizeShare: { short: 0.4, long: 0.5 }, longerFactor: 2 };
const shortMs = 2 * cellMs;
/** Noise is that of so many hours before. */
const noiseMs = 6 * hourMs;
const deviationsMin = 4;
/** A rise has ended once values are below this part of it. */
const overShare = 0.4;
/** Passings of any time make a habit. */
const habitMin = 3;
const manyMin = 5;
/** Half of a smaller rise comes by chance. A logarithm. */
const burstMin = Math.log(1.5);
/** On the same weekday of earlier weeks, and after earlier releases. */
const regularMin = 2;
/** A job begins a little earlier or later each time, and an hour when summer time begins or ends. */
const sameTimeMs = 70 * minuteMs;
const afterReleaseMs = 20 * minuteMs;
/** A passing followed at least this part of the earlier releases. */
const releasesShare = 0.6;

/** Whether earlier passings explain the rise. */
export function hasPrecedents(values: Series, rise: RiseNow, releasedMs: readonly number[]): boolean {
  const elapsedMs = rise.atMs - rise.beganMs;
  if (elapsedMs > alike.longerFactor * passingMsMax) return false;
  const passings = passingsLike(values, rise, alike);
  return (
    passings.length >= habitMin ||
    isWeekly(passings, rise) ||
    isAfterRelease(passings, rise, releasedMs) ||
    (rise.size >= burstMin && passingsLike(values, rise, ofOneKind).length >= manyMin)
  );
}

/** Whether something passed at this time of earlier weeks. When the rise began may be found too late. */
function isWeekly(passings: readonly Passing[], { beganMs, atMs }: RiseNow): boolean {
  const weeks = [7, 14, 21].filter((days) => {
    const then = { fromMs: beganMs - days * dayMs + sameTimeMs, toMs: atMs - days * dayMs - sameTimeMs };
    return passings.some((each) => each.beganMs <= then.fromMs && each.beganMs + each.lengthMs >= then.toMs);
  });
  return weeks.length >= regularMin;
}

function isAfterRelease(
  passings: readonly Passing[],
  { beganMs }: RiseNow,
  releasedMs: readonly number[],
): boolean {
  const follows = (ms: number) => (released: number) => Math.abs(ms - released) <= afterReleaseMs;
  if (!releasedMs.some(follows(beganMs))) return false;
  const earlier = releasedMs.filter(
    (ms) => ms < beganMs - afterReleaseMs && ms > beganMs - learntDays * dayMs,
  );
  const followed = earlier.filter((released) => passings.some((each) => follows(each.beganMs)(released)));
  return followed.length >= Math.max(regularMin, releasesShare * earlier.length);
}

/** The passings of the weeks before that were about as high, and lasted about as long as the rise has lasted until now; oldest first. */
function passingsLike(
  values: Series,
  { beganMs, atMs, size }: RiseNow,
  { sizeShare, longerFactor }: Likeness,
): Passing[] {
  const elapsedMs = atMs - beganMs;
  const leastMs = Math.max(cellMs, Math.ceil((elapsedMs / longerFactor - cellMs) / cellMs) * cellMs);
  const least = size * (elapsedMs <= shortMs ? sizeShare.short : sizeShare.long);
  const found: Passing[] = [];
  const firstMs = Math.max(values.atMs[0] ?? beganMs, beganMs - learntDays * dayMs);
  const lastMs = beganMs - leastMs - sideMs;
  for (let ms = Math.ceil(firstMs / cellMs) * cellMs; ms <= lastMs; ms += cellMs) {
    const before = meanOf(values, { fromMs: ms - sideMs, toMs: ms });
    const after = meanOf(values, { fromMs: ms, toMs: ms + leastMs });
    if (before.count < profilesMin || after.count === 0 || after.logMean - before.logMean < least) continue;
    // In a morning values rise over hours.
    if (!isSudden(values, ms, least) || !isBeyondNoise(values, ms, leastMs)) continue;
    const lengthMs = lengthOf(values, {
      fromMs: ms,
      leastMs,
      endMs: beganMs,
      below: before.logMean + overShare * size,
    });
    if (lengthMs === undefined) continue;
    found.push({ beganMs: ms, lengthMs });
    ms += lengthMs;
  }
  return found;
}

/** Whether both sides differ by more than neighbouring values do: a sparse series rises and falls by chance. */
function isBeyondNoise(values: Series, atMs: number, lengthMs: number): boolean {
  const [from, middle, to] = [atMs - sideMs, atMs, atMs + lengthMs].map((ms) => indexAt(values, ms)) as [
    number,
    number,
    number,
  ];
  const rise = logMeanOf(values, middle, to) - logMeanOf(values, from, middle);
  const deviation = stepDeviation(values, { fromMs: atMs - noiseMs, toMs: atMs });
  return rise >= deviationsMin * deviation * Math.sqrt(1 / (middle - from) + 1 / (to - middle));
}

/** Until an hour of values is low again; undefined if that is not before the rise. */
function lengthOf(
  values: Series,
  { fromMs, leastMs, endMs, below }: { fromMs: number; leastMs: number; endMs: number; below: number },
): number | undefined {
  for (let ms = leastMs; ms <= passingMsMax && fromMs + ms + sideMs <= endMs; ms += cellMs) {
    const later = meanOf(values, { fromMs: fromMs + ms, toMs: fromMs + ms + sideMs });
    if (later.count >= profilesMin && later.logMean < below) return ms;
  }
  return undefined;
}
