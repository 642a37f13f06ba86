/** A series by cells of ten minutes, for sums over many windows. */
import { dayMs, hourMs } from "@flamekeep/contract/durations";
import { cellMs, learntDays, profilesMin, type Scale } from "#alerts/detect/series/scales.ts";
import { indexAt, type Series } from "#alerts/detect/series/series.ts";

export const cellsOfDay = dayMs / cellMs;
export const cellsOfHour = hourMs / cellMs;

/** Running totals at the multiples of a cell: `counts[i]` is of all before cell i. */
export interface Grid {
  readonly counts: Float64Array;
  readonly logSums: Float64Array;
}

/** The cells of the `learntDays` before this time. */
export function gridOf(series: Series, atMs: number): Grid {
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
export function changes({ counts, logSums }: Grid, { windowMs, baselineMs }: Scale): Float64Array {
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

/** For at least this long a rise must stay to be a step of the level. */
const stayedMs = 6 * hourMs;

/** The mean of the hours after a window minus its baseline, NaN where too few profiles are known. */
export function lastingOf({ counts, logSums }: Grid, { windowMs, baselineMs }: Scale): Float64Array {
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

/** The mean of the hour before a cell, as a logarithm; NaN without profiles. */
export function hourlyMean({ counts, logSums }: Grid, at: number): number {
  return (logSums[at]! - logSums[at - cellsOfHour]!) / (counts[at]! - counts[at - cellsOfHour]!);
}
