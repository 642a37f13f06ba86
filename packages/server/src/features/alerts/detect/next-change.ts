/** Follows one series through time to find when an alert opens and when an open one is resolved. Pure. */
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { changePoint } from "./change-point.ts";
import { evaluate, increaseOf, requestsIn, resolveBelow, windowsAt } from "./detector.ts";
import { isLowForDays, suddenFall } from "./fall.ts";
import { growthBefore } from "./growth-before.ts";
import { judge } from "./judge.ts";
import type { Noise } from "./noise.ts";
import type { Evaluation, Observed } from "./observed.ts";
import { expectedSince, type Reference } from "./reference.ts";
import { judgeRestarts } from "./restarts.ts";
import { earlier, scales } from "./scales.ts";
import { indexAt, meanOf, type Series, type Span } from "./series.ts";
import { compareInstances, isScopeOver } from "./side-by-side.ts";
import { isRecovery } from "./sudden-falls.ts";
import { risesOverWeeks } from "./weeks-before.ts";

/** Series are evaluated at multiples of this. */
export const stepMs = 5 * minuteMs;
/** A series whose noise is not learnt yet needs several. */
const evaluationsNeeded = 2;
/** Few days make a cautious threshold: until then the first rule may find a step as well. */
export const youngMs = 8 * dayMs;
/** Once one of these is learnt, the noise of the series decides. */
const learntScales = scales.filter(({ windowMs }) => windowMs <= 4 * hourMs);

export type Change =
  | { readonly kind: "opened"; readonly atMs: number; readonly evaluation: Evaluation }
  | { readonly kind: "resolved"; readonly atMs: number };

/**
 * The first change in (fromMs, toMs], both multiples of the step. There is no state between calls: the evaluation before
 * `fromMs` is repeated. An evaluation without a newer profile than the one before it does not count.
 */
export function nextChange(observed: Observed, span: Span, open: Reference | undefined): Change | undefined {
  return open === undefined ? nextOpening(observed, span) : nextResolution(observed, span, open);
}

function nextOpening(observed: Observed, { fromMs, toMs }: Span): Change | undefined {
  let agreeing = 0;
  let against: Span | undefined;
  for (const atMs of moments(observed, warmUp(observed, fromMs), toMs)) {
    const { known, evaluation } = found(observed, atMs, against);
    const agrees = evaluation?.isSupported === true;
    agreeing = agrees ? agreeing + 1 : 0;
    against = agrees ? evaluation.baseline : undefined;
    const isEnough = agreeing >= (known ? 1 : evaluationsNeeded);
    if (isEnough && agrees && atMs > fromMs) return { kind: "opened", atMs, evaluation };
  }
  return undefined;
}

function nextResolution(observed: Observed, { fromMs, toMs }: Span, open: Reference): Change | undefined {
  let agreeing = 0;
  const startMs = Math.max(warmUp(observed, fromMs), open.atMs + stepMs);
  for (const atMs of moments(observed, startMs, toMs)) {
    agreeing = isResolved(observed, atMs, open) ? agreeing + 1 : 0;
    if (agreeing >= evaluationsNeeded && atMs > fromMs) return { kind: "resolved", atMs };
  }
  return undefined;
}

/** The times of evaluations that see a newer profile than the one before. */
function* moments({ values }: Observed, fromMs: number, toMs: number): Generator<number> {
  let seen = -1;
  for (let atMs = fromMs; atMs <= toMs; atMs += stepMs) {
    const newest = indexAt(values, atMs);
    if (newest === seen) continue;
    seen = newest;
    yield atMs;
  }
}

/** Evaluates all rules at this moment. `known`: by the learnt noise. */
function found(observed: Observed, atMs: number, against: Span | undefined) {
  const noise = observed.noise.at(observed, atMs);
  const isKnown = isLearnt(noise);
  const known = isKnown ? (judge(observed, noise, atMs) ?? hiddenLeak(observed, noise, atMs)) : undefined;
  const isYoung = atMs - (observed.values.atMs[0] ?? atMs) < youngMs;
  const whole = known ?? (isYoung || !isKnown ? early(observed, atMs, against) : undefined);
  const evaluation = whole?.isSupported === true ? whole : (compareInstances(observed, atMs) ?? whole);
  return { known: known !== undefined, evaluation };
}

/** The size of a step is the mean of at least this many profiles. */
const sizedMin = 5;

/** The rule of the first days. */
function early(observed: Observed, atMs: number, against: Span | undefined): Evaluation | undefined {
  const step = evaluate(observed, atMs, against);
  if (step?.isSupported !== true) return step;
  const { window, increase } = step;
  const isSupported = !isRecovery(observed.values, window, Math.log1p(increase));
  return isSupported ? sinceChange(observed.values, step) : { ...step, isSupported };
}

/** Measures a step from its change point on: profiles of the window from before it would make it look smaller. */
function sinceChange(values: Series, step: Evaluation): Evaluation {
  const { window, baseline, previous } = step;
  const { toMs } = window;
  const fromMs = changePoint(values, { fromMs: baseline.fromMs, toMs }, sizedMin);
  if (fromMs === undefined || fromMs <= window.fromMs) return step;
  const since = { fromMs, toMs };
  const current = meanOf(values, since).mean;
  const increase = increaseOf(current, previous);
  return increase > step.increase ? { ...step, window: since, current, increase } : step;
}

/** Lifetimes last for hours: a few looks at the beginning of each hour are enough. */
const lookMs = 15 * minuteMs;

function hiddenLeak(observed: Observed, { elasticity }: Noise, atMs: number): Evaluation | undefined {
  if (atMs % hourMs >= lookMs) return undefined;
  const found = judgeRestarts(observed, elasticity, atMs);
  return found?.isSupported === true ? found : undefined;
}

export function isLearnt(noise: Noise): boolean {
  return learntScales.some((scale) => noise.byScale.has(scale));
}

/** Early enough to repeat the evaluation before the first one. */
function warmUp({ values }: Observed, fromMs: number): number {
  const last = values.atMs[indexAt(values, fromMs) - 1];
  const start = last === undefined ? fromMs : Math.floor(last / stepMs) * stepMs;
  return Math.max(Math.min(start, fromMs), fromMs - hourMs);
}

/** In logarithms: a leak is over once it should have grown by this much again. */
const regrowth = Math.log(1.3);
const patience = { leastMs: hourMs, mostMs: dayMs };

/** How long values must be low before an alert about growth ends; the most that may be needed where the growth is not known. */
function lowMsOf({ perHour = 0, restartsEveryMs = 0 }: Reference): number {
  const regrowthMs = (regrowth / Math.log1p(perHour)) * hourMs;
  const leastMs = Math.max(patience.leastMs, 2 * restartsEveryMs);
  return Math.max(leastMs, Math.min(patience.mostMs, regrowthMs));
}

/** Whether values that grew are low for longer than they would need to grow again: a restart only hides a leak. */
function staysLow({ values, requests }: Observed, atMs: number, open: Reference): boolean {
  if (open.perHour === undefined) return true;
  const lengthMs = lowMsOf(open);
  if (atMs - lengthMs < open.atMs) return false;
  for (let toMs = atMs; toMs > atMs - lengthMs; toMs -= hourMs / 2) {
    const span = { fromMs: toMs - hourMs / 2, toMs };
    const { count, mean } = meanOf(values, span);
    if (count > 0 && increaseOf(mean, expectedSince(open, toMs, requestsIn(requests, span))) >= resolveBelow)
      return false;
  }
  return true;
}

function isResolved(observed: Observed, atMs: number, open: Reference): boolean {
  const { scope, increase = 0, beganMs } = open;
  if (scope !== undefined) return isScopeOver(observed, atMs, { scope, increase, beganMs });
  if (!staysLow(observed, atMs, open)) return false;
  if (isAsWeeksBefore(observed, atMs, open)) return true;
  const spans = windowsAt(observed.values, atMs);
  if (spans === undefined) return false;
  const [window] = spans;
  const current = meanOf(observed.values, window).mean;
  const expected = expectedSince(open, atMs, requestsIn(observed.requests, window));
  if (increaseOf(current, expected) >= resolveBelow) return false;
  return open.increase === undefined || hasEnded(observed, atMs, open) || isLowForDays(observed, atMs, open);
}

/** A rollback is looked for in this time: its fall is compared with the time just before it. */
const rollbackMs = 6 * hourMs;

/**
 * Whether a sudden fall ended the rise. A fall of values that had grown may be a restart, which ends nothing: they must have
 * stayed low since then. `isResolved` has checked that for alerts that opened with growth.
 */
function hasEnded(observed: Observed, atMs: number, open: Reference): boolean {
  const fall = suddenFall(observed, atMs, open, lowMsOf(open) + hourMs);
  if (fall === undefined || open.perHour !== undefined) return fall !== undefined;
  const perHour = growthBefore(observed, open, fall.atMs);
  if (perHour === undefined) return atMs - fall.atMs <= rollbackMs;
  return staysLow(observed, atMs, { ...open, perHour });
}

const comparedMs = dayMs;

/** Whether the last day is as that of each week before the rise, the week just before included: then a weekend ended, and nothing became worse. */
function isAsWeeksBefore({ values }: Observed, atMs: number, { beganMs }: Reference): boolean {
  const window = { fromMs: atMs - comparedMs, toMs: atMs };
  if (beganMs === undefined || window.fromMs < beganMs || earlier(window, 7 * dayMs).toMs > beganMs)
    return false;
  const rises = risesOverWeeks(values, window, beganMs);
  return rises.length > 0 && rises.every((rise) => rise < Math.log1p(resolveBelow));
}
