/**
 * Learns for each scale how far the window of a series usually rises above its baseline at the worst moment of a day.
 * The threshold is the level that this worst moment reaches once in thousands of days, from a Gumbel distribution fitted
 * to the median and lower quartile of the days: days with a regression move neither. The maximum of a day already
 * contains the autocorrelation of its profiles, so no independence is assumed within the day.
 *
 * Several predictions of the change between baseline and window compete (none, the change at this time on other days, at
 * least that of the same weekday, each with and without requests); the one that leaves the smallest threshold is used.
 */
import { betweenCells, cellMs, type Scale, scales } from "#alerts/detect/series/scales.ts";
import type { Series } from "#alerts/detect/series/series.ts";
import { selectQuantile } from "#alerts/detect/series/statistics.ts";
import { type Rises, thresholdOf } from "./daily-maxima.ts";
import { elasticityOf, siblingRatioOf } from "./elasticity.ts";
import { changes, gridOf, lastingOf } from "./grid.ts";
import { type Season, usualByDay, usualByEither } from "./season.ts";

/** The learnt noise of one scale. */
export interface ScaleNoise {
  readonly scale: Scale;
  readonly season: Season;
  /** How much of a change in requests the values follow; 0 if requests predict nothing. */
  readonly elasticity: number;
  /** The smallest rise above the prediction that is not noise, as a logarithm. */
  readonly threshold: number;
  /** The tenth and the ninetieth percentile of the changes minus their prediction, as logarithms. */
  readonly residuals: { readonly low: number; readonly high: number };
  /** The changes that the season predicts, a day of cells from `fromMs` on; undefined without a season. */
  readonly predicted: { readonly fromMs: number; readonly cells: Float64Array } | undefined;
}

export interface Noise {
  /** The scales for which enough days are known. */
  readonly byScale: ReadonlyMap<Scale, ScaleNoise>;
  /** How much of a change in requests the values follow; 0 if none or if requests are not counted. */
  readonly elasticity: number;
  /** For each sibling how much of its change shows in these values; undefined if the two do not move together. */
  readonly siblingRatios: readonly (number | undefined)[];
}

export const nothingLearnt: Noise = { byScale: new Map(), elasticity: 0, siblingRatios: [] };

/** Learns from the values before this time. */
export function learnNoise(
  values: Series,
  requests: Series,
  siblings: readonly Series[],
  atMs: number,
): Noise {
  const grid = gridOf(values, atMs);
  const ofRequests = requests.atMs.length === 0 ? undefined : gridOf(requests, atMs);
  const elasticity = ofRequests === undefined ? 0 : elasticityOf(grid, ofRequests);
  const byScale = new Map<Scale, ScaleNoise>();
  const nowMs = Math.floor(atMs / cellMs) * cellMs;
  for (const scale of scales) {
    const change = changes(grid, scale);
    const lasting = lastingOf(grid, scale);
    const candidates = candidatesOf(change, 0, { scale, nowMs, lasting });
    if (ofRequests !== undefined && elasticity > 0) {
      const requestChange = changes(ofRequests, scale);
      const unexplained = minus(change, requestChange, elasticity);
      candidates.push(...candidatesOf(unexplained, elasticity, { scale, nowMs, lasting }));
    }
    const best = candidates.toSorted((a, b) => a.learnt.threshold - b.learnt.threshold)[0];
    if (best !== undefined) byScale.set(scale, { ...best.learnt, residuals: residualsOf(best.rises) });
  }
  for (const scale of betweenCells) {
    const between = learntBetween(byScale, scale);
    if (between !== undefined) byScale.set(scale, between);
  }
  const siblingRatios = siblings.map((each) => siblingRatioOf(grid, gridOf(each, atMs)));
  return { byScale, elasticity, siblingRatios };
}

// Loops, here and below: `map` of a typed array takes ten times as long.
function minus(change: Float64Array, requestChange: Float64Array, elasticity: number): Float64Array {
  const unexplained = new Float64Array(change.length);
  for (let at = 0; at < change.length; at++) unexplained[at] = change[at]! - elasticity * requestChange[at]!;
  return unexplained;
}

/** Between its neighbours on a logarithmic scale, as a power of the length: of independent values it would be the root. */
function learntBetween(byScale: ReadonlyMap<Scale, ScaleNoise>, scale: Scale): ScaleNoise | undefined {
  const [shorter, longer] = [byScale.get(scales[0]!), byScale.get(scales[1]!)];
  if (shorter === undefined || longer === undefined) return undefined;
  const at = Math.log2(scale.windowMs / scales[0]!.windowMs);
  const threshold = shorter.threshold ** (1 - at) * longer.threshold ** at;
  return { ...longer, scale, threshold };
}

interface Learning {
  readonly scale: Scale;
  readonly nowMs: number;
  readonly lasting: Float64Array;
}

interface Candidate {
  readonly learnt: Omit<ScaleNoise, "residuals">;
  readonly rises: Rises;
}

function candidatesOf(
  change: Float64Array,
  elasticity: number,
  { scale, nowMs, lasting }: Learning,
): Candidate[] {
  const day = usualByDay(change);
  const usual = { none: undefined, day, either: usualByEither(change, day) };
  return (["none", "day", "either"] as const).flatMap((season) => {
    const rises = { change, predicted: usual[season], lasting };
    const threshold = thresholdOf(rises, scale);
    if (threshold === undefined) return [];
    const predicted = usual[season] && { fromMs: nowMs, cells: usual[season].slice(change.length - 1) };
    return [{ learnt: { scale, season, elasticity, threshold, predicted }, rises }];
  });
}

function residualsOf({ change, predicted }: Rises): ScaleNoise["residuals"] {
  const residuals = new Float64Array(change.length);
  let known = 0;
  for (let at = 0; at < change.length; at++) {
    const residual = change[at]! - (predicted === undefined ? 0 : predicted[at]!);
    if (!Number.isNaN(residual)) residuals[known++] = residual;
  }
  const all = residuals.subarray(0, known);
  return { low: selectQuantile(all, 0.1), high: selectQuantile(all, 0.9) };
}
