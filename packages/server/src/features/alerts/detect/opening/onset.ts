import type { Evaluation } from "#alerts/detect/observed.ts";
import { resolveBelow } from "#alerts/detect/series/increase.ts";
import { indexAt, type Series } from "#alerts/detect/series/series.ts";
import { ascending, quantile } from "#alerts/detect/series/statistics.ts";

/**
 * When a rise began: the first profile of the stretch, up to the end of the window, in which values above the level
 * outnumber those below it most.
 *
 * ```
 *                  .  . ... .
 *   level  ----.------.------------
 *           .. .. ..
 *                  ^ onset
 * ```
 *
 * Only above or below counts, so that neither an outlier before the rise nor one in it moves the onset. Undefined if the
 * stretch begins with the baseline: then the rise is older than what was compared.
 */
export function onsetOf(
  values: Series,
  { baseline, window, previous, current }: Pick<Evaluation, "baseline" | "window" | "previous" | "current">,
): number | undefined {
  const level = levelBetween(values, { baseline, previous, current });
  const first = indexAt(values, baseline.fromMs);
  let onset: number | undefined;
  let excess = 0;
  let most = 0;
  for (let at = indexAt(values, window.toMs) - 1; at >= first; at--) {
    excess += values.value[at]! > level ? 1 : -1;
    if (excess <= most) continue;
    most = excess;
    onset = at;
  }
  return onset === undefined || onset === first ? undefined : values.atMs[onset]!;
}

/**
 * Above nine of ten profiles of the baseline, so that a usual profile just before the rise does not count. At least the level below which
 * the alert would be resolved, and at most halfway: the baseline may have a part of the rise.
 */
function levelBetween(
  values: Series,
  { baseline, previous, current }: Pick<Evaluation, "baseline" | "previous" | "current">,
): number {
  const before = values.value.slice(indexAt(values, baseline.fromMs), indexAt(values, baseline.toMs));
  const usualHigh = before.length === 0 ? 0 : quantile(before.sort(ascending), 0.9);
  return Math.min(Math.max(usualHigh, previous * (1 + resolveBelow)), (previous + current) / 2);
}
