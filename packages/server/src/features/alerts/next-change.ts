/** Follows one series through time: when does an alert begin, when does an open one end. Pure. */
import {
  type Evaluation,
  evaluate,
  expectedFactor,
  increaseOf,
  type Observed,
  requestsIn,
  resolveBelow,
  windowsAt,
} from "./detector.ts";
import { indexAt, meanOf, type Span } from "./series.ts";

/** Times at which a series is judged are multiples of this. */
export const stepMs = 5 * 60_000;
const hourMs = 3_600_000;
const evaluationsNeeded = 2;

/** What an open alert is held against: not the windows before now, which are as bad as now. */
export interface Reference {
  /** When it began. */
  readonly atMs: number;
  /** What was expected then. */
  readonly previous: number;
  /** Requests a minute in the baseline; undefined where unknown. */
  readonly requests: number | undefined;
  /** 24 means by hour of the day (UTC) of the week before it began; null where there were no profiles. */
  readonly usual: readonly (number | null)[];
}

export type Change =
  | { readonly kind: "opened"; readonly atMs: number; readonly evaluation: Evaluation }
  | { readonly kind: "resolved"; readonly atMs: number };

/**
 * The first change in (fromMs, toMs], both multiples of the step. Nothing is remembered between calls: what the
 * evaluation before `fromMs` said is asked again. An evaluation without a newer profile than the one before
 * repeats it and does not count.
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
    const agrees = open === undefined ? evaluation?.isSupported === true : isBack(observed, atMs, open);
    agreeing = agrees ? agreeing + 1 : 0;
    against = agrees ? evaluation?.baseline : undefined;
    if (agreeing < evaluationsNeeded || atMs <= fromMs) continue;
    return evaluation === undefined ? { kind: "resolved", atMs } : { kind: "opened", atMs, evaluation };
  }
  return undefined;
}

/** Far enough back to see the evaluation before the first, but not into the time before an alert opened. */
function warmUp({ values }: Observed, fromMs: number, open: Reference | undefined): number {
  const last = values.atMs[indexAt(values, fromMs) - 1];
  const start = last === undefined ? fromMs : Math.floor(last / stepMs) * stepMs;
  return Math.max(
    Math.min(start, fromMs),
    fromMs - hourMs,
    open === undefined ? -Infinity : open.atMs + stepMs,
  );
}

function isBack(observed: Observed, atMs: number, open: Reference): boolean {
  const spans = windowsAt(observed.values, atMs);
  if (spans === undefined) return false;
  const [window] = spans;
  const current = meanOf(observed.values, window).mean;
  return increaseOf(current, open.previous * factorSince(observed, window, open)) < resolveBelow;
}

function factorSince({ requests }: Observed, window: Span, open: Reference): number {
  const then = open.usual[hourOf(open.atMs)] ?? 0;
  const now = open.usual[hourOf(window.toMs)] ?? 0;
  const usual = then > 0 && now > 0 ? { change: now / then, isBelieved: true } : undefined;
  const perMinute = requestsIn(requests, window);
  const more = open.requests === undefined || perMinute === undefined ? undefined : perMinute / open.requests;
  return expectedFactor({ usual, requests: more, usualRequests: undefined });
}

function hourOf(ms: number): number {
  return Math.floor(ms / hourMs) % 24;
}
