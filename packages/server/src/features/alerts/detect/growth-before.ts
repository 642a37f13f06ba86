import { hourMs } from "@flamekeep/contract/durations";
import { suddenFall } from "./fall.ts";
import type { Observed } from "./observed.ts";
import type { Reference } from "./reference.ts";
import { fitParts, growthOf, pointsOf } from "./rise-shape.ts";
import { isGrowth, trendOf } from "./trend.ts";
import { explained } from "./usual.ts";

const leastMs = 2 * hourMs;
/** Values after a fall may come from both sides of it. */
const restartMs = hourMs / 2;

/**
 * The growth of an hour before a fall, as a fraction, since the beginning of an open alert or an earlier fall; undefined if values rose at
 * once. The first hours of a leak may look like a step, but a restart ends only a step.
 */
export function growthBefore(observed: Observed, open: Reference, fellMs: number): number | undefined {
  const beganMs = open.beganMs ?? open.atMs;
  const earlierMs = suddenFall(observed, fellMs - leastMs, open, fellMs - leastMs - beganMs);
  const sinceMs = earlierMs === undefined ? beganMs : earlierMs + restartMs;
  const length = fellMs - sinceMs;
  if (length < leastMs) return undefined;
  // Values before the beginning tell growth and a step apart; those before an earlier fall do not.
  const fromMs = earlierMs === undefined ? sinceMs - length : sinceMs;
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
