/** Whether values keep growing: Theil and Sen's slope, and Mann and Kendall's test corrected for autocorrelation. */
import { meanOf, type Series, type Span } from "./series.ts";

export interface Trend {
  /** Growth of the logarithm in a millisecond. */
  readonly perMs: number;
  /** Standard normal if there is no trend. */
  readonly z: number;
}

const pointsMin = 8;
/** One in ten thousand, of a standard normal. */
const zMin = 3.7;
/** In logarithms, over the whole time; at least a quarter of the rise itself. */
const growthMin = 0.05;

/** Over the means of equal parts of the span; undefined if fewer than eight of them have profiles. */
export function trendOf(values: Series, { fromMs, toMs }: Span, parts = 24): Trend | undefined {
  const step = (toMs - fromMs) / parts;
  const points: { x: number; y: number }[] = [];
  for (let part = 0; part < parts; part++) {
    const from = fromMs + part * step;
    const { count, logMean } = meanOf(values, { fromMs: from, toMs: from + step });
    if (count > 0) points.push({ x: from + step / 2, y: logMean });
  }
  if (points.length < pointsMin) return undefined;
  const slopes: number[] = [];
  let score = 0;
  points.forEach((b, index) => {
    for (const a of points.slice(0, index)) {
      slopes.push((b.y - a.y) / (b.x - a.x));
      score += Math.sign(b.y - a.y);
    }
  });
  slopes.sort((a, b) => a - b);
  const perMs = slopes[slopes.length >>> 1]!;
  const residuals = straightened(points.map(({ x, y }) => ({ x, y: y - perMs * x })));
  const n = points.length;
  const variance = ((n * (n - 1) * (2 * n + 5)) / 18) * inflation(residuals);
  return { perMs, z: (score - Math.sign(score)) / Math.sqrt(variance) };
}

/** Whether values grow beyond chance, and by enough of the rise to be reported as growth. */
export function isGrowth({ perMs, z }: Trend, lengthMs: number, increase: number): boolean {
  return z >= zMin && perMs * lengthMs >= Math.max(growthMin, Math.log1p(increase) / 4);
}

/** Without the curve of growth that slows down or speeds up, which would look like autocorrelation. */
function straightened(points: readonly { readonly x: number; readonly y: number }[]): number[] {
  const mean = (of: (at: number) => number) => points.reduce((sum, _, at) => sum + of(at), 0) / points.length;
  const middle = mean((at) => points[at]!.x);
  const bends = points.map(({ x }) => (x - middle) ** 2);
  const meanBend = mean((at) => bends[at]!);
  const meanY = mean((at) => points[at]!.y);
  const variance = mean((at) => (bends[at]! - meanBend) ** 2);
  const curve =
    variance === 0 ? 0 : mean((at) => (bends[at]! - meanBend) * (points[at]!.y - meanY)) / variance;
  return points.map(({ y }, at) => y - curve * (bends[at]! - meanBend));
}

/** By how much the lag-one autocorrelation of what a trend leaves over inflates the variance (Yue and Wang 2004). */
function inflation(residuals: readonly number[]): number {
  const mean = residuals.reduce((sum, each) => sum + each, 0) / residuals.length;
  let [lagged, variance] = [0, 0];
  residuals.forEach((each, index) => {
    variance += (each - mean) ** 2;
    if (index > 0) lagged += (each - mean) * (residuals[index - 1]! - mean);
  });
  const kept = variance === 0 ? 0 : Math.min(0.95, Math.max(0, lagged / variance));
  return (1 + kept) / (1 - kept);
}
