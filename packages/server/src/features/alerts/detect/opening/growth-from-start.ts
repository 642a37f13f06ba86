/**
 * A gauge of a new service that has grown since its first profile, as a leak that nobody ever saw without. A start-up levels off:
 *
 * ```
 *          ╱  leak            ╭─────  start-up
 *        ╱                  ╱
 *      ╱                   │
 *   first profile        first profile
 * ```
 */
import { dayMs, hourMs } from "@flamekeep/contract/durations";
import { contrast } from "#alerts/detect/series/scales.ts";
import { increaseOf, meanOf, type Span } from "#alerts/detect/series/series.ts";
import { isGrowth, trendOf } from "#alerts/detect/series/trend.ts";
import type { Evaluation, Observed } from "#alerts/detect/watched/observed.ts";

const ageMs = { least: 4 * hourMs, most: 2 * dayMs };
const growthMin = Math.log(1.35);
/** At the end values grow by at least this part of what they grow by at the beginning. */
const steadyShare = 0.8;
/** More traffic explains growth if requests, or most other types, have grown by this part of it. */
const sharedShare = 0.5;
const quarters = [0, 1, 2, 3] as const;

/** Undefined unless values have kept growing from the beginning. */
export function judgeGrowthFromStart(observed: Observed, atMs: number): Evaluation | undefined {
  const { values, isGauge, riseMin } = observed;
  const firstMs = values.atMs[0] ?? atMs;
  const age = atMs - firstMs;
  if (!isGauge || age < ageMs.least || age > ageMs.most) return undefined;
  // The first moments are those of a start.
  const span = { fromMs: firstMs + age / 8, toMs: atMs };
  const length = span.toMs - span.fromMs;
  const trend = trendOf(values, span);
  if (trend === undefined || trend.perMs * length < growthMin) return undefined;
  if (!isGrowth(trend, length, Math.expm1(trend.perMs * length))) return undefined;
  const parts = quarters.map((quarter) => ({
    fromMs: span.fromMs + (quarter * length) / 4,
    toMs: span.fromMs + ((quarter + 1) * length) / 4,
  })) as unknown as readonly [Span, Span, Span, Span];
  const means = parts.map((part) => meanOf(values, part).mean) as [number, number, number, number];
  const isSteady = means[3] - means[2] >= steadyShare * (means[1] - means[0]) && means[2] > means[1];
  if (!isSteady || isTraffic(observed, parts)) return undefined;
  const [baseline, , , window] = parts;
  const previous = means[0];
  const current = means[3] * Math.exp((trend.perMs * length) / 8);
  return {
    window,
    baseline,
    factor: 1,
    previous,
    current,
    increase: increaseOf(current, previous),
    isSupported: current - previous >= riseMin,
    perHour: Math.expm1(trend.perMs * hourMs),
    beganMs: firstMs,
  };
}

function isTraffic(
  { values, requests, siblings }: Observed,
  parts: readonly [Span, Span, Span, Span],
): boolean {
  const [first, , , last] = parts;
  const needed = sharedShare * (contrast(values, last, first) ?? 0);
  const byRequests = contrast(requests, last, first);
  if (byRequests !== undefined) return byRequests >= needed;
  const others = siblings.flatMap((each) => contrast(each, last, first) ?? []);
  return 2 * others.filter((each) => each >= needed).length > others.length;
}
