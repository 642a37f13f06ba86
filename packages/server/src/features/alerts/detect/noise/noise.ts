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
import { quantile } from "#alerts/detect/series/statistics.ts";
import { thresholdOf } from "./daily-maxima.ts";
import { elasticityOf, siblingRatioOf } from "./elasticity.ts";
import { changes, gridOf, lastingOf } from "./grid.ts";
import { type Season, usualByDay, usualByWeekday } from "./season.ts";

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
      const unexplained = change.map((each, at) => each - elasticity * requestChange[at]!);
      candidates.push(...candidatesOf(unexplained, elasticity, { scale, nowMs, lasting }));
    }
    const best = candidates.toSorted((a, b) => a.learnt.threshold - b.learnt.threshold)[0];
    if (best !== undefined) byScale.set(scale, { ...best.learnt, residuals: rangeOf(best.residuals) });
  }
  for (const scale of betweenCells) {
    const between = learntBetween(byScale, scale);
    if (between !== undefined) byScale.set(scale, between);
  }
  const siblingRatios = siblings.map((each) => siblingRatioOf(grid, gridOf(each, atMs)));
  return { byScale, elasticity, siblingRatios };
}

/** Between its neighbours on a logarithmic scale, as a power of the length: of independent values it would be the root. */
function learntBetween(byScale: ReadonlyMap<Scale, ScaleNoise>, scale: Scale): ScaleNoise | undefined {
  const [shorter, longer] = [byScale.get(scales[0]!), byScale.get(scales[1]!)];
  if (shorter === undefined || longer === undefined) return undefined;
  const at = Math.log2(scale.windowMs / scales[0]!.windowMs);
  const threshold = shorter.threshold ** (1 - at) * longer.threshold ** at;
  return { ...longer, scale, threshold };
}

/** Larger rises that stay are steps of the level, not noise. */
const stepMin = Math.log(1.15);
/** A rise stays if this part of it is left in the hours after the window. */
const stayedShare = 0.7;

interface Learning {
  readonly scale: Scale;
  readonly nowMs: number;
  /** The change of the hours after the window, instead of the window itself. */
  readonly lasting: Float64Array;
}

interface Candidate {
  readonly learnt: Omit<ScaleNoise, "residuals">;
  /** The change minus the prediction. */
  readonly residuals: Float64Array;
}

function candidatesOf(
  change: Float64Array,
  elasticity: number,
  { scale, nowMs, lasting }: Learning,
): Candidate[] {
  const day = usualByDay(change);
  const weekday = usualByWeekday(change, day);
  const either = day.map((each, at) => (Number.isNaN(each) ? weekday[at]! : Math.max(each, weekday[at]!)));
  const usual = { none: undefined, day, either };
  return (["none", "day", "either"] as const).flatMap((season) => {
    const expected = usual[season];
    const residuals = expected === undefined ? change : change.map((each, at) => each - expected[at]!);
    const stays = residuals.map((each, at) => {
      const stayed = lasting[at]! - (expected?.[at] ?? 0);
      return each > stepMin && stayed >= stayedShare * each ? 1 : 0;
    });
    const threshold = thresholdOf(residuals, stays, scale);
    if (threshold === undefined) return [];
    const predicted = expected && { fromMs: nowMs, cells: expected.slice(change.length - 1) };
    return [{ learnt: { scale, season, elasticity, threshold, predicted }, residuals }];
  });
}

function rangeOf(residuals: Float64Array): ScaleNoise["residuals"] {
  const sorted = residuals.filter((each) => !Number.isNaN(each)).sort();
  return { low: quantile(sorted, 0.1), high: quantile(sorted, 0.9) };
}
