/** The threshold of a scale, from the largest rise of each day. */
import { dayMs } from "@flamekeep/contract/durations";
import { cellMs, learntDays, type Scale } from "#alerts/detect/series/scales.ts";
import { ascending, quantile } from "#alerts/detect/series/statistics.ts";
import { cellsOfDay } from "./grid.ts";

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
export interface Rises {
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
export function thresholdOf(rises: Rises, { windowMs, baselineMs }: Scale): number | undefined {
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
