import { hourMs } from "@flamekeep/contract/durations";
import {
  increaseOf,
  indexAt,
  meanOf,
  type Series,
  type Span,
  valuesOf,
} from "#alerts/detect/series/series.ts";
import { isGrowth, trendOf } from "#alerts/detect/series/trend.ts";
import type { Evaluation, Observed } from "#alerts/detect/watched/observed.ts";

/**
 * The evaluation without the part of its window from before the rise, which makes the rise look smaller. Values that have kept growing
 * since then count as they are now.
 */
export function fromBeginning(
  { values, isFault, isGauge }: Observed,
  evaluation: Evaluation,
  beganMs: number | undefined,
): Evaluation {
  const { toMs } = evaluation.window;
  if (beganMs === undefined || beganMs >= toMs) return evaluation;
  const window = { fromMs: Math.max(evaluation.window.fromMs, beganMs), toMs };
  const { perHour, previous, scope } = evaluation;
  // Growth that is known is measured at its end; the values of a fault and of some instances are not means of these values.
  if (perHour !== undefined || scope !== undefined || isFault) return { ...evaluation, window };
  const { count, mean: level } = meanOf(values, window);
  if (count === 0 || level <= previous) return evaluation;
  const trend = trendOf(values, { fromMs: beganMs, toMs });
  const isGrowing = trend !== undefined && isGrowth(trend, toMs - beganMs, increaseOf(level, previous));
  const current = isGrowing
    ? Math.max(level, endOfLine(values, { fromMs: (beganMs + toMs) / 2, toMs }))
    : level;
  const increase = increaseOf(current, previous);
  // Rates grow with the traffic of a day as well.
  const hourly = isGauge && isGrowing ? Math.expm1(trend.perMs * hourMs) : undefined;
  return {
    ...evaluation,
    window,
    means: { previous, current: level },
    current,
    increase,
    perHour: hourly,
  };
}

/** The last value on the line that fits the values best, by least squares. */
function endOfLine(values: Series, span: Span): number {
  const value = valuesOf(values, span);
  const atMs = [...values.atMs.subarray(indexAt(values, span.fromMs), indexAt(values, span.toMs))];
  const x = mean(atMs);
  const y = mean(value);
  const xx = mean(atMs.map((ms) => (ms - x) ** 2));
  const xy = mean(atMs.map((ms, index) => (ms - x) * (value[index]! - y)));
  return xx > 0 ? y + (xy / xx) * (atMs.at(-1)! - x) : y;
}

function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}
