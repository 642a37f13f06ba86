/** Follows one series through time to find when an alert opens and when an open one is resolved. Pure. */
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { Noise } from "./noise/noise.ts";
import { judgeFirstDays } from "./opening/first-days.ts";
import { judgeGrowthFromStart } from "./opening/growth-from-start.ts";
import { judge, passesByItself } from "./opening/judge.ts";
import { judgeRestarts } from "./opening/restarts.ts";
import { judgeRun } from "./opening/runs.ts";
import { compareInstances } from "./opening/side-by-side.ts";
import type { Reference } from "./resolution/reference.ts";
import { isResolved } from "./resolution/resolution.ts";
import { changePoint } from "./series/change-point.ts";
import { contrast, scales, stepMs, youngMs } from "./series/scales.ts";
import { increaseOf, indexAt, meanOf, type Series, type Span } from "./series/series.ts";
import { isRecovery } from "./series/steep-falls.ts";
import type { Change, Evaluation, Observed } from "./watched/observed.ts";

/** A series whose noise is not learnt yet needs several. */
const evaluationsNeeded = 2;
/** Once one of these is learnt, the noise of the series decides. */
const learntScales = scales.filter(({ windowMs }) => windowMs <= 4 * hourMs);

/**
 * The first change in (fromMs, toMs], both multiples of the step. There is no state between calls: the evaluation before
 * `fromMs` is repeated. An evaluation without a newer profile than the one before it does not count.
 */
export function nextChange(observed: Observed, span: Span, open: Reference | undefined): Change | undefined {
  if (observed.isFault) return nextFaultChange(observed.values, span, open);
  return open === undefined ? nextOpening(observed, span) : nextResolution(observed, span, open);
}

function nextOpening(observed: Observed, { fromMs, toMs }: Span): Change | undefined {
  let agreeing = 0;
  let against: Span | undefined;
  for (const atMs of moments(observed, warmUp(observed, fromMs), toMs)) {
    const { needsConfirmation, evaluation } = evaluateAt(observed, atMs, against);
    const agrees = evaluation?.isSupported === true;
    agreeing = agrees ? agreeing + 1 : 0;
    against = agrees ? evaluation.baseline : undefined;
    const isEnough = agreeing >= (needsConfirmation ? evaluationsNeeded : 1);
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

/** Evaluates all rules at this moment. A rise that only the first days or the instances show needs a second evaluation. */
function evaluateAt(observed: Observed, atMs: number, against: Span | undefined) {
  const noise = observed.noise.at(observed, atMs);
  const hasNoise = isLearnt(noise);
  const byNoise = hasNoise ? (judge(observed, noise, atMs) ?? hiddenLeak(observed, noise, atMs)) : undefined;
  // Few days make a cautious threshold: until then the rule of the first days may find a step as well.
  const isYoung = atMs - (observed.values.atMs[0] ?? atMs) < youngMs;
  const whole = byNoise ?? (isYoung || !hasNoise ? unlearnt(observed, atMs, against) : undefined);
  const evaluation = whole?.isSupported === true ? whole : (compareInstances(observed, atMs) ?? whole);
  return { needsConfirmation: byNoise === undefined, evaluation };
}

/** The rules for series whose noise is not learnt. */
function unlearnt(observed: Observed, atMs: number, against: Span | undefined): Evaluation | undefined {
  const growth = judgeGrowthFromStart(observed, atMs);
  return growth?.isSupported === true ? growth : (judgeRun(observed, atMs) ?? early(observed, atMs, against));
}

/** The size of a step is the mean of at least this many profiles. */
const sizedMin = 5;

/** The rule of the first days. */
function early(observed: Observed, atMs: number, against: Span | undefined): Evaluation | undefined {
  const step = judgeFirstDays(observed, atMs, against);
  if (step?.isSupported !== true) return step;
  const { window, increase } = step;
  if (isRecovery(observed.values, window, Math.log1p(increase))) return { ...step, isSupported: false };
  const found = sinceChange(observed.values, step);
  const isUsual =
    isStartUp(observed, found.window, Math.log1p(found.increase)) || passesByItself(observed, found, atMs);
  return { ...found, isSupported: !isUsual };
}

/** The caches of a process fill over its first hours. */
const startUpMs = { rising: 2 * hourMs, filling: 12 * hourMs };

/** Whether a rise is that of a service that has started: the end of a growth that was faster before, or too early to tell. */
function isStartUp({ values, isGauge }: Observed, { fromMs, toMs }: Span, rise: number): boolean {
  const firstMs = values.atMs[0] ?? fromMs;
  if (!isGauge || fromMs - firstMs > startUpMs.filling) return false;
  const beforeMs = Math.max(firstMs, fromMs - Math.max(hourMs, toMs - fromMs));
  const middleMs = (beforeMs + fromMs) / 2;
  const grown = contrast(values, { fromMs: middleMs, toMs: fromMs }, { fromMs: beforeMs, toMs: middleMs });
  return grown === undefined ? fromMs - firstMs < startUpMs.rising : grown >= rise / 4;
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

/**
 * Values that are faults by themselves, such as leaked goroutines: the first one above zero opens an alert, and values of zero end it.
 *
 * ```
 *   0  0  3  3  0  3  0  0  0
 *         ^ opened       ^ resolved: none for longer than twice the usual time between two faults
 * ```
 *
 * Instances send their profiles in turn: one without the fault ends nothing.
 */
const quietMsMin = 30 * minuteMs;
const baselineMs = hourMs;

/** The first change in (fromMs, toMs]. */
function nextFaultChange(
  values: Series,
  { fromMs, toMs }: Span,
  open: Reference | undefined,
): Change | undefined {
  return open === undefined ? opening(values, { fromMs, toMs }) : resolution(values, { fromMs, toMs }, open);
}

/** A profile of the last step before the span may have arrived after it was evaluated. */
function opening(values: Series, { fromMs, toMs }: Span): Change | undefined {
  const first = faultIn(values, { fromMs: fromMs - stepMs, toMs });
  if (first === undefined) return undefined;
  const beganMs = values.atMs[first]!;
  const atMs = Math.max(fromMs + stepMs, Math.ceil((beganMs + 1) / stepMs) * stepMs);
  if (atMs > toMs) return undefined;
  const evaluation = {
    window: { fromMs: beganMs, toMs: atMs },
    baseline: { fromMs: beganMs - baselineMs, toMs: beganMs },
    factor: 1,
    previous: 0,
    current: values.value[first]!,
    increase: 0,
    isSupported: true,
    perHour: undefined,
    beganMs,
  };
  return { kind: "opened", atMs, evaluation };
}

function faultIn({ value, atMs }: Series, { fromMs, toMs }: Span): number | undefined {
  for (let at = indexAt({ atMs } as Series, fromMs); at < value.length && atMs[at]! < toMs; at++)
    if (value[at]! > 0) return at;
  return undefined;
}

/** Ends with the first profile without the fault that is late enough after the last one with it. */
function resolution(values: Series, { fromMs, toMs }: Span, open: Reference): Change | undefined {
  const first = indexAt(values, open.beganMs ?? open.atMs);
  let lastMs = values.atMs[first] ?? open.atMs;
  let quietMs = quietMsMin;
  for (let at = first; at < values.value.length; at++) {
    const ms = values.atMs[at]!;
    const endMs = Math.ceil((ms + 1) / stepMs) * stepMs;
    if (endMs > toMs) return undefined;
    if (values.value[at]! > 0) {
      quietMs = Math.max(quietMs, 2 * (ms - lastMs));
      lastMs = ms;
    } else if (ms - lastMs >= quietMs && endMs > fromMs) {
      return { kind: "resolved", atMs: endMs };
    }
  }
  return undefined;
}
