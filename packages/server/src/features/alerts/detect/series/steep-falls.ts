import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { indexAt, meanOf, type Series, type Span } from "./series.ts";
import { medianOf } from "./statistics.ts";

/** A fall is the difference of the hours before and after it. */
export const sideMs = hourMs;
const stepMs = 10 * minuteMs;
const profilesMin = 3;

export interface Fall {
  readonly atMs: number;
  /** In logarithms, positive. */
  readonly by: number;
}

/** Between the two hours around this time, in logarithms; undefined if one has too few profiles. */
export function hourlyChange(values: Series, atMs: number): number | undefined {
  const [after, before] = around(values, atMs, sideMs);
  return Math.min(after.count, before.count) < profilesMin ? undefined : after.logMean - before.logMean;
}

function around(values: Series, atMs: number, lengthMs: number) {
  return [
    meanOf(values, { fromMs: atMs, toMs: atMs + lengthMs }),
    meanOf(values, { fromMs: atMs - lengthMs, toMs: atMs }),
  ] as const;
}

/**
 * In an evening values fall over hours: the means of the 20 minutes before and after a moment then differ by a third of what those of the
 * hours do.
 */
const suddenMs = 20 * minuteMs;
const suddenShare = 0.6;

/** Whether most of a change, a logarithm that is negative for a fall, came within minutes of this time. */
export function isSudden(values: Series, atMs: number, by: number): boolean {
  const [after, before] = around(values, atMs, suddenMs);
  if (Math.min(after.count, before.count) === 0) return false;
  return Math.sign(by) * (after.logMean - before.logMean) >= suddenShare * Math.abs(by);
}

/** Falls of at least this size within minutes, which last for an hour; oldest first. */
export function steepFalls(values: Series, { fromMs, toMs }: Span, least: number): Fall[] {
  const found: Fall[] = [];
  for (let atMs = fromMs; atMs + sideMs <= toMs; atMs += stepMs) {
    const by = -(hourlyChange(values, atMs) ?? 0);
    if (by < least || !isSudden(values, atMs, -by)) continue;
    const last = found.at(-1);
    if (last === undefined || atMs - last.atMs > 2 * sideMs) found.push({ atMs, by });
    else if (by > last.by) found[found.length - 1] = { atMs, by };
  }
  return found;
}

/** Longer windows compare with days, in which a fall of an hour counts little. */
const recoveryMsMax = 4 * hourMs;
/** How long before the window a fall is looked for. */
const recoveringMs = 6 * hourMs;

/** Values return by as much as they fell. Both are measured with error. */
const returnedShare = 0.8;

/**
 * Whether values only return to the level before a sudden fall, as in a service that warms up after a restart. After the
 * rollback of a regression they rise instead: the level before that fall was unusual.
 *
 * @param rise of the window above its baseline, as a logarithm
 */
export function isRecovery(values: Series, window: Span, rise: number): boolean {
  if (window.toMs - window.fromMs > recoveryMsMax) return false;
  const fromMs = window.fromMs - recoveringMs;
  const after = meanOf(values, window).logMean;
  const least = returnedShare * rise;
  const falls = [
    ...steepFalls(values, { fromMs, toMs: window.toMs }, least),
    ...shortDips(values, { fromMs, toMs: window.fromMs }, least),
  ];
  return falls.some(({ atMs }) => {
    const before = meanOf(values, { fromMs: atMs - sideMs, toMs: atMs }).logMean;
    return after - before < rise / 2 && !isAboveMostDays(values, atMs, before - rise / 2);
  });
}

/** Noise is that of so many hours before a dip. */
const noiseMs = 6 * hourMs;
const dipDeviationsMin = 5;

/** Falls that are over within the hour, as while half of the instances are idle after a switch: the mean of the hour hides them. */
function shortDips(values: Series, { fromMs, toMs }: Span, least: number): { readonly atMs: number }[] {
  const found: { atMs: number }[] = [];
  for (let atMs = fromMs; atMs + suddenMs <= toMs; atMs += stepMs) {
    const [after, before] = around(values, atMs, suddenMs);
    if (Math.min(after.count, before.count) < profilesMin) continue;
    const by = before.logMean - after.logMean;
    if (by < least) continue;
    const noise = stepDeviation(values, { fromMs: atMs - noiseMs, toMs: atMs });
    const [from, middle, to] = [atMs - suddenMs, atMs, atMs + suddenMs].map((ms) => indexAt(values, ms)) as [
      number,
      number,
      number,
    ];
    const error = noise * Math.sqrt(1 / (to - middle) + 1 / (middle - from));
    if (by >= dipDeviationsMin * error) found.push({ atMs });
  }
  return found;
}

/** The robust standard deviation of profiles, by the steps between neighbouring ones: a curve of the day does not count. */
export function stepDeviation(values: Series, { fromMs, toMs }: Span): number {
  const steps: number[] = [];
  for (let at = Math.max(1, indexAt(values, fromMs)); at < indexAt(values, toMs); at++)
    steps.push(Math.abs(logMeanOf(values, at, at + 1) - logMeanOf(values, at - 1, at)));
  return medianOf(steps) / (0.6745 * Math.SQRT2);
}

/** The mean of the entries between two indexes, each counted once. */
export function logMeanOf({ counts, logSums }: Series, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at++)
    sum += (logSums[at + 1]! - logSums[at]!) / (counts[at + 1]! - counts[at]!);
  return sum / (to - from);
}

const comparedDays = [1, 2, 3, 4, 5, 6, 7];

/** Whether this level is above the level of the hour before this time on most of the seven days before; false if none is known. */
function isAboveMostDays(values: Series, atMs: number, level: number): boolean {
  const known = comparedDays
    .map((days) => meanOf(values, { fromMs: atMs - days * dayMs - sideMs, toMs: atMs - days * dayMs }))
    .filter(({ count }) => count >= profilesMin);
  return known.filter(({ logMean }) => logMean < level).length > known.length / 2;
}
