/**
 * The smallest lasting rise of a series that alerts find, and how fast, from the thresholds that judge the series. Rises are
 * logarithms here. A rise of s shows in a window in proportion to the part of the window after its beginning:
 *
 * ```
 *   rise of the window's mean = s * min(1, time since the beginning / length of the window)
 *   found in 9 of 10 cases      once that reaches: threshold - tenth percentile of the usual changes (residuals.low)
 * ```
 */
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { isLearnt } from "./next-change.ts";
import { type FirstDaysLimit, firstDaysLimit } from "./opening/first-days.ts";
import { thresholdAt } from "./opening/judge.ts";
import { judgedScales, profilesMin, stepMs, youngMs } from "./series/scales.ts";
import { meanOf } from "./series/series.ts";
import type { Observed } from "./watched/observed.ts";

/** Rises whose time is reported, as fractions. */
export const reportedRises = [0.2, 0.3, 0.5, 1] as const;

export interface Found {
  /** Fraction. */
  readonly rise: number;
  /** Time from its beginning to the message, in nine of ten cases. */
  readonly withinMs: number;
}

type JudgedBy = "learnt_noise" | "first_days" | "nothing";

type NotLearntReason = "few_days" | "few_profiles" | "no_profiles" | "block_profiles";

export interface Sensitivity {
  /** The thresholds that judge the series: learnt from its noise, or the thresholds of its first days. */
  readonly judgedBy: JudgedBy;
  /** Why the noise of the series is not learnt; undefined if it is. */
  readonly reason: NotLearntReason | undefined;
  /** Age of the series. */
  readonly knownMs: number;
  /** The standard deviation of the change of a window of this length, as a logarithm; undefined if the series is not judged. */
  readonly noise: { readonly windowMs: number; readonly deviation: number } | undefined;
  /** The smallest increase that is detected. */
  readonly smallest: Found | undefined;
  /** The smallest increase that is detected within an hour. */
  readonly withinHour: Found | undefined;
  /** One for each of `reportedRises`: undefined if a rise of this size is not found. */
  readonly rises: readonly (Found | undefined)[];
}

/** The conditions under which one window shows a rise, as a logarithm. */
interface Limit {
  readonly windowMs: number;
  /** A rise of this size is found once the window is full. */
  readonly rise: number;
  /** The window holds enough profiles after this time. */
  readonly leastMs: number;
  /** So many evaluations in a row must find it. */
  readonly evaluations: number;
}

/** Nine of ten values of a normal distribution are above its mean minus this many standard deviations. */
const nineOfTen = 1.2816;
/** From the upload of the last profile that was needed to the message: an evaluation waits for late profiles, and runs each minute. */
const messageDelayMs = 2 * minuteMs;
/** A window that is filled less than this shows single profiles, not a rise. */
const filledMin = 0.1;

/** The sensitivity at `atMs` to a lasting rise that begins then. */
export function sensitivityOf(observed: Observed, type: string, atMs: number): Sensitivity {
  const { values } = observed;
  const [learnt, first] = [learntLimits(observed, atMs), firstLimits(observed, atMs)];
  const noise = observed.noise.at(observed, atMs);
  const isLearntNoise = isLearnt(noise) && learnt.length > 0;
  const judgedBy = isLearntNoise ? "learnt_noise" : first === undefined ? "nothing" : "first_days";
  const limits = [
    ...(isLearntNoise ? learnt : []),
    ...(first !== undefined && (!isLearntNoise || isYoung(observed, atMs)) ? [first.limit] : []),
  ];
  const shortest = judgedScales.flatMap((scale) => noise.byScale.get(scale) ?? [])[0];
  const found = limits.map((limit) => foundBy([limit], limit.rise)).filter((each) => each !== undefined);
  return {
    judgedBy,
    reason: reasonOf(observed, judgedBy, type, atMs),
    knownMs: atMs - (values.atMs[0] ?? atMs),
    noise:
      isLearntNoise && shortest !== undefined
        ? {
            windowMs: shortest.scale.windowMs,
            deviation: (shortest.residuals.high - shortest.residuals.low) / (2 * nineOfTen),
          }
        : first && { windowMs: first.windowMs, deviation: first.noise },
    smallest: smallestOf(found),
    withinHour: smallestOf(found.filter(({ withinMs }) => withinMs <= hourMs)),
    rises: reportedRises.map((rise) => foundBy(limits, Math.log1p(rise))),
  };
}

function learntLimits(observed: Observed, atMs: number): Limit[] {
  const { values } = observed;
  const noise = observed.noise.at(observed, atMs);
  const perMs = profilesPerMs(observed, atMs);
  return judgedScales.flatMap((scale) => {
    const learnt = thresholdAt(noise, scale, values, atMs);
    if (learnt === undefined || perMs * scale.windowMs < profilesMin) return [];
    const rise = Math.max(learnt.threshold, absoluteRise(observed, atMs)) - Math.min(0, learnt.residuals.low);
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

/** The smallest rise in the unit of the values (`riseMin`), as a logarithm of the level of the last day. */
function absoluteRise({ values, riseMin }: Observed, atMs: number): number {
  const { mean } = meanOf(values, { fromMs: atMs - dayMs, toMs: atMs });
  return mean > 0 ? Math.log1p(riseMin / mean) : Infinity;
}

/** The rate of the last four hours: a service that sends less than before is judged by longer windows. */
function profilesPerMs({ values }: Observed, atMs: number): number {
  const spanMs = 4 * hourMs;
  return meanOf(values, { fromMs: atMs - spanMs, toMs: atMs }).count / spanMs;
}

function isYoung({ values }: Observed, atMs: number): boolean {
  return atMs - (values.atMs[0] ?? atMs) < youngMs;
}

/** How fast a rise of this size is found: by the window that shows it first. */
function foundBy(limits: readonly Limit[], rise: number): Found | undefined {
  const times = limits
    .filter((limit) => limit.rise <= rise)
    .map(({ windowMs, leastMs, evaluations, ...limit }) => {
      const filled = Math.max(filledMin, limit.rise / rise);
      const passedMs = Math.min(windowMs, Math.max(leastMs, filled * windowMs));
      return Math.ceil((passedMs + evaluations * stepMs + messageDelayMs) / stepMs) * stepMs;
    });
  return times.length === 0 ? undefined : { rise: Math.expm1(rise), withinMs: Math.min(...times) };
}

function smallestOf(found: readonly Found[]): Found | undefined {
  return found.toSorted((a, b) => a.rise - b.rise || a.withinMs - b.withinMs)[0];
}

/** Learning begins on the fifth day. */
const learningMs = 4.5 * dayMs;
/** A series whose newest profile is older is not judged. */
export const silentMs = 8 * hourMs;

function reasonOf(
  { values }: Observed,
  judgedBy: JudgedBy,
  type: string,
  atMs: number,
): NotLearntReason | undefined {
  const newestMs = values.atMs.at(-1);
  if (newestMs === undefined || atMs - newestMs > silentMs) return "no_profiles";
  if (judgedBy === "learnt_noise") return undefined;
  if (judgedBy === "nothing") return "few_profiles";
  if (type === "block") return "block_profiles";
  if (atMs - values.atMs[0]! < learningMs) return "few_days";
  return "few_profiles";
}
