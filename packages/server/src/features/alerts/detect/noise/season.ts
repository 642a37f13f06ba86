/** The change of a series that is usual at a time of the day or of the week. */
import { learntDays } from "#alerts/detect/series/scales.ts";
import { ascending, quantile } from "#alerts/detect/series/statistics.ts";
import { cellsOfDay } from "./grid.ts";

/** `either`: the larger of the two. */
export type Season = "none" | "day" | "weekday" | "either";

const daysKnownMin = 3;

/**
 * The change that a season predicts, from the changes of earlier days.
 *
 * @param changeOn the change so many days ago, as a logarithm; NaN if it is not known
 * @returns undefined if too few days are known
 */
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

/** The median change at this time on the days before, also of the cells of the next day; NaN if too few are known. */
export function usualByDay(change: Float64Array): Float64Array {
  const usual = new Float64Array(change.length + cellsOfDay).fill(Number.NaN);
  const sorted = new Float64Array(Math.ceil(usual.length / cellsOfDay));
  for (let first = 0; first < cellsOfDay; first++) {
    let known = 0;
    for (let at = first; at < usual.length; at += cellsOfDay) {
      if (known >= daysKnownMin) usual[at] = medianOfFirst(known, sorted);
      const each = at < change.length ? change[at]! : Number.NaN;
      if (!Number.isNaN(each)) insert(sorted, known++, each);
    }
  }
  return usual;
}

function medianOfFirst(count: number, sorted: Float64Array): number {
  const low = sorted[(count - 1) >> 1]!;
  return low + (sorted[count >> 1]! - low) / 2;
}

function insert(sorted: Float64Array, count: number, value: number): void {
  let at = count;
  for (; at > 0 && sorted[at - 1]! > value; at--) sorted[at] = sorted[at - 1]!;
  sorted[at] = value;
}

/**
 * The larger of the usual change of the day, and the mean of the same weekday of the weeks before. In the first week no weekday came
 * twice: all days count then.
 */
export function usualByEither(change: Float64Array, byDay: Float64Array): Float64Array {
  const usual = new Float64Array(byDay.length);
  for (let at = 0; at < usual.length; at++) {
    const ofDay = byDay[at]!;
    const ofWeekday = weekdayMean(change, at) ?? ofDay;
    usual[at] = ofDay > ofWeekday ? ofDay : ofWeekday;
  }
  return usual;
}

function weekdayMean(change: Float64Array, at: number): number | undefined {
  let [sum, known] = [0, 0];
  for (let then = at - 7 * cellsOfDay; then >= 0; then -= 7 * cellsOfDay) {
    const each = change[then]!;
    if (Number.isNaN(each)) continue;
    sum += each;
    known++;
  }
  return known === 0 ? undefined : sum / known;
}
