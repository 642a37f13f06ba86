/** Follows one series through time to find when an alert opens and when an open one is resolved. Pure. */
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import {
  type Evaluation,
  evaluate,
  increaseOf,
  type Observed,
  requestsIn,
  resolveBelow,
  windowsAt,
} from "./detector.ts";
import { expectedSince, type Reference } from "./reference.ts";
import { indexAt, meanOf, type Span } from "./series.ts";

/** Series are evaluated at multiples of this. */
export const stepMs = 5 * minuteMs;
const evaluationsNeeded = 2;

export type Change =
  | { readonly kind: "opened"; readonly atMs: number; readonly evaluation: Evaluation }
  | { readonly kind: "resolved"; readonly atMs: number };

/**
 * The first change in (fromMs, toMs], both multiples of the step. There is no state between calls: the evaluation before
 * `fromMs` is repeated. An evaluation without a newer profile than the one before it does not count.
 */
export function nextChange(
  observed: Observed,
  { fromMs, toMs }: Span,
  open: Reference | undefined,
): Change | undefined {
  const { values } = observed;
  let agreeing = 0;
  let against: Span | undefined;
  let seen = -1;
  for (let atMs = warmUp(observed, fromMs, open); atMs <= toMs; atMs += stepMs) {
    const newest = indexAt(values, atMs);
    if (newest === seen) continue;
    seen = newest;
    const evaluation = open === undefined ? evaluate(observed, atMs, against) : undefined;
    const agrees = open === undefined ? evaluation?.isSupported === true : isResolved(observed, atMs, open);
    agreeing = agrees ? agreeing + 1 : 0;
    against = agrees ? evaluation?.baseline : undefined;
    if (agreeing < evaluationsNeeded || atMs <= fromMs) continue;
    return evaluation === undefined ? { kind: "resolved", atMs } : { kind: "opened", atMs, evaluation };
  }
  return undefined;
}

/** Early enough to repeat the evaluation before the first one, but not before the alert opened. */
function warmUp({ values }: Observed, fromMs: number, open: Reference | undefined): number {
  const last = values.atMs[indexAt(values, fromMs) - 1];
  const start = last === undefined ? fromMs : Math.floor(last / stepMs) * stepMs;
  return Math.max(
    Math.min(start, fromMs),
    fromMs - hourMs,
    open === undefined ? -Infinity : open.atMs + stepMs,
  );
}

function isResolved(observed: Observed, atMs: number, open: Reference): boolean {
  const spans = windowsAt(observed.values, atMs);
  if (spans === undefined) return false;
  const [window] = spans;
  const current = meanOf(observed.values, window).mean;
  const expected = expectedSince(open, atMs, requestsIn(observed.requests, window));
  return increaseOf(current, expected) < resolveBelow;
}
