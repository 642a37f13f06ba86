/**
 * Levels that somebody marked as expected. Values from before the rise are raised by it, so that the series looks as if
 * the new level had always been there: neither does the rise count again, nor is the learnt noise lost. Instances are
 * compared with others that have the old level, so theirs is lowered, also that of instances that get the accepted
 * version later.
 *
 * ```
 *          ┌── new level        ╶╴╶╴╶╴╶╴   ┌── new level
 *   ───────┘                =>             │
 *        began   accepted     raised  left out
 * ```
 */
import { hourMs } from "@flamekeep/contract/durations";
import { profilesMin } from "#alerts/detect/opening/first-days.ts";
import { levelAbove } from "#alerts/detect/opening/side-by-side.ts";
import { indexAt, meanOf, requestsIn, type Series, type Span } from "#alerts/detect/series/series.ts";
import type { Instance, Observed, Scope } from "#alerts/detect/watched/observed.ts";
import { expectedSince, type Reference } from "./reference.ts";

export interface Accepted {
  readonly atMs: number;
  /** When the rise began; the reference's time if this is not known better. */
  readonly beganMs: number | undefined;
  /** The reference of the alert. */
  readonly reference: Reference;
}

/** The new level is measured over this time before it was accepted. */
const measuredMs = 2 * hourMs;
/** Oldest first. */
export function withAccepted(observed: Observed, accepted: readonly Accepted[]): Observed {
  return accepted.reduce(accept, observed);
}

function accept(observed: Observed, { atMs, reference, ...known }: Accepted): Observed {
  const beganMs = known.beganMs ?? reference.beganMs ?? reference.atMs;
  const measured = { fromMs: Math.max(beganMs, atMs - measuredMs), toMs: atMs };
  if (reference.scope !== undefined) {
    const { scope, increase = Math.expm1(reference.scope.above) } = reference;
    const above = levelAbove(observed.instances, scope.instances, measured) ?? scope.above;
    const factor = Math.max(1, (1 + increase) * Math.exp(above - scope.above));
    return { ...observed, instances: lowered(observed.instances, scope, beganMs, factor) };
  }
  const factor = factorOf(observed, measured, reference);
  return { ...observed, values: raised(observed.values, { fromMs: beganMs, toMs: measured.fromMs }, factor) };
}

function factorOf({ values, requests }: Observed, span: Span, reference: Reference): number {
  const { count, mean } = meanOf(values, span);
  const middleMs = (span.fromMs + span.toMs) / 2;
  const expected = expectedSince(reference, middleMs, requestsIn(requests, span));
  if (count < profilesMin || expected <= 0) return 1 + (reference.increase ?? 0);
  return Math.max(1, mean / expected);
}

/** Multiplies the values before the span, and leaves out those in it. */
function raised(series: Series, { fromMs, toMs }: Span, factor: number): Series {
  const from = indexAt(series, fromMs);
  const to = indexAt(series, toMs);
  const entries = (of: Float64Array, scale = 1) => {
    const kept = Float64Array.from(of.subarray(0, from), (each) => each * scale);
    return concatenated(kept, of.subarray(to));
  };
  const totals = (of: Float64Array, change: (total: number, count: number) => number) => {
    const before = of.subarray(0, from + 1).map((total, index) => change(total, series.counts[index]!));
    const gap = before[from]! - of[to]!;
    return concatenated(
      before,
      of.subarray(to + 1).map((total) => total + gap),
    );
  };
  const log = Math.log(factor);
  return {
    atMs: entries(series.atMs),
    value: entries(series.value, factor),
    counts: totals(series.counts, (total) => total),
    sums: totals(series.sums, (total) => total * factor),
    logSums: totals(series.logSums, (total, count) => total + count * log),
  };
}

function concatenated(first: Float64Array, second: Float64Array): Float64Array {
  const all = new Float64Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

/** All profiles of the accepted version; without one, the profiles of the accepted instances since the rise began. */
function lowered(
  instances: readonly Instance[],
  { instances: names, version }: Scope,
  beganMs: number,
  factor: number,
): readonly Instance[] {
  return instances.map((each) => {
    if (version === undefined ? !names.includes(each.name) : each.version !== version) return each;
    const values = dividedFrom(each.values, version === undefined ? beganMs : -Infinity, factor);
    return { ...each, values, loweredBy: factor * (each.loweredBy ?? 1) };
  });
}

function dividedFrom(series: Series, fromMs: number, factor: number): Series {
  const from = indexAt(series, fromMs);
  const { value, counts, sums, logSums } = series;
  const log = Math.log(factor);
  return {
    ...series,
    value: value.map((each, at) => (at < from ? each : each / factor)),
    sums: sums.map((total, at) => (at < from ? total : sums[from]! + (total - sums[from]!) / factor)),
    logSums: logSums.map((total, at) => (at < from ? total : total - (counts[at]! - counts[from]!) * log)),
  };
}
