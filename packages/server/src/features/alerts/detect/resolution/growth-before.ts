import { hourMs } from "@flamekeep/contract/durations";
import { explained } from "#alerts/detect/noise/usual.ts";
import type { Observed } from "#alerts/detect/observed.ts";
import { fitParts, growthOf, pointsOf } from "#alerts/detect/series/rise-shape.ts";
import { isGrowth, trendOf } from "#alerts/detect/series/trend.ts";
import { fallThatEnds } from "./fall.ts";
import type { Reference } from "./reference.ts";

const leastMs = 2 * hourMs;
/** A fall is found up to this much too early. */
const fallErrorMs = hourMs / 2;

/**
 * The growth of values before a fall, as a fraction in an hour: since an earlier fall, or else since the open alert began. Undefined if
 * they rose at once. The first hours of a leak may look like a step, and a restart then looks like its end.
 */
export function growthBefore(observed: Observed, open: Reference, fellMs: number): number | undefined {
  const beganMs = open.beganMs ?? open.atMs;
  const earlier = fallThatEnds(observed, fellMs - leastMs, open, fellMs - leastMs - beganMs);
  const sinceMs = earlier === undefined ? beganMs : earlier.atMs + fallErrorMs;
  const length = fellMs - sinceMs;
  if (length < leastMs) return undefined;
  // Values before the alert began tell growth and a step apart; those before an earlier fall do not.
  const fromMs = earlier === undefined ? sinceMs - length : sinceMs;
  const baseline = { fromMs: beganMs - length, toMs: beganMs };
  const points = pointsOf(
    observed.values,
    { fromMs, toMs: fellMs },
    fitParts,
    (part) => explained(observed, { season: "day", elasticity: 0 }, [part, baseline]) ?? 0,
  );
  const growth = growthOf(points);
  if (growth === undefined) return undefined;
  const trend = trendOf(observed.values, { fromMs: growth.onsetMs, toMs: fellMs });
  const grows = trend !== undefined && isGrowth(trend, fellMs - growth.onsetMs, open.increase ?? 0);
  return grows ? Math.expm1(trend.perMs * hourMs) : undefined;
}
