import { limits, spanMs } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { momentFormats } from "@flamekeep/contract/schemas";
import { invalid } from "#failure";

/**
 * Ranges of time and the buckets a timeline is cut into. Times are Unix milliseconds; a range includes its start and
 * not its end. Buckets lie on multiples of their width since 1970, so that two ranges share them.
 */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Buckets extends TimeRange {
  readonly widthMs: number;
  readonly count: number;
  /** Whether the requested width would have given too many points. */
  readonly isWidened: boolean;
}

/** How far the clocks of senders may be ahead. */
const aheadMsMax = dayMs;
const oldestMs = limits.sinceDaysMax * dayMs;

/** The texts of a query: both moments of the contract's `moment`, or a span `since` before now instead of `from`. */
interface RangeQuery {
  readonly since?: string | undefined;
  readonly from: string;
  readonly to: string;
}

/** The Unix milliseconds of a text that `moment` of the contract accepted. */
export function momentMs(text: string, nowMs: number): number {
  if (text === "now") return nowMs;
  const span = spanMs(text);
  if (span !== undefined) return nowMs - span;
  return /^\d+$/.test(text) ? Number(text) : Date.parse(text);
}

/** The range that a query names. Throws `invalid` if it is empty. */
export function rangeOf({ since, from, to }: RangeQuery, now: Date): TimeRange {
  const nowMs = now.getTime();
  return boundedRange(momentMs(since ?? from, nowMs), momentMs(to, nowMs), nowMs);
}

/**
 * The range of lists and counts, in whole minutes. One that ends now includes profiles and requests of senders whose clocks
 * are ahead, because every accepted one is listed. Throws `invalid` if the range is empty.
 */
export function listedRange(query: RangeQuery, now: Date): TimeRange {
  const nowMs = now.getTime();
  const { fromMs, toMs } = rangeOf(query, now);
  return toWholeMinutes({ fromMs, toMs: toMs === nowMs ? nowMs + aheadMsMax : toMs });
}

/** The current range and the one of the same length before, in Unix seconds. */
export function withRangeBefore(range: TimeRange) {
  const { fromSeconds: currentSeconds, toSeconds } = secondsOf(range);
  return { fromSeconds: Math.max(0, 2 * currentSeconds - toSeconds), currentSeconds, toSeconds };
}

/** As many as a line without axes can show. */
const trendPoints = 32;

/** The buckets of trends of services, in whole minutes. */
export function trendBuckets(range: TimeRange): Buckets {
  return bucketsOf(range, Math.ceil((range.toMs - range.fromMs) / trendPoints / minuteMs) * minuteMs);
}

/** The range of a span `since` before `until`. Throws `invalid` if it is empty. */
export function rangeBefore({ since, until }: { since: string; until: string }, now: Date): TimeRange {
  const nowMs = now.getTime();
  const untilMs = Math.min(momentMs(until, nowMs), nowMs);
  return boundedRange(momentMs(since, untilMs), untilMs, nowMs);
}

/** The range widened to whole minutes: totals are stored by minute, so profiles that are counted and merged are the same. */
export function toWholeMinutes({ fromMs, toMs }: TimeRange): TimeRange {
  return {
    fromMs: Math.floor(fromMs / minuteMs) * minuteMs,
    toMs: Math.ceil(toMs / minuteMs) * minuteMs,
  };
}

/**
 * Two ranges in whole minutes that share no profile unless they overlap as given: a minute in which one ends and the other begins belongs
 * to the later one, or to the earlier one if it has no other. Throws `invalid` if both lie in one minute.
 */
export function separateMinutes(one: TimeRange, other: TimeRange): [TimeRange, TimeRange] {
  if (other.toMs <= one.fromMs) {
    const [earlier, later] = separateMinutes(other, one);
    return [later, earlier];
  }
  const [earlier, later] = [toWholeMinutes(one), toWholeMinutes(other)];
  if (one.toMs > other.fromMs || earlier.toMs <= later.fromMs) return [earlier, later];
  if (earlier.fromMs < later.fromMs) return [{ ...earlier, toMs: later.fromMs }, later];
  if (later.toMs > earlier.toMs) return [earlier, { ...later, fromMs: earlier.toMs }];
  throw invalid(
    "Both ranges are in the same minute, and profiles are counted by minute: make one of them longer",
  );
}

/**
 * Ends now at the latest and begins at most ten years before. Throws `invalid` if it is empty.
 * @param formats what the caller's reader may give in its place
 */
export function boundedRange(
  fromMs: number,
  toMs: number,
  nowMs: number,
  formats = momentFormats,
): TimeRange {
  const range = { fromMs: Math.max(fromMs, nowMs - oldestMs), toMs: Math.min(toMs, nowMs) };
  if (range.fromMs < range.toMs) return range;
  throw invalid(`The range is empty: its start must be before its end and before now. Give ${formats}`);
}

/** The range as fields of a reply. */
export function isoRange({ fromMs, toMs }: TimeRange) {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}

/** The range as parameters of a query. */
export function secondsOf({ fromMs, toMs }: TimeRange): { fromSeconds: number; toSeconds: number } {
  return { fromSeconds: fromMs / 1000, toSeconds: toMs / 1000 };
}

/** The start of the minute `span` before now: totals are stored by minute. */
export function sinceMinuteMs(span: string, nowMs: number): number {
  return Math.floor(momentMs(span, nowMs) / minuteMs) * minuteMs;
}

/** Widths that replace one that is too narrow; the first that fits is taken. */
const widerMs = [5, 15, 30, 60, 240, 720, 1440, 10_080, 43_200].map((minutes) => minutes * minuteMs);

/** The whole buckets that cover the range; widened where there would be more than `limits.timelinePointsMax`. */
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

/**
 * From the first to the last bucket that lies in the range, which counts by whole minutes, and is over: sums of other buckets are too
 * small. `complete_from` is after `complete_to` if no bucket is complete.
 */
export function completeSpan({ fromMs, toMs, widthMs }: Buckets, range: TimeRange, now: Date) {
  const inMinutes = toWholeMinutes(range);
  const overMs = Math.floor(Math.min(inMinutes.toMs, now.getTime(), toMs) / widthMs) * widthMs;
  const startMs = Math.max(fromMs, Math.ceil(inMinutes.fromMs / widthMs) * widthMs);
  return {
    complete_from: new Date(Math.min(startMs, toMs)).toISOString(),
    complete_to: new Date(Math.max(fromMs, overMs)).toISOString(),
  };
}

/** The start of each bucket, oldest first, as ISO 8601. */
export function bucketStarts({ fromMs, widthMs, count }: Buckets): string[] {
  return Array.from({ length: count }, (_, index) => new Date(fromMs + index * widthMs).toISOString());
}

/** `15m`, `4h` or `7d`: the largest unit that divides the duration. */
export function spanText(ms: number): string {
  if (ms % dayMs === 0) return `${ms / dayMs}d`;
  return ms % hourMs === 0 ? `${ms / hourMs}h` : `${ms / minuteMs}m`;
}
