/**
 * When a rise began, and how far that can be off.
 *
 * ```
 *   step      . .. .... .        growth            . .
 *             |                                . .
 *   .. . .. . |              .. . .. . . .. |.
 *             ^ onset                       ^ onset
 * ```
 *
 * Every profile is tried as the first one of a step and of growth. The one with the smallest squared error is the onset;
 * profiles that fit about as well are its error.
 */
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import { indexAt, type Series, type Span, toSeries } from "#alerts/detect/series/series.ts";
import type { Evaluation, Instance, Observed } from "#alerts/detect/watched/observed.ts";

export interface Beginning {
  /** The first profile of a step; for growth the last one before it. */
  readonly atMs: number;
  /** The last profile before all likely onsets. */
  readonly earliestMs: number;
  /** The last likely onset. */
  readonly latestMs: number;
  /** The time between two profiles here. */
  readonly gapMs: number;
}

type Compared = Pick<Evaluation, "baseline" | "window" | "previous" | "current" | "beganMs" | "scope">;

/** At least this much before the change is searched as well: a window can begin after it. */
const reachMs = 2 * hourMs;
/** A single profile is no level. */
const sideMin = 2;
/** Fewer profiles are on a line whatever they are. */
const lineMin = 4;
/** Values are clipped at these parts of the rise, below and above the level before: then an outlier weighs no more than a few profiles. */
const clip = { below: -1, above: 2.5 };
/** In logarithms of the likelihood: the onset is within the error 19 times of 20, somewhat more because neighbours are alike. */
const likelihoodDrop = 3;
/** Values without noise have an error, too: the part of the rise that is not worth a difference. */
const noiseMin = 0.02;

/** Undefined if no profile is before the rise: then it is older than what was compared, or its instances are new. */
export function onsetOf(values: Series, compared: Compared): Beginning | undefined {
  const { baseline, window, previous, current } = compared;
  if (current <= previous) return undefined;
  const guessMs = compared.beganMs ?? window.fromMs;
  const span = {
    fromMs: Math.max(baseline.fromMs, guessMs - Math.max(window.toMs - guessMs, reachMs)),
    toMs: window.toMs,
  };
  const points = pointsIn(values, span);
  const linear = points.map((point) => ({ ...point, y: (point.value - previous) / (current - previous) }));
  const ratio = Math.log(current / previous);
  const fits = [fitsOf(linear)];
  if (previous > 0 && ratio > 0)
    fits.push(
      fitsOf(
        points.map((point) => ({ ...point, y: Math.log(Math.max(point.value, 1e-12) / previous) / ratio })),
      ),
    );
  const best = fits.flat().toSorted((a, b) => a.score - b.score)[0];
  if (best === undefined) return undefined;
  const at = (index: number) => points[index]!.atMs;
  const gaps = points
    .slice(1)
    .map((point, index) => point.atMs - at(index))
    .sort((a, b) => a - b);
  return {
    atMs: at(best.onset),
    earliestMs: at(best.earliest),
    latestMs: at(best.latest),
    gapMs: gaps[gaps.length >> 1]!,
  };
}

/** The onset in the profiles of the alert: only in its instances' profiles, if it is about some. */
export function beginningIn({ values, instances }: Observed, evaluation: Compared): Beginning | undefined {
  const { scope, window, baseline } = evaluation;
  if (scope === undefined) return onsetOf(values, evaluation);
  const own = valuesOfInstances(instances, scope.instances);
  const found = onsetOf(own, evaluation);
  const firstMs = own.atMs[0];
  // Instances that have begun to send since then were never lower.
  if (found !== undefined || firstMs === undefined || firstMs < baseline.fromMs || firstMs >= window.toMs)
    return found;
  return { atMs: firstMs, earliestMs: firstMs, latestMs: firstMs, gapMs: minuteMs };
}

/** All profiles of these instances, of whatever version. */
function valuesOfInstances(instances: readonly Instance[], names: readonly string[]): Series {
  return toSeries(
    instances
      .filter(({ name }) => names.includes(name))
      .flatMap(({ values, loweredBy = 1 }) =>
        Array.from(values.atMs, (atMs, index): [number, number] => [atMs, values.value[index]! * loweredBy]),
      ),
  );
}

interface Point {
  readonly atMs: number;
  readonly value: number;
  /** The number of profiles. */
  readonly weight: number;
}

function pointsIn({ atMs, value, counts }: Series, span: Span): Point[] {
  const from = indexAt({ atMs } as Series, span.fromMs);
  const to = indexAt({ atMs } as Series, span.toMs);
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => {
    const at = from + index;
    return { atMs: atMs[at]!, value: value[at]!, weight: counts[at + 1]! - counts[at]! };
  });
}

interface Fit {
  /** Indexes of points: the onset, the last one before all likely onsets, and the last likely onset. */
  readonly onset: number;
  readonly earliest: number;
  readonly latest: number;
  /** The smaller, the better: what the fit leaves of the values, and a price for each of its parameters (Schwarz's criterion). */
  readonly score: number;
}

/** The best fit of each shape. `y` is 0 at the level before and 1 at the level after. */
function fitsOf(points: readonly (Point & { readonly y: number })[]): Fit[] {
  const noErrors = () => new Float64Array(points.length).fill(Infinity);
  const errors = { step: noErrors(), growth: noErrors(), slowing: noErrors() };
  const startMs = points[0]?.atMs ?? 0;
  const clipped = points.map(({ atMs, weight, y }) => ({
    t: (atMs - startMs) / minuteMs,
    weight,
    y: Math.min(Math.max(y, clip.below), clip.above),
  }));
  const all = sums(clipped);
  const variance = all.yy - all.y ** 2 / all.w;
  let after = sums([]);
  for (let first = clipped.length - 1; first >= sideMin; first--) {
    after = plus(after, sums([clipped[first]!]));
    if (clipped.length - first < sideMin) continue;
    errors.step[first] = stepError(all, after);
    errors.growth[first] = growthError(all, after, clipped[first - 1]!.t);
    if (clipped.length - first >= lineMin) errors.slowing[first] = slowingError(all, after);
  }
  const weighed = { variance, weight: all.w };
  // Growth begins at the last profile that is not above yet.
  return [
    ...bestOf(errors.step, weighed, { before: 0, parameters: 2 }),
    ...bestOf(errors.growth, weighed, { before: 1, parameters: 2 }),
    ...bestOf(errors.slowing, weighed, { before: 1, parameters: 3 }),
  ];
}

interface Sums {
  readonly w: number;
  readonly t: number;
  readonly y: number;
  readonly tt: number;
  readonly ty: number;
  readonly yy: number;
}

function sums(points: readonly { readonly t: number; readonly y: number; readonly weight: number }[]): Sums {
  return points.reduce(
    (sum, { t, y, weight: w }) =>
      plus(sum, { w, t: w * t, y: w * y, tt: w * t * t, ty: w * t * y, yy: w * y * y }),
    { w: 0, t: 0, y: 0, tt: 0, ty: 0, yy: 0 },
  );
}

function plus(a: Sums, b: Sums): Sums {
  return { w: a.w + b.w, t: a.t + b.t, y: a.y + b.y, tt: a.tt + b.tt, ty: a.ty + b.ty, yy: a.yy + b.yy };
}

/** The squared error of two levels; Infinity if the later one is not higher. */
function stepError(all: Sums, after: Sums): number {
  const [before, later] = [all.w - after.w, after.w];
  if ((all.y - after.y) / before >= after.y / later) return Infinity;
  return all.yy - (all.y - after.y) ** 2 / before - after.y ** 2 / later;
}

/** The squared error of a level that grows from a time on, by least squares over `max(0, t - onset)`; Infinity if it falls. */
function growthError(all: Sums, after: Sums, onset: number): number {
  const x = after.t - onset * after.w;
  const xx = after.tt - 2 * onset * after.t + onset ** 2 * after.w - x ** 2 / all.w;
  const xy = after.ty - onset * after.y - (x * all.y) / all.w;
  if (xx <= 0 || xy <= 0) return Infinity;
  return all.yy - all.y ** 2 / all.w - xy ** 2 / xx;
}

/**
 * The squared error of a level, and of a line that may begin above it, as with growth that becomes slower; Infinity if values fall.
 */
function slowingError(all: Sums, after: Sums): number {
  const before = all.w - after.w;
  const tt = after.tt - after.t ** 2 / after.w;
  const ty = after.ty - (after.t * after.y) / after.w;
  if (tt <= 0 || ty <= 0 || (all.y - after.y) / before >= after.y / after.w) return Infinity;
  return all.yy - (all.y - after.y) ** 2 / before - after.y ** 2 / after.w - ty ** 2 / tt;
}

/** @param shape how many profiles before the first of the rise its onset is, and its number of parameters */
function bestOf(
  errors: Float64Array,
  { variance, weight }: { readonly variance: number; readonly weight: number },
  { before, parameters }: { readonly before: number; readonly parameters: number },
): Fit[] {
  const least = errors.reduce((a, b) => Math.min(a, b), Infinity);
  if (!Number.isFinite(least) || variance <= 0 || least >= variance) return [];
  const floor = noiseMin ** 2 * weight;
  const limit = (least + floor) * Math.exp((2 * likelihoodDrop) / weight);
  const isLikely = (error: number) => error + floor <= limit;
  return [
    {
      onset: errors.indexOf(least) - before,
      earliest: errors.findIndex(isLikely) - before - 1,
      latest: errors.findLastIndex(isLikely) - before,
      score: weight * Math.log((least + floor) / variance) + parameters * Math.log(weight),
    },
  ];
}
