import { indexAt, type Series, type Span } from "./series.ts";

/**
 * The start of the first profile after the most likely rise: the time that splits the span into two levels with the largest likelihood
 * ratio, the squared difference of the means of logarithms over its variance. Undefined if nothing rises, or if no split leaves
 * `profilesMin` profiles on each side.
 */
export function changePoint(values: Series, span: Span, profilesMin: number): number | undefined {
  const { counts, logSums, atMs } = values;
  const from = indexAt(values, span.fromMs);
  const to = indexAt(values, span.toMs);
  let best: number | undefined;
  let most = 0;
  for (let at = from + 1; at < to; at++) {
    const before = counts[at]! - counts[from]!;
    const after = counts[to]! - counts[at]!;
    if (after < profilesMin || before < profilesMin) continue;
    const difference = (logSums[to]! - logSums[at]!) / after - (logSums[at]! - logSums[from]!) / before;
    const gain = difference <= 0 ? 0 : (difference ** 2 * before * after) / (before + after);
    if (gain <= most) continue;
    most = gain;
    best = at;
  }
  return best === undefined ? undefined : atMs[best]!;
}
