/**
 * How small a lasting rise of a series may be to be found, and how fast, from the thresholds that judge it. A rise by the
 * factor e^s fills a window by and by:
 *
 * ```
 *   rise over the window = s * (time since it began / length of the window), until the window is full
 *   found                  once that is above the threshold in nine of ten moments:  rise >= threshold - usual.low
 * ```
 */
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { type FirstDaysLimit, firstDaysLimit } from "./detector.ts";
import { thresholdAt } from "./judge.ts";
import { isLearnt, stepMs, youngMs } from "./next-change.ts";
import type { Observed } from "./observed.ts";
import { profilesMin, scales } from "./scales.ts";
import { meanOf } from "./series.ts";

/** Rises whose time is reported, as fractions. */
export const askedRises = [0.2, 0.3, 0.5, 1] as const;

export interface Found {
  /** Fraction. */
  readonly rise: number;
  /** At most this time after it began, in nine of ten cases. */
  readonly withinMs: number;
}

export type Blindness = "few_days" | "few_profiles" | "no_profiles" | "block_profiles";

export interface Sensitivity {
  readonly rule: "learnt" | "first_days" | "none";
  /** Why the noise of the series is not learnt; undefined if it is. */
  readonly reason: Blindness | undefined;
  readonly knownMs: number;
  readonly newestMs: number | undefined;
  /** The standard deviation of the change of a window of this length, as a logarithm; undefined if no rule judges it. */
  readonly noise: { readonly windowMs: number; readonly deviation: number } | undefined;
  /** The smallest rise that is found at all. */
  readonly smallest: Found | undefined;
  /** The smallest rise that is found within an hour. */
  readonly soon: Found | undefined;
  /** For each of `askedRises`: undefined if a rise of this size is not found. */
  readonly steps: readonly (Found | undefined)[];
}

/** The needs of one window, in logarithms. */
interface Limit {
  readonly windowMs: number;
  /** A rise of this size is found once the window is full. */
  readonly rise: number;
  /** Until enough profiles are there. */
  readonly leastMs: number;
  readonly evaluations: number;
}

/** Nine of ten normal values are above the mean minus this many standard deviations. */
const nineOfTen = 1.2816;
/** From the upload of the last profile that was needed to the message: the grace of an evaluation, and a round. */
const roundMs = 2 * minuteMs;
const soonMs = hourMs;
/** A window that is filled by a tenth shows single profiles. */
const filledMin = 0.1;

export function sensitivityOf(observed: Observed, type: string, atMs: number): Sensitivity {
  const { values } = observed;
  const [learnt, first] = [learntLimits(observed, atMs), firstLimits(observed, atMs)];
  const noise = observed.noise.at(observed, atMs);
  const newestMs = values.atMs.at(-1);
  const rule = isLearnt(noise) && learnt.length > 0 ? "learnt" : first === undefined ? "none" : "first_days";
  const limits = [
    ...(rule === "learnt" ? learnt : []),
    ...(first !== undefined && (rule === "first_days" || isYoung(observed, atMs)) ? [first.limit] : []),
  ];
  const usual = scales.flatMap((scale) => noise.byScale.get(scale) ?? [])[0];
  const found = limits.map((limit) => foundBy([limit], limit.rise)).filter((each) => each !== undefined);
  return {
    rule,
    reason: reasonOf(observed, rule, type, atMs),
    knownMs: atMs - (values.atMs[0] ?? atMs),
    newestMs,
    noise:
      rule === "learnt" && usual !== undefined
        ? {
            windowMs: usual.scale.windowMs,
            deviation: (usual.usual.high - usual.usual.low) / (2 * nineOfTen),
          }
        : first && { windowMs: first.windowMs, deviation: first.noise },
    smallest: smallestOf(found),
    soon: smallestOf(found.filter(({ withinMs }) => withinMs <= soonMs)),
    steps: askedRises.map((rise) => foundBy(limits, Math.log1p(rise))),
  };
}

function learntLimits(observed: Observed, atMs: number): Limit[] {
  const { values } = observed;
  const noise = observed.noise.at(observed, atMs);
  const perMs = profilesPerMs(observed, atMs);
  return scales.flatMap((scale) => {
    const learnt = thresholdAt(noise, scale, values, atMs);
    if (learnt === undefined || perMs * scale.windowMs < profilesMin) return [];
    const rise = Math.max(learnt.threshold, absoluteRise(observed, atMs)) - Math.min(0, learnt.usual.low);
    return [{ windowMs: scale.windowMs, rise, leastMs: profilesMin / perMs, evaluations: 1 }];
  });
}

function firstLimits(
  observed: Observed,
  atMs: number,
): (FirstDaysLimit & { readonly limit: Limit }) | undefined {
  const first = firstDaysLimit(observed, atMs);
  if (first === undefined) return undefined;
  const rise = Math.max(first.leastRise, absoluteRise(observed, atMs)) + nineOfTen * first.noise;
  const leastMs = profilesMin / profilesPerMs(observed, atMs);
  return { ...first, limit: { windowMs: first.windowMs, rise, leastMs, evaluations: 2 } };
}

/** The smallest absolute rise, at the level of the last day. */
function absoluteRise({ values, riseMin }: Observed, atMs: number): number {
  const { mean } = meanOf(values, { fromMs: atMs - dayMs, toMs: atMs });
  return mean > 0 ? Math.log1p(riseMin / mean) : Infinity;
}

/** The rate of the last hours: a service that sends less than before is judged by longer windows. */
function profilesPerMs({ values }: Observed, atMs: number): number {
  const spanMs = 4 * hourMs;
  return meanOf(values, { fromMs: atMs - spanMs, toMs: atMs }).count / spanMs;
}

function isYoung({ values }: Observed, atMs: number): boolean {
  return atMs - (values.atMs[0] ?? atMs) < youngMs;
}

/** By the window that shows a rise of this size first. */
function foundBy(limits: readonly Limit[], rise: number): Found | undefined {
  const times = limits
    .filter((limit) => limit.rise <= rise)
    .map(({ windowMs, leastMs, evaluations, ...limit }) => {
      const filled = Math.max(filledMin, limit.rise / rise);
      const passedMs = Math.min(windowMs, Math.max(leastMs, filled * windowMs));
      return Math.ceil((passedMs + evaluations * stepMs + roundMs) / stepMs) * stepMs;
    });
  return times.length === 0 ? undefined : { rise: Math.expm1(rise), withinMs: Math.min(...times) };
}

function smallestOf(found: readonly Found[]): Found | undefined {
  return found.toSorted((a, b) => a.rise - b.rise || a.withinMs - b.withinMs)[0];
}

/** Learning begins on the fifth day. */
const learningMs = 4.5 * dayMs;
const silentMs = 8 * hourMs;

function reasonOf(
  { values }: Observed,
  rule: Sensitivity["rule"],
  type: string,
  atMs: number,
): Blindness | undefined {
  const newestMs = values.atMs.at(-1);
  if (newestMs === undefined || atMs - newestMs > silentMs) return "no_profiles";
  if (rule === "learnt") return undefined;
  if (rule === "none") return "few_profiles";
  if (type === "block") return "block_profiles";
  if (atMs - values.atMs[0]! < learningMs) return "few_days";
  return "few_profiles";
}
