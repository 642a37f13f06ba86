import { limits, momentWords, spanMs } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { invalid } from "#failure";

/**
 * Ranges of time and the buckets a timeline is cut into. Times are Unix milliseconds; a range holds its start and
 * not its end. Buckets lie on multiples of their width since 1970, so that two ranges share them.
 */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Buckets extends TimeRange {
  readonly widthMs: number;
  readonly count: number;
  /** True when the width asked for would have given too many points. */
  readonly isWidened: boolean;
}

const oldestMs = limits.sinceDaysMax * dayMs;

/** Milliseconds since 1970 of a text that `moment` of the contract accepted. */
export function momentMs(text: string, nowMs: number): number {
  if (text === "now") return nowMs;
  const span = spanMs(text);
  if (span !== undefined) return nowMs - span;
  return /^\d+$/.test(text) ? Number(text) : Date.parse(text);
}

/** The range, ending now at the latest and beginning at most ten years before. Throws `invalid` when it is empty. */
export function rangeOf(fromMs: number, toMs: number, nowMs: number): TimeRange {
  const range = { fromMs: Math.max(fromMs, nowMs - oldestMs), toMs: Math.min(toMs, nowMs) };
  if (range.fromMs < range.toMs) return range;
  throw invalid(`The range is empty: its start must be before its end and before now. Give ${momentWords}`);
}

/** The start of the minute `span` before now: totals are kept by the minute, and lists agree with them. */
export function sinceMinuteMs(span: string, nowMs: number): number {
  return Math.floor(momentMs(span, nowMs) / minuteMs) * minuteMs;
}

/** What too narrow a bucket is widened to, the first that fits. */
const widerMs = [5, 15, 30, 60, 240, 720, 1440, 10_080, 43_200].map((minutes) => minutes * minuteMs);

/** The whole buckets that hold the range; widened where there would be more than `limits.timelinePointsMax`. */
export function bucketsOf(range: TimeRange, bucketMs: number): Buckets {
  for (const widthMs of [bucketMs, ...widerMs.filter((wider) => wider > bucketMs)]) {
    const fromMs = Math.floor(range.fromMs / widthMs) * widthMs;
    const toMs = Math.ceil(range.toMs / widthMs) * widthMs;
    const count = (toMs - fromMs) / widthMs;
    if (count > limits.timelinePointsMax) continue;
    return { fromMs, toMs, widthMs, count, isWidened: widthMs !== bucketMs };
  }
  throw new RangeError(`No bucket is wide enough for ${range.toMs - range.fromMs} ms`);
}

/** Start of each bucket, oldest first, as ISO 8601. */
export function bucketStarts({ fromMs, widthMs, count }: Buckets): string[] {
  return Array.from({ length: count }, (_, index) => new Date(fromMs + index * widthMs).toISOString());
}

/** `15m`, `4h` or `7d`: the largest unit that divides it. */
export function spanText(ms: number): string {
  if (ms % dayMs === 0) return `${ms / dayMs}d`;
  return ms % hourMs === 0 ? `${ms / hourMs}h` : `${ms / minuteMs}m`;
}

/** Unix milliseconds, both whole minutes; `toMs` is not included. */
export interface MinuteRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The range a caller means, widened to whole minutes, because totals are kept by minute: the profiles counted and
 * the profiles merged are then the same. Throws `invalid` for an empty one.
 */
export function minuteRangeOf(
  query: { readonly since?: string | undefined; readonly from: string; readonly to: string },
  now: Date,
): MinuteRange {
  const nowMs = now.getTime();
  const fromMs = Math.max(momentMs(query.since ?? query.from, nowMs), nowMs - oldestMs);
  const toMs = Math.min(momentMs(query.to, nowMs), nowMs);
  if (fromMs >= toMs) {
    throw invalid(`Query parameter from must be before to and before now; both are ${momentWords}`);
  }
  return {
    fromMs: Math.floor(fromMs / minuteMs) * minuteMs,
    toMs: Math.ceil(toMs / minuteMs) * minuteMs,
  };
}
