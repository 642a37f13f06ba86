/**
 * Finds a leak that restarts hide: values grow after each restart and fall with the next, so that their mean hardly moves.
 *
 * ```
 *         ╱│  ╱│  ╱│  ╱
 *   ─────╱ │ ╱ │ ╱ │ ╱      a lifetime is the time between two sudden falls; each has its own slope
 *          ╵   ╵   ╵
 * ```
 *
 * A cache that warms up also grows after each restart, but not above the level before.
 */
import { dayMs, hourMs } from "@flamekeep/contract/durations";
import { explained } from "#alerts/detect/noise/usual.ts";
import { contrast, earlier } from "#alerts/detect/series/scales.ts";
import { increaseOf, meanOf, type Series, type Span } from "#alerts/detect/series/series.ts";
import { medianOf } from "#alerts/detect/series/statistics.ts";
import { type Fall, hourlyChange, sideMs, steepFalls } from "#alerts/detect/series/steep-falls.ts";
import { trendOf } from "#alerts/detect/series/trend.ts";
import type { Evaluation, Observed } from "#alerts/detect/watched/observed.ts";

/** How far back to look for lifetimes. */
const reachMs = 3 * dayMs;
const lifetimeMs = { least: 3 * hourMs, most: 18 * hourMs };
const lifetimesMin = 3;
/** In logarithms, over a lifetime. */
const growthMin = Math.log(1.1);
/** The trends of all lifetimes together are at least this far from chance. */
const deviationsMin = 5;
/** The last quarter of a lifetime has at least this part of the mean growth of a quarter. */
const lateShare = 0.5;
const parts = 12;

/** A leak whose newest lifetimes all grow, measured from the first to the last quarter of the longest of the newest two. */
export function judgeRestarts(observed: Observed, elasticity: number, atMs: number): Evaluation | undefined {
  const { values } = observed;
  const falls = fallsOf(values, { fromMs: atMs - reachMs, toMs: atMs });
  const lifetimes = [...falls, { atMs, by: 0 }].flatMap(({ atMs: toMs }, index) => {
    const fromMs = falls[index - 1]?.atMs ?? toMs;
    return toMs - fromMs < lifetimeMs.least ? [] : [{ fromMs, toMs }];
  });
  if (lifetimes.some((each) => lengthOf(each) > lifetimeMs.most)) return undefined;
  const slope = sharedSlope(values, lifetimes);
  if (slope === undefined) return undefined;
  const newest = lifetimes.slice(-2).sort((a, b) => lengthOf(b) - lengthOf(a))[0]!;
  const growth = slope * lengthOf(newest);
  if (growth < growthMin || !isUnusual(observed, elasticity, lifetimes)) return undefined;
  // The first lifetime grew at least by as much as it fell.
  const beganMs = falls[0]!.atMs - Math.min(lengthOf(newest), falls[0]!.by / slope);
  const [baseline, , , window] = quartersOf(newest);
  if (!isAbove(values, { window, beganMs, least: growth / 2 })) return undefined;
  const eighth = Math.exp((slope * lengthOf(newest)) / 8);
  const means = { previous: meanOf(values, baseline).mean, current: meanOf(values, window).mean };
  const [previous, current] = [means.previous / eighth, means.current * eighth];
  const isSupported = current - previous >= observed.riseMin;
  const increase = increaseOf(current, previous);
  const restartsEveryMs = medianOf(lifetimes.map(lengthOf));
  const perHour = Math.expm1(slope * hourMs);
  return {
    window,
    baseline,
    factor: 1 / eighth,
    means,
    previous,
    current,
    increase,
    isSupported,
    perHour,
    beganMs,
    restartsEveryMs,
  };
}

const lengthOf = ({ fromMs, toMs }: Span) => toMs - fromMs;
const sumOf = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0);

function quartersOf({ fromMs, toMs }: Span): [Span, Span, Span, Span] {
  const length = (toMs - fromMs) / 4;
  return [0, 1, 2, 3].map((quarter) => ({
    fromMs: fromMs + quarter * length,
    toMs: fromMs + (quarter + 1) * length,
  })) as [Span, Span, Span, Span];
}

/** Falls far beyond the usual difference between neighboring hours of the week before. */
function fallsOf(values: Series, span: Span): Fall[] {
  const usual: number[] = [];
  for (let atMs = span.fromMs - 7 * dayMs; atMs < span.fromMs; atMs += sideMs) {
    const each = hourlyChange(values, atMs);
    if (each !== undefined) usual.push(Math.abs(each));
  }
  if (usual.length < 24) return [];
  const least = Math.max(growthMin / 2, deviationsMin * (medianOf(usual) / 0.6745));
  return steepFalls(values, span, least);
}

/** The median slope, if all lifetimes grow by about as much and together beyond chance. */
function sharedSlope(values: Series, lifetimes: readonly Span[]): number | undefined {
  const trends = lifetimes.map((each) => trendOf(values, each, parts));
  if (trends.length < lifetimesMin || trends.includes(undefined)) return undefined;
  const slope = medianOf(trends.map((each) => each!.perMs));
  if (Math.min(...trends.map((each) => each!.perMs)) < slope / 2) return undefined;
  // The sum of independent standard normal values (Stouffer).
  const z = sumOf(trends.map((each) => each!.z)) / Math.sqrt(trends.length);
  return z < deviationsMin ? undefined : slope;
}

/**
 * Whether the lifetimes grow by more than other days at these times, until their end: a cache that warms up does not. False
 * if too few days are known.
 */
function isUnusual(observed: Observed, elasticity: number, lifetimes: readonly Span[]): boolean {
  let [grown, usual, late] = [0, 0, 0];
  for (const lifetime of lifetimes) {
    const [first, , third, last] = quartersOf(lifetime);
    const all = contrast(observed.values, last, first) ?? Number.NaN;
    const expected = explained(observed, { season: "day", elasticity }, [last, first]) ?? Number.NaN;
    const end = contrast(observed.values, last, third) ?? Number.NaN;
    const expectedEnd = explained(observed, { season: "day", elasticity }, [last, third]) ?? Number.NaN;
    grown += all - expected;
    usual += expected;
    late += end - expectedEnd;
  }
  // A quarter has a third of the growth between the first and the last one.
  return grown > usual && late >= (lateShare * grown) / 3;
}

/** Whether it is higher than at the same hours of all seven days before the growth began. */
function isAbove(
  values: Series,
  { window, beganMs, least }: { readonly window: Span; readonly beganMs: number; readonly least: number },
): boolean {
  const days = Math.max(1, Math.ceil((window.toMs - beganMs) / dayMs));
  const changes = [0, 1, 2, 3, 4, 5, 6]
    .map((more) => contrast(values, window, earlier(window, (days + more) * dayMs)))
    .filter((each) => each !== undefined);
  return changes.length > 0 && Math.min(...changes) >= least;
}
