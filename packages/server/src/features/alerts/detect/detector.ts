import { dayMs, minuteMs } from "@flamekeep/contract/durations";
/**
 * Decides whether a service got worse. Pure: values and times come in, a judgement goes out.
 *
 * ```
 *          baseline        current
 *      |---------------|---------------|
 *   now - 2 w       now - w           now          and the same two windows on each of the seven days before
 * ```
 *
 * A value is one profile's: cores, waiting seconds per second, bytes in use, goroutines of one instance. More of
 * it is a regression only where neither more requests nor the time of day explains it: the baseline is raised by
 * what those explain before it is compared.
 */
import { rankTest } from "./rank-test.ts";
import { meanOf, type Series, type Span, valuesOf } from "./series.ts";

/** A rise below this is nobody's problem. */
export const increaseMin = 0.2;
/** An open alert ends below this: lower than where it began, so that it does not flicker around one threshold. */
export const resolveBelow = 0.1;
/** Nothing is known yet about a service's day: a rise must be beyond what mornings do. */
export const increaseMinUnknown = 0.35;
export const profilesMin = 6;
/**
 * One-sided. With six profiles a side, all of one above all of the other gives p = 0.0026: the smallest samples we
 * judge can alert only when they overlap by no more than one exchange of neighbours (0.0041). Stricter would
 * make them blind; laxer would let one overlap more through at every of the 288 evaluations of a day. Neighbouring
 * profiles resemble each other, which makes the true error larger than alpha: therefore the rise of 20 % and
 * the second evaluation are needed besides, and the simulated fleet in bench/alerts holds their sum.
 */
export const alpha = 0.005;

/** The shortest window with enough profiles on both sides counts: few profiles are only judged over long ones. */
export const windows = [
  { ms: 30 * minuteMs, profilesMin: 15 },
  { ms: 120 * minuteMs, profilesMin: 12 },
  { ms: 240 * minuteMs, profilesMin },
] as const;
/** How far back an evaluation reads, on its own day and on the days before: twice the longest window. */
export const reachMs = 2 * windows[2].ms;

const seasonDays = 7;
/** From this many days on, the usual course of the day is believed in both directions. */
const believedDays = 3;
const seasonProfilesMin = 2;
const busyMinutesMin = 3;

export interface Comparison {
  /** Mean of the baseline, raised by what explains a rise. */
  readonly previous: number;
  readonly current: number;
  /** Fraction; 0 where the baseline is 0. */
  readonly increase: number;
  readonly isSupported: boolean;
}

/** Whether `current` lies above `baseline` times `factor` by 20 % and by rank. Never with fewer than six a side. */
export function compare(
  current: readonly number[],
  baseline: readonly number[],
  { factor = 1, riseMin = 0 }: { factor?: number; riseMin?: number } = {},
): Comparison {
  const means = { current: mean(current), previous: mean(baseline) * factor };
  const increase = increaseOf(means.current, means.previous);
  const isEnough = Math.min(current.length, baseline.length) >= profilesMin;
  const isRise = increase >= increaseMin && means.current - means.previous >= riseMin;
  const isSupported = () =>
    rankTest(
      current,
      baseline.map((value) => value * factor),
    ) < alpha;
  return { ...means, increase, isSupported: isEnough && isRise && isSupported() };
}

export function increaseOf(current: number, previous: number): number {
  return previous > 0 ? (current - previous) / previous : 0;
}

export interface Evaluation extends Comparison {
  readonly window: Span;
  readonly baseline: Span;
  readonly factor: number;
}

export interface Observed {
  readonly values: Series;
  /** Requests a minute, of minutes that had any. */
  readonly requests: Series;
  /** What else is measured of the same service, by type of profile. */
  readonly siblings: readonly Series[];
  /** Smallest rise in the values' own unit that is worth telling. */
  readonly riseMin: number;
}

/**
 * Undefined where there are too few profiles on either side. With `against`, the baseline of the evaluation before:
 * what is to hold is held against the same.
 */
export function evaluate(observed: Observed, atMs: number, against?: Span): Evaluation | undefined {
  const { values, requests, riseMin } = observed;
  const spans = windowsAt(values, atMs);
  if (spans === undefined) return undefined;
  const [window, before] = spans;
  const baseline = against ?? before;
  const changes = {
    usual: usualChange(values, window, baseline, seasonProfilesMin),
    requests: changeOf(requests, window, baseline, busyMinutesMin),
    usualRequests: usualChange(requests, window, baseline, busyMinutesMin),
  };
  const factor = expectedFactor(changes);
  const isKnown = changes.usual !== undefined || changes.requests !== undefined;
  const current = meanOf(values, window).mean;
  const previous = meanOf(values, baseline).mean * factor;
  const increase = increaseOf(current, previous);
  // Most evaluations end here, before anything is sorted.
  if (increase < (isKnown ? increaseMin : increaseMinUnknown))
    return { window, baseline, factor, current, previous, increase, isSupported: false };
  const compared = compare(valuesOf(values, window), valuesOf(values, baseline), { factor, riseMin });
  const isTraffic = () => changes.requests === undefined && isShared(observed, window, baseline, increase);
  return { window, baseline, factor, ...compared, isSupported: compared.isSupported && !isTraffic() };
}

/** The window that counts at this time, and its baseline: the latest window before it that has enough profiles. */
export function windowsAt(values: Series, atMs: number): readonly [Span, Span] | undefined {
  for (const { ms, profilesMin: enough } of windows) {
    const window = { fromMs: atMs - ms, toMs: atMs };
    if (meanOf(values, window).count < enough) continue;
    for (let back = 1; (back + 1) * ms <= reachMs; back++) {
      const baseline = earlier(window, back * ms);
      const { count } = meanOf(values, baseline);
      if (count >= enough) return [window, baseline];
      // Silence is stepped over, and what is left of the window in which it began.
      if (count > 0 && back > 2) break;
    }
  }
  return undefined;
}

/** Later over earlier; undefined where unknown. */
export interface Changes {
  readonly usual: Usual | undefined;
  readonly requests: number | undefined;
  readonly usualRequests: Usual | undefined;
}

/** The usual change between two times of the day. Believed once enough days agree on it. */
export interface Usual {
  readonly change: number;
  readonly isBelieved: boolean;
}

/**
 * By how much the baseline is multiplied before it is compared: what changed without anybody's mistake. Known days
 * say what is usual at this hour, up or down, and requests then explain only what is unusual about them; before
 * that, time and requests only ever explain a rise. Fewer requests never make a service look worse: no service
 * uses less in full proportion to them.
 */
export function expectedFactor({ usual, requests, usualRequests }: Changes): number {
  if (!usual?.isBelieved) return Math.max(1, usual?.change ?? 1, requests ?? 1);
  if (requests === undefined) return usual.change;
  if (!usualRequests?.isBelieved) return Math.max(usual.change, requests);
  return usual.change * Math.max(1, requests / usualRequests.change);
}

/**
 * Where nobody counts requests: whether two other types of profile rose at the same time, each by at least a
 * quarter as much. A release makes one thing worse, or two; more traffic makes everything more.
 */
function isShared({ siblings }: Observed, window: Span, baseline: Span, increase: number): boolean {
  const sharing = siblings.filter((values) => {
    const change = changeOf(values, window, baseline, seasonProfilesMin);
    if (change === undefined) return false;
    const usual = usualChange(values, window, baseline, seasonProfilesMin);
    const factor = expectedFactor({ usual, requests: undefined, usualRequests: undefined });
    return change / factor - 1 >= increase / 4;
  });
  return sharing.length >= 2;
}

/**
 * The median over previous days, because of days with a release; more where the same day of last week saw more,
 * because Mondays are not Sundays.
 */
function usualChange(series: Series, window: Span, baseline: Span, countMin: number): Usual | undefined {
  const changes: number[] = [];
  let lastWeek = 0;
  for (let day = 1; day <= seasonDays; day++) {
    const byMs = day * dayMs;
    const change = changeOf(series, earlier(window, byMs), earlier(baseline, byMs), countMin);
    if (change === undefined) continue;
    changes.push(change);
    if (day === seasonDays) lastWeek = change;
  }
  if (changes.length === 0) return undefined;
  return { change: Math.max(median(changes), lastWeek), isBelieved: changes.length >= believedDays };
}

function changeOf(series: Series, window: Span, baseline: Span, countMin: number): number | undefined {
  const later = meanOf(series, window);
  const before = meanOf(series, baseline);
  if (Math.min(later.count, before.count) < countMin || before.mean <= 0) return undefined;
  return later.mean / before.mean;
}

/** Requests a minute, of minutes that had any; undefined where hardly any minute had. */
export function requestsIn(requests: Series, span: Span): number | undefined {
  const { count, mean: perMinute } = meanOf(requests, span);
  return count < busyMinutesMin ? undefined : perMinute;
}

function earlier({ fromMs, toMs }: Span, byMs: number): Span {
  return { fromMs: fromMs - byMs, toMs: toMs - byMs };
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >>> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
