/**
 * Whether values rose at once or grow, by the better fit of two lines to their logarithms:
 *
 * ```
 *   step           ┌──────      growth           ╱
 *   ───────────────┘            ───────────────╱
 *                onset                        onset
 * ```
 */
import { meanOf, type Series, type Span } from "./series.ts";

export interface Growth {
  readonly onsetMs: number;
  /** Growth of the logarithm in a millisecond. */
  readonly perMs: number;
}

/** A mean of several profiles, as a logarithm without what requests and the time of day explain. */
export interface Point {
  readonly atMs: number;
  readonly level: number;
  readonly count: number;
}

/** A span is divided into this many parts for a fit. */
export const fitParts = 48;

/** The means of equal parts of the span; parts without profiles are left out. */
export function pointsOf(
  values: Series,
  { fromMs, toMs }: Span,
  parts: number,
  expected: (part: Span) => number,
): Point[] {
  const length = (toMs - fromMs) / parts;
  return Array.from({ length: parts }, (_, part) => {
    const span = { fromMs: fromMs + part * length, toMs: fromMs + (part + 1) * length };
    const { count, logMean } = meanOf(values, span);
    return { atMs: span.fromMs + length / 2, level: count === 0 ? 0 : logMean - expected(span), count };
  }).filter(({ count }) => count > 0);
}

/** Points on each side of an onset, or the fit follows single ones. */
const pointsMin = 3;

/** The growth that fits best; undefined if a step fits better, or if nothing rises. */
export function growthOf(points: readonly Point[]): Growth | undefined {
  let best: { growth: Growth; error: number } | undefined;
  let stepError = Infinity;
  for (let at = pointsMin; at <= points.length - pointsMin; at++) {
    const onsetMs = (points[at - 1]!.atMs + points[at]!.atMs) / 2;
    const line = fitted(points, ({ atMs }) => Math.max(0, atMs - onsetMs));
    if (line.slope > 0 && line.error < (best?.error ?? Infinity))
      best = { growth: { onsetMs, perMs: line.slope }, error: line.error };
    stepError = Math.min(stepError, fitted(points, ({ atMs }) => (atMs < onsetMs ? 0 : 1)).error);
  }
  return best === undefined || best.error > stepError ? undefined : best.growth;
}

/** Least squares of the levels over x, weighted by the number of profiles. */
function fitted(points: readonly Point[], x: (point: Point) => number): { slope: number; error: number } {
  let [weight, sumX, sumY] = [0, 0, 0];
  for (const point of points) {
    weight += point.count;
    sumX += point.count * x(point);
    sumY += point.count * point.level;
  }
  const [meanX, meanY] = [sumX / weight, sumY / weight];
  let [xx, xy, yy] = [0, 0, 0];
  for (const point of points) {
    const [dx, dy] = [x(point) - meanX, point.level - meanY];
    xx += point.count * dx * dx;
    xy += point.count * dx * dy;
    yy += point.count * dy * dy;
  }
  const slope = xx === 0 ? 0 : xy / xx;
  return { slope, error: yy - slope * xy };
}
