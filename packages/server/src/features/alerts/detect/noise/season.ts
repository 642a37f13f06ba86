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
export function usualByWeekday(change: Float64Array, byDay: Float64Array): Float64Array {
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
