/**
 * The windows that are compared. A sharp step shows in the short ones first; a slow leak, and a step in a noisy series,
 * only in the long ones.
 *
 * ```
 *        baseline             window
 *  |--------------------|------------|
 * now - w - b        now - w        now
 * ```
 */
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { meanOf, type Series, type Span } from "./series.ts";

/** Series are evaluated at multiples of this. */
export const stepMs = 5 * minuteMs;

export interface Scale {
  readonly windowMs: number;
  readonly baselineMs: number;
}

/** All are multiples of `cellMs`. */
export const scales: readonly Scale[] = [
  { windowMs: 10 * minuteMs, baselineMs: 4 * hourMs },
  { windowMs: 20 * minuteMs, baselineMs: 4 * hourMs },
  { windowMs: 40 * minuteMs, baselineMs: 4 * hourMs },
  { windowMs: 2 * hourMs, baselineMs: 6 * hourMs },
  { windowMs: 4 * hourMs, baselineMs: 12 * hourMs },
  { windowMs: 12 * hourMs, baselineMs: dayMs },
  { windowMs: dayMs, baselineMs: 3 * dayMs },
  { windowMs: 3 * dayMs, baselineMs: 7 * dayMs },
];

/**
 * Judged as well: a step of 20% in calm values shows after 12 to 15 minutes. They are no multiples of a cell, so their thresholds lie
 * between those of their neighbours.
 */
export const betweenCells: readonly Scale[] = [12, 15].map((minutes) => ({
  windowMs: minutes * minuteMs,
  baselineMs: 4 * hourMs,
}));
export const judgedScales: readonly Scale[] = scales.toSpliced(1, 0, ...betweenCells);

/** Values older than a few hours are kept as sums of this many minutes. */
export const cellMs = 10 * minuteMs;

/** How many days the usual course and the noise of a series are learnt from. */
export const learntDays = 21;

/** A series is young for its first eight days: until then no weekend of it has been compared with another one. */
export const youngMs = 8 * dayMs;

export const profilesMin = 6;

/** Logarithm of the ratio of the two means; undefined if a side has too few profiles. */
export function contrast(values: Series, window: Span, baseline: Span): number | undefined {
  const after = meanOf(values, window);
  const before = meanOf(values, baseline);
  if (Math.min(after.count, before.count) < profilesMin) return undefined;
  return after.logMean - before.logMean;
}

/** The window that ends at this time and its baseline; after a silence the last profiles before it, at most a day old. */
export function spansAt(
  values: Series,
  atMs: number,
  { windowMs, baselineMs }: Scale,
): readonly [Span, Span] {
  const window = { fromMs: atMs - windowMs, toMs: atMs };
  const before = { fromMs: window.fromMs - baselineMs, toMs: window.fromMs };
  if (meanOf(values, before).count >= profilesMin) return [window, before];
  for (let back = hourMs; back <= dayMs; back += hourMs) {
    const earlier = { fromMs: before.fromMs - back, toMs: before.toMs - back };
    if (meanOf(values, earlier).count >= profilesMin) return [window, earlier];
  }
  return [window, before];
}

export function earlier({ fromMs, toMs }: Span, byMs: number): Span {
  return { fromMs: fromMs - byMs, toMs: toMs - byMs };
}

/**
 * How much higher values are than at the same time of each week before, as logarithms, newest week first. Only weeks whose time
 * ended before `beforeMs` and that have enough profiles.
 */
export function risesOverWeeks(values: Series, window: Span, beforeMs: number): number[] {
  const rises: number[] = [];
  for (let days = 7; days <= learntDays; days += 7) {
    const then = earlier(window, days * dayMs);
    const rise = then.toMs <= beforeMs ? contrast(values, window, then) : undefined;
    if (rise !== undefined) rises.push(rise);
  }
  return rises;
}
