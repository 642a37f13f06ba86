import { resolveBelow } from "./detector.ts";
import type { Evaluation } from "./observed.ts";
import { indexAt, type Series } from "./series.ts";

/**
 * When a rise began: the first profile of the stretch, up to the end of the window, in which values above the level
 * outnumber those below it most. The level is that below which the alert would be resolved.
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
  { baseline, window, previous }: Pick<Evaluation, "baseline" | "window" | "previous">,
): number | undefined {
  const level = previous * (1 + resolveBelow);
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
