/** Decides at one moment whether an open alert is over. Pure. */
import { dayMs, hourMs } from "@flamekeep/contract/durations";
import { explained } from "#alerts/detect/noise/usual.ts";
import { windowsAt } from "#alerts/detect/opening/first-days.ts";
import { isScopeOver } from "#alerts/detect/opening/side-by-side.ts";
import { fitParts, growthOf, pointsOf } from "#alerts/detect/series/rise-shape.ts";
import { contrast, earlier, profilesMin, risesOverWeeks } from "#alerts/detect/series/scales.ts";
import { increaseOf, meanOf, requestsIn, resolveBelow, type Span } from "#alerts/detect/series/series.ts";
import { isGrowth, trendOf } from "#alerts/detect/series/trend.ts";
import type { Evaluation, Observed } from "#alerts/detect/watched/observed.ts";
import { fallThatEnds, isLowForDays, isLowSince } from "./fall.ts";
import { expectedSince, type Reference } from "./reference.ts";

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

export function isResolved(observed: Observed, atMs: number, open: Reference): boolean {
  const { scope, increase = 0, beganMs } = open;
  if (scope !== undefined) return isScopeOver(observed, atMs, { scope, increase, beganMs });
  if (!staysLow(observed, atMs, open)) return false;
  if (isAsWeeksBefore(observed, atMs, open)) return true;
  const spans = windowsAt(observed.values, atMs);
  if (spans === undefined) return false;
  const [window] = spans;
  const current = meanOf(observed.values, window).mean;
  const expected = expectedSince(open, atMs, requestsIn(observed.requests, window));
  if (increaseOf(current, expected) >= resolveBelow) return false;
  return open.increase === undefined || hasEnded(observed, atMs, open) || isLowForDays(observed, atMs, open);
}

/** As a logarithm: a leak is over once it should have grown by this much again. */
const regrowth = Math.log(1.3);
const patience = { leastMs: hourMs, mostMs: dayMs };

/**
 * How long values must be low before an alert about growth ends: for two lifetimes if restarts are known, else for twice as long as they
 * grew before the alert opened, because growth that is measured early is measured badly. Without a known growth it is the longest time.
 */
function lowMsOf({ atMs, beganMs = atMs, perHour = 0, restartsEveryMs }: Reference): number {
  const regrowthMs = (regrowth / Math.log1p(perHour)) * hourMs;
  const lifetimesMs = restartsEveryMs ?? Math.min(patience.mostMs / 2, atMs - beganMs);
  const leastMs = Math.max(patience.leastMs, 2 * lifetimesMs);
  return Math.max(leastMs, Math.min(patience.mostMs, regrowthMs));
}

/** Whether values that grew are low for longer than they would need to grow again: a restart only hides a leak. */
function staysLow(observed: Observed, atMs: number, open: Reference): boolean {
  if (open.perHour === undefined) return true;
  const fromMs = atMs - lowMsOf(open);
  return fromMs >= open.atMs && isLowSince(observed, { fromMs, toMs: atMs }, hourMs / 2, open);
}

/** A rollback is looked for in this time: its fall is compared with the time just before it. */
const rollbackMs = 6 * hourMs;

/**
 * Whether a sudden fall ended the rise. A fall of values that had grown may be a restart, which ends nothing: they must have
 * stayed low since then. `isResolved` has checked that for alerts that opened with growth.
 */
function hasEnded(observed: Observed, atMs: number, open: Reference): boolean {
  const fall = fallThatEnds(observed, atMs, open, lowMsOf(open) + hourMs);
  if (fall === undefined) return false;
  if (open.perHour !== undefined) return true;
  const perHour = growthBefore(observed, open, fall.atMs);
  if (perHour !== undefined && !staysLow(observed, atMs, { ...open, perHour })) return false;
  if (observed.isGauge && (perHour !== undefined || mayHaveGrown(observed, open, fall.atMs)))
    return staysLowAfter(observed, atMs, open, fall.atMs);
  return perHour !== undefined || atMs - fall.atMs <= rollbackMs;
}

/** Growth of less than this between two halves is none. */
const growthMin = Math.log(1.01);
/** A smaller rise is seen late: it may be the end of growth that was hidden in noise until then. */
const clearRise = 0.25;

/** Whether the rise of a gauge may have been growth: too little to measure, but no clear step either. */
function mayHaveGrown({ values }: Observed, open: Reference, fellMs: number): boolean {
  const { atMs, beganMs = atMs, increase = 0 } = open;
  const middleMs = (beganMs + fellMs) / 2;
  const change = contrast(values, { fromMs: middleMs, toMs: fellMs }, { fromMs: beganMs, toMs: middleMs });
  return increase < clearRise || (change !== undefined && change >= growthMin);
}

/** Whether it has been low since the fall for twice as long as the rise lasted, within limits: then no leak grows again. */
function staysLowAfter(observed: Observed, atMs: number, open: Reference, fellMs: number): boolean {
  const roseMs = fellMs - (open.beganMs ?? open.atMs);
  const lowMs = Math.max(rollbackMs, Math.min(patience.mostMs, 2 * roseMs));
  return (
    fellMs <= atMs - lowMs && isLowSince(observed, { fromMs: atMs - lowMs, toMs: atMs }, hourMs / 2, open)
  );
}

const comparedMs = dayMs;

/**
 * Whether the last day is like the same day of each week before the rise that has enough profiles, the week just before included: then a
 * weekend ended, and nothing became worse.
 */
function isAsWeeksBefore({ values, isGauge }: Observed, atMs: number, { beganMs }: Reference): boolean {
  const window = { fromMs: atMs - comparedMs, toMs: atMs };
  if (beganMs === undefined || window.fromMs < beganMs || earlier(window, 7 * dayMs).toMs > beganMs)
    return false;
  const rises = risesOverWeeks(values, window, beganMs);
  // The mean of a day has half of a leak that restarts empty.
  const below = isGauge ? resolveBelow / 2 : resolveBelow;
  return rises.length > 0 && rises.every((rise) => rise < Math.log1p(below));
}

/** Long enough that noise of single profiles does not change the severity. */
const windowMs = hourMs;

/**
 * The newest hour of an open alert against what is expected without the rise; undefined in the first hour, with few profiles, and for
 * alerts about some instances.
 */
export function levelOf(
  { values, requests }: Pick<Observed, "values" | "requests">,
  atMs: number,
  { open, baseline }: { readonly open: Reference; readonly baseline: Span },
): Evaluation | undefined {
  const window = { fromMs: atMs - windowMs, toMs: atMs };
  if (open.scope !== undefined || window.fromMs < open.atMs) return undefined;
  const { count, mean: current } = meanOf(values, window);
  if (count < profilesMin) return undefined;
  const previous = expectedSince(open, atMs, requestsIn(requests, window));
  const before = meanOf(values, baseline).mean;
  return {
    window,
    baseline,
    factor: before > 0 ? previous / before : 1,
    current,
    previous,
    increase: increaseOf(current, previous),
    isSupported: true,
    perHour: open.perHour,
    beganMs: open.beganMs,
  };
}
