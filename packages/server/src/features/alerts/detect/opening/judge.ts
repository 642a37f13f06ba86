/** Decides at one moment whether a series is worse than before. Pure. */
import { alertIncreaseMin } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { curveShift } from "#alerts/detect/noise/curve-shift.ts";
import type { Noise, ScaleNoise } from "#alerts/detect/noise/noise.ts";
import { type Explanation, explained, explainedAt } from "#alerts/detect/noise/usual.ts";
import { changePoint } from "#alerts/detect/series/change-point.ts";
import { fitParts, growthOf, pointsOf } from "#alerts/detect/series/rise-shape.ts";
import {
  contrast,
  earlier,
  judgedScales,
  profilesMin,
  type Scale,
  scales,
  spansAt,
  youngMs,
} from "#alerts/detect/series/scales.ts";
import { increaseOf, meanOf, type Series, type Span, valuesOf } from "#alerts/detect/series/series.ts";
import { medianOf } from "#alerts/detect/series/statistics.ts";
import { isRecovery } from "#alerts/detect/series/steep-falls.ts";
import { isGrowth, trendOf } from "#alerts/detect/series/trend.ts";
import type { Evaluation, Observed } from "#alerts/detect/watched/observed.ts";
import { hasPrecedents } from "./precedents.ts";
import { isTraffic } from "./traffic.ts";

/** Smaller rises are not reported, whatever the noise. Below the 20% of a warning, because a rise is measured with error. */
const logRiseMin = Math.log1p(alertIncreaseMin);
/** The same for a young series. */
const logRiseMinYoung = Math.log(1.35);
const weekMs = 7 * dayMs;
const longest = scales.at(-1)!;
const halfDayScale = scales.find(({ windowMs }) => windowMs === dayMs / 2)!;
/** Thresholds are learnt from neighbouring spans: a baseline from before a silence predicts less well, and so does one without its week before. */
const silenceDoubt = 1.5;
const newestMs = 15 * minuteMs;
/** At least this part of a long window: a quarter of an hour of a day says little. */
const newestParts = 12;
/** The newest profiles show at least this part of the rise, or it is over. */
const stillShare = 0.6;
/** The rise with the shortest window; undefined if no scale shows one. */
export function judge(observed: Observed, noise: Noise, atMs: number): Evaluation | undefined {
  for (const scale of judgedScales) {
    const found = riseOver(observed, noise, scale, atMs);
    if (found !== undefined && !passesByItself(observed, found, atMs)) return found;
  }
  return undefined;
}

/** The rise that one scale shows; undefined if it is noise, over, usual, or traffic. */
function riseOver(observed: Observed, noise: Noise, scale: Scale, atMs: number): Evaluation | undefined {
  const threshold = thresholdAt(noise, scale, observed.values, atMs);
  if (threshold === undefined) return undefined;
  const spans = spansAt(observed.values, atMs, scale);
  const isAfterSilence = spans[1].toMs < spans[0].fromMs;
  const rise = isAfterSilence
    ? riseByHistory(observed, threshold, spans)
    : riseByPrediction(observed, threshold, spans);
  const isDoubted = isAfterSilence || isWeekUnknown(observed.values, spans[0]);
  if (rise === undefined || rise < threshold.threshold * (isDoubted ? silenceDoubt : 1)) return undefined;
  if (!lasts(observed, threshold, spans, rise) || isAsLastWeek(observed, threshold, spans[0]))
    return undefined;
  if (isRecovery(observed.values, spans[0], rise) || isMovedCurve(observed, threshold, spans))
    return undefined;
  const found = measureFromChangePoint(observed, threshold, spans);
  const whole = { window: spans[0], baseline: spans[1], increase: Math.expm1(rise) };
  if (!found.isSupported || (threshold.season === "none" && isOfBursts(observed.values, found)))
    return undefined;
  return isTraffic(observed, noise, threshold, { found, whole }) ? undefined : found;
}

/** Bursts are shorter than half of such a window: most of its values are as before. */
const burstsFromMs = 12 * hourMs;
const medianShareMin = 0.4;

/** Whether bursts have raised only the mean of a long window: a new level would raise its median too. */
export function isOfBursts(values: Series, { window, baseline, increase, perHour }: Evaluation): boolean {
  if (perHour !== undefined || window.toMs - window.fromMs < burstsFromMs) return false;
  const rise = Math.log(medianOf(valuesOf(values, window)) / medianOf(valuesOf(values, baseline)));
  return rise < medianShareMin * Math.log1p(increase);
}

/** With fewer profiles than this part of now, a span says little. */
const knownShareMin = 1 / 3;

/** Whether a silence of a week ago hides what is usual at this time of the week. */
function isWeekUnknown(values: Series, window: Span): boolean {
  const then = earlier(window, weekMs);
  if (then.fromMs <= (values.atMs[0] ?? window.fromMs)) return false;
  return meanOf(values, then).count < knownShareMin * meanOf(values, window).count;
}

/** Whether the curve of the day explains the rise once it is moved by an hour, as its last hours are. */
function isMovedCurve(observed: Observed, by: ScaleNoise, spans: readonly [Span, Span]): boolean {
  const laterMs = curveShift(observed.values, spans[0].toMs);
  if (laterMs === 0) return false;
  const { elasticity } = by;
  const rise = riseByHistory(observed, { season: "day", elasticity, laterMs }, spans);
  return rise !== undefined && rise < by.threshold;
}

/** Whether rises like this one ended by themselves before. Growth does not end. */
export function passesByItself({ values, releasedMs }: Observed, found: Evaluation, atMs: number): boolean {
  if (found.perHour !== undefined) return false;
  const beganMs = found.beganMs ?? found.window.fromMs;
  return hasPrecedents(values, { beganMs, atMs, size: Math.log1p(found.increase) }, releasedMs);
}

/** With the practical minimum; undefined if too few days are known of this scale. */
export function thresholdAt(
  noise: Noise,
  scale: Scale,
  { atMs }: Series,
  nowMs: number,
): ScaleNoise | undefined {
  const knownMs = nowMs - (atMs[0] ?? nowMs);
  const learnt = noise.byScale.get(scale);
  if (learnt === undefined)
    return scale === longest && knownMs >= 2 * weekMs ? longestThreshold(noise) : undefined;
  const isExplained =
    learnt.elasticity > 0 || noise.siblingRatios.filter((each) => each !== undefined).length >= 2;
  const isYoung = !isExplained && knownMs < youngMs;
  return { ...learnt, threshold: Math.max(isYoung ? logRiseMinYoung : logRiseMin, learnt.threshold) };
}

/**
 * The longest scale would need more weeks to learn. Its means vary less than those of half a day, from which it takes
 * over the threshold, with a margin for weeks that differ.
 */
function longestThreshold(noise: Noise): ScaleNoise | undefined {
  const halfDay = noise.byScale.get(halfDayScale);
  return (
    halfDay && {
      ...halfDay,
      predicted: undefined,
      threshold: Math.max(Math.log(1.2), 1.25 * halfDay.threshold),
    }
  );
}

/** The rise between any two spans; what is usual is read from the history. */
function riseByHistory(
  observed: Observed,
  by: Explanation,
  spans: readonly [Span, Span],
): number | undefined {
  const change = contrast(observed.values, ...spans);
  if (change === undefined) return undefined;
  const expected = explained(observed, by, spans);
  return expected === undefined ? undefined : change - expected;
}

/** The rise between the neighbouring spans of a scale; what is usual is the prediction that was learnt. */
function riseByPrediction(
  observed: Observed,
  by: ScaleNoise,
  spans: readonly [Span, Span],
): number | undefined {
  const change = contrast(observed.values, ...spans);
  const expected = change === undefined ? undefined : explainedAt(observed, by, spans);
  return expected === undefined ? undefined : change! - expected;
}

/**
 * Whether the newest profiles of the window are still high: a long window also remembers a rise that is over. A
 * larger part of a long window must be high as well: a quarter of an hour of a day may be high by itself.
 */
function lasts(
  observed: Observed,
  by: ScaleNoise,
  [window, baseline]: readonly [Span, Span],
  rise: number,
): boolean {
  const windowMs = window.toMs - window.fromMs;
  // A long window needs no season, but its newest profiles are of one hour of the day.
  const isLong = by.season === "none" && windowMs >= dayMs / 2;
  const expected: Explanation = isLong ? { ...by, season: "day" } : by;
  return [newestMs, windowMs / newestParts].every((leastMs) => {
    const newest = newestOf(observed.values, window, Math.max(newestMs, leastMs));
    const now = riseByHistory(observed, expected, [newest, baseline]);
    return now === undefined || now >= stillShare * rise;
  });
}

/** The shortest end of the window, from `leastMs` on, with enough profiles; at most half of it. */
function newestOf(values: Series, { fromMs, toMs }: Span, leastMs: number): Span {
  const half = (toMs - fromMs) / 2;
  for (let ms = leastMs; ms < half; ms *= 2) {
    const span = { fromMs: toMs - ms, toMs };
    if (meanOf(values, span).count >= profilesMin) return span;
  }
  return { fromMs: toMs - half, toMs };
}

/** A window that is higher than last week by less than this part of the smallest rise is as high as then. */
const lastWeekShare = 0.8;

/**
 * Whether the window is no higher than a week ago, as after a weekend, and than at this time on at least half of the last seven days. A
 * week ago alone is not enough: a regression of last week would excuse this one. More requests than then explain what is higher.
 */
function isAsLastWeek({ values, requests }: Observed, by: ScaleNoise, window: Span): boolean {
  const isHigher = (daysBack: number) => {
    const then = earlier(window, daysBack * dayMs);
    const change = contrast(values, window, then);
    if (change === undefined) return undefined;
    const byRequests = by.elasticity === 0 ? 0 : by.elasticity * (contrast(requests, window, then) ?? 0);
    return change - byRequests >= Math.max(by.threshold / 2, lastWeekShare * logRiseMin);
  };
  if (isHigher(7) !== false) return false;
  const days = [1, 2, 3, 4, 5, 6, 7].map(isHigher).filter((each) => each !== undefined);
  return days.filter((each) => !each).length >= days.length / 2;
}

/** Measures before and after the change point, so that no profile from before it makes the rise look smaller. */
function measureFromChangePoint(
  observed: Observed,
  by: Explanation,
  [window, baseline]: readonly [Span, Span],
): Evaluation {
  const { values } = observed;
  const windowMs = window.toMs - window.fromMs;
  const searched = { fromMs: window.fromMs - Math.max(windowMs, hourMs), toMs: window.toMs };
  const onsetMs = changePoint(values, searched, profilesMin - 1) ?? window.fromMs;
  const before = { fromMs: onsetMs - (baseline.toMs - baseline.fromMs), toMs: onsetMs };
  const isKnown = meanOf(values, before).count >= profilesMin;
  const spans = [{ fromMs: onsetMs, toMs: window.toMs }, isKnown ? before : baseline] as const;
  const step = evaluationOver(observed, by, spans);
  return asTrend(observed, by, step, [window, baseline]) ?? step;
}

function evaluationOver(
  observed: Observed,
  by: Explanation,
  [window, baseline]: readonly [Span, Span],
): Evaluation {
  const factor = Math.exp(explained(observed, by, [window, baseline]) ?? 0);
  const current = meanOf(observed.values, window).mean;
  const previous = meanOf(observed.values, baseline).mean * factor;
  const increase = increaseOf(current, previous);
  const isSupported = increase >= Math.exp(logRiseMin) - 1 && current - previous >= observed.riseMin;
  return {
    window,
    baseline,
    factor,
    current,
    previous,
    increase,
    isSupported,
    perHour: undefined,
    beganMs: window.fromMs,
  };
}

const maxFitMs = 14 * dayMs;

/**
 * The evaluation as a trend; undefined if values do not keep growing. Its size is the mean of the newest half since growth began, plus
 * the growth from the middle of that half to now.
 */
function asTrend(
  observed: Observed,
  by: Explanation,
  step: Evaluation,
  found: readonly [Span, Span],
): Evaluation | undefined {
  const { window, baseline } = step;
  if (by.season !== "none" && window.toMs - window.fromMs < 2 * hourMs) return undefined;
  const onsetMs = growthOnset(observed, by, found);
  if (onsetMs === undefined) return undefined;
  const { toMs } = window;
  const length = toMs - onsetMs;
  const trend = trendOf(observed.values, { fromMs: onsetMs, toMs });
  if (trend === undefined || !isGrowth(trend, length, step.increase)) return undefined;
  const newest = { fromMs: toMs - length / 2, toMs };
  const before = { fromMs: onsetMs - (baseline.toMs - baseline.fromMs), toMs: onsetMs };
  const isKnown = meanOf(observed.values, before).count >= profilesMin;
  const sizes = evaluationOver(observed, by, [newest, isKnown ? before : baseline]);
  const current = sizes.current * Math.exp((trend.perMs * length) / 4);
  const increase = increaseOf(current, sizes.previous);
  const perHour = Math.expm1(trend.perMs * hourMs);
  return { ...sizes, means: sizes, current, increase, perHour, beganMs: onsetMs };
}

/** When growth began; undefined if a step fits better. A leak that is older than the baseline is followed back. */
function growthOnset(observed: Observed, by: Explanation, [window, baseline]: readonly [Span, Span]) {
  const { toMs } = window;
  for (let length = toMs - baseline.fromMs; ; length *= 2) {
    const span = { fromMs: toMs - length, toMs };
    const points = pointsOf(
      observed.values,
      span,
      fitParts,
      (part) => explained(observed, by, [part, baseline]) ?? 0,
    );
    const growth = growthOf(points);
    if (growth === undefined || growth.onsetMs > span.fromMs + length / 8 || length >= maxFitMs)
      return growth?.onsetMs;
  }
}
