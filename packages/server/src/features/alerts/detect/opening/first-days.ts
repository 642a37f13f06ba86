/**
 * The rule of a series' first days, before its noise is learnt: a rise of 20%, by rank, in two evaluations. Pure.
 *
 * ```
 *          baseline        current
 *      |---------------|---------------|
 *   now - 2 w       now - w           now          and the same two windows on each of the seven days before
 * ```
 *
 * Each profile gives one value: cores, waiting seconds per second, bytes in use, goroutines of one instance. A rise is
 * a regression only if neither more requests nor the time of day explains it: before the comparison, the baseline is
 * raised by the rise that they explain.
 */
import { dayMs, minuteMs } from "@flamekeep/contract/durations";
import { earlier } from "#alerts/detect/series/scales.ts";
import {
  busyMinutesMin,
  increaseMin,
  increaseOf,
  meanOf,
  type Series,
  type Span,
  valuesOf,
  type WindowMean,
} from "#alerts/detect/series/series.ts";
import { rankTest } from "#alerts/detect/series/statistics.ts";
import type { Comparison, Evaluation, Observed } from "#alerts/detect/watched/observed.ts";
import { beginsWithRelease, isExplainedByNewRequests } from "./traffic.ts";

/** The smallest rise if neither the usual day nor requests are known: larger than the usual rise of a morning. */
const increaseMinUnknown = 0.35;
export const profilesMin = 6;
/**
 * One-sided. With six profiles on each side, all of one above all of the other gives p = 0.0026, so the smallest
 * samples open an alert only if at most one pair of neighbours is exchanged (0.0041). A smaller alpha would never open
 * one; a larger alpha would allow one more exchange at each of the 288 evaluations of a day. Consecutive profiles are
 * correlated, so the true error is larger than alpha: therefore the rise of 20% and a second evaluation are required
 * too, and bench/alerts measures all of them together on a simulated fleet.
 */
export const alpha = 0.005;

/** The shortest window with enough profiles on both sides is used, so few profiles are compared over long windows only. */
export const windows = [
  { ms: 30 * minuteMs, profilesMin: 15 },
  { ms: 120 * minuteMs, profilesMin: 12 },
  { ms: 240 * minuteMs, profilesMin },
] as const;
/** Compared as well if only the longest window has enough profiles and shows no rise: a large step shows sooner in half of it. */
const halfWindow = { ms: 120 * minuteMs, profilesMin: 8 };
/** How far back an evaluation reads, on its own day and on the days before: twice the longest window. */
export const reachMs = 2 * windows[2].ms;

const seasonDays = 7;
/** From this number of days on, the usual course of the day also lowers the baseline. */
const reliableDays = 3;
const seasonProfilesMin = 2;

/** Whether `current` is above `baseline` times `factor`, by 20% and by rank. Needs six values on each side. */
export function compare(
  current: readonly number[],
  baseline: readonly number[],
  { factor = 1, riseMin = 0 }: { factor?: number; riseMin?: number } = {},
): Comparison {
  const means = { current: mean(current), previous: mean(baseline) * factor };
  const increase = increaseOf(means.current, means.previous);
  const isEnough = Math.min(current.length, baseline.length) >= profilesMin;
  const isRise = increase >= increaseMin && means.current - means.previous >= riseMin;
  const isSupported = () =>
    rankTest(
      current,
      baseline.map((value) => value * factor),
    ) < alpha;
  return { ...means, increase, isSupported: isEnough && isRise && isSupported() };
}

/**
 * Undefined if there are too few profiles on either side. `against` is the baseline of the evaluation before: two
 * evaluations that must agree compare with the same baseline.
 */
export function judgeFirstDays(observed: Observed, atMs: number, against?: Span): Evaluation | undefined {
  const spans = windowsAt(observed.values, atMs);
  if (spans === undefined) return undefined;
  const half = lengthOf(spans[0]) > halfWindow.ms ? spansOf(observed.values, atMs, halfWindow) : undefined;
  if (half === undefined) return evaluateOver(observed, spans, against);
  // Evaluations of one rise use windows of one length.
  if (against !== undefined && lengthOf(against) === halfWindow.ms)
    return evaluateOver(observed, half, against);
  const whole = evaluateOver(observed, spans, against);
  if (whole.isSupported) return whole;
  const sooner = evaluateOver(observed, half, against);
  return sooner.isSupported ? sooner : whole;
}

function evaluateOver(
  observed: Observed,
  [window, before]: readonly [Span, Span],
  against: Span | undefined,
): Evaluation {
  const { values, requests, riseMin } = observed;
  const baseline = against ?? before;
  const changes = {
    usual: usualChange(values, window, baseline, seasonProfilesMin),
    requests: changeOf(requests, window, baseline, busyMinutesMin),
    usualRequests: usualChange(requests, window, baseline, busyMinutesMin),
  };
  const factor = expectedFactor(changes);
  const isKnown = changes.usual !== undefined || changes.requests !== undefined;
  const current = meanOf(values, window).mean;
  const previous = meanOf(values, baseline).mean * factor;
  const increase = increaseOf(current, previous);
  // Most evaluations end here, before values are sorted.
  if (increase < (isKnown ? increaseMin : increaseMinUnknown))
    return {
      window,
      baseline,
      factor,
      current,
      previous,
      increase,
      isSupported: false,
      perHour: undefined,
      beganMs: undefined,
    };
  const compared = compare(valuesOf(values, window), valuesOf(values, baseline), { factor, riseMin });
  const isBeyond = (usual: Usual | undefined) =>
    isBeyondNoise(values, [window, baseline], factor, usual?.isReliable === true ? usualDoubt : 1);
  const isTraffic = () =>
    changes.requests === undefined
      ? !beginsWithRelease(observed, window) && isShared(observed, window, baseline, increase)
      : isExplainedByNewRequests(observed, { window, baseline, increase });
  return {
    window,
    baseline,
    factor,
    ...compared,
    isSupported: compared.isSupported && isBeyond(changes.usual) && !isTraffic(),
    perHour: undefined,
    beganMs: undefined,
  };
}

/**
 * How many standard deviations a rise must be, as long as no days are known of the series. A day has fewer long windows, so
 * that chance has fewer occasions.
 */
const deviationsMin = { short: 5, long: 3.5 };
const blocksMax = 24;
/** The usual change lowers the baseline and varies as well: the median of three days by 1.25 / sqrt(3) of one. */
const usualDoubt = Math.hypot(1, 1.25 / Math.sqrt(reliableDays));

/**
 * Whether the rise is larger than the differences between profiles and between neighbouring windows of this series, up to
 * the baseline. Series whose days are not known yet have only these.
 */
function isBeyondNoise(
  values: Series,
  [window, baseline]: readonly [Span, Span],
  factor: number,
  doubt: number,
): boolean {
  const rise = meanOf(values, window).logMean - meanOf(values, baseline).logMean - Math.log(factor);
  return rise >= deviationsOf(baseline) * doubt * noiseBefore(values, [window, baseline]);
}

/** How many standard deviations a rise over a baseline of this length must be. */
function deviationsOf(baseline: Span): number {
  return lengthOf(baseline) > windows[0].ms ? deviationsMin.long : deviationsMin.short;
}

/** The standard deviation of the rise, as a logarithm, from differences up to the baseline. */
function noiseBefore(values: Series, [window, baseline]: readonly [Span, Span]): number {
  const [after, before] = [meanOf(values, window), meanOf(values, baseline)];
  const lengthMs = baseline.toMs - baseline.fromMs;
  const logs = valuesOf(values, { fromMs: baseline.toMs - blocksMax * lengthMs, toMs: baseline.toMs }).map(
    (value) => Math.log(Math.max(value, 1e-9)),
  );
  // Half of the squared difference of neighbours: the course of the day is not in it.
  const variance = mean(logs.slice(1).map((each, index) => (each - logs[index]!) ** 2)) / 2;
  const ofProfiles = Math.sqrt(variance * (1 / after.count + 1 / before.count));
  // The middle of three windows against both others: the course of the day is not in that either, and of independent
  // windows it varies three times as much as a step.
  const bends: number[] = [];
  for (let back = 0; back < blocksMax; back++) {
    const [later, middle, sooner] = [0, 1, 2].map((by) =>
      meanOf(values, earlier(baseline, (back + by) * lengthMs)),
    ) as [WindowMean, WindowMean, WindowMean];
    if (Math.min(later.count, middle.count, sooner.count) >= profilesMin / 2)
      bends.push((later.logMean - 2 * middle.logMean + sooner.logMean) ** 2 / 3);
  }
  const ofWindows = bends.length < 2 ? 0 : Math.sqrt(mean(bends)) * (1 + 2 / bends.length);
  return Math.max(ofProfiles, ofWindows);
}

/** The limit of the rule of the first days at this moment, in logarithms. */
export interface FirstDaysLimit {
  readonly windowMs: number;
  readonly leastRise: number;
  /** The standard deviation of a rise that nothing caused. */
  readonly noise: number;
}

/** Undefined if there are too few profiles on either side. */
export function firstDaysLimit(observed: Observed, atMs: number): FirstDaysLimit | undefined {
  const { values, requests } = observed;
  const spans = windowsAt(values, atMs);
  if (spans === undefined) return undefined;
  const [window, baseline] = spans;
  const usual = usualChange(values, window, baseline, seasonProfilesMin);
  const isKnown = usual !== undefined || changeOf(requests, window, baseline, busyMinutesMin) !== undefined;
  const noise = (usual?.isReliable === true ? usualDoubt : 1) * noiseBefore(values, spans);
  const leastRise = Math.log1p(isKnown ? increaseMin : increaseMinUnknown);
  return {
    windowMs: window.toMs - window.fromMs,
    leastRise: Math.max(leastRise, deviationsOf(baseline) * noise),
    noise,
  };
}

/** The window to use at this time, and its baseline: the latest window before it with enough profiles. */
export function windowsAt(values: Series, atMs: number): readonly [Span, Span] | undefined {
  for (const length of windows) {
    const spans = spansOf(values, atMs, length);
    if (spans !== undefined) return spans;
  }
  return undefined;
}

/** A window of this length with enough profiles, and its baseline. */
function spansOf(
  values: Series,
  atMs: number,
  { ms, profilesMin: enough }: { readonly ms: number; readonly profilesMin: number },
): readonly [Span, Span] | undefined {
  const window = { fromMs: atMs - ms, toMs: atMs };
  if (meanOf(values, window).count < enough) return undefined;
  for (let back = 1; (back + 1) * ms <= reachMs; back++) {
    const baseline = earlier(window, back * ms);
    const { count } = meanOf(values, baseline);
    if (count >= enough) return [window, baseline];
    // Skips a gap without profiles, and the incomplete window at its start.
    if (count > 0 && back > 2) return undefined;
  }
  return undefined;
}

/** Ratios of the later value to the earlier one; undefined if unknown. */
export interface Changes {
  readonly usual: Usual | undefined;
  readonly requests: number | undefined;
  readonly usualRequests: Usual | undefined;
}

/** The usual change between two times of the day. Reliable once it is known from enough days. */
export interface Usual {
  readonly change: number;
  readonly isReliable: boolean;
}

/**
 * The factor of the baseline: the change that is expected without a regression. Reliable days tell the usual change at
 * this hour, up or down, and requests then explain only their own unusual part; before that, time and requests only
 * explain a rise. Fewer requests never lower the baseline, because no service uses less in full proportion to them.
 */
export function expectedFactor({ usual, requests, usualRequests }: Changes): number {
  if (!usual?.isReliable) return Math.max(1, usual?.change ?? 1, requests ?? 1);
  if (requests === undefined) return usual.change;
  if (!usualRequests?.isReliable) return Math.max(usual.change, requests);
  return usual.change * Math.max(1, requests / usualRequests.change);
}

/**
 * For services without counted requests: whether two other profile types rose at the same time, each by at least a
 * quarter as much, in logarithms. A release usually affects one or two types; more traffic raises all of them.
 */
function isShared({ siblings }: Observed, window: Span, baseline: Span, increase: number): boolean {
  const sharing = siblings.filter((values) => {
    const change = changeOf(values, window, baseline, seasonProfilesMin);
    if (change === undefined) return false;
    const usual = usualChange(values, window, baseline, seasonProfilesMin);
    const factor = expectedFactor({ usual, requests: undefined, usualRequests: undefined });
    return Math.log(change / factor) >= Math.log1p(increase) / 4;
  });
  return sharing.length >= 2;
}

/**
 * The median over previous days, which ignores single days with a release; at least the change on the same weekday of
 * last week, because weekdays differ.
 */
export function usualChange(
  series: Series,
  window: Span,
  baseline: Span,
  countMin: number,
): Usual | undefined {
  const changes: number[] = [];
  let lastWeek = 0;
  for (let day = 1; day <= seasonDays; day++) {
    const byMs = day * dayMs;
    const change = changeOf(series, earlier(window, byMs), earlier(baseline, byMs), countMin);
    if (change === undefined) continue;
    changes.push(change);
    if (day === seasonDays) lastWeek = change;
  }
  if (changes.length === 0) return undefined;
  return { change: Math.max(median(changes), lastWeek), isReliable: changes.length >= reliableDays };
}

function changeOf(series: Series, window: Span, baseline: Span, countMin: number): number | undefined {
  const later = meanOf(series, window);
  const before = meanOf(series, baseline);
  if (Math.min(later.count, before.count) < countMin || before.mean <= 0) return undefined;
  return later.mean / before.mean;
}

function lengthOf({ fromMs, toMs }: Span): number {
  return toMs - fromMs;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >>> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
