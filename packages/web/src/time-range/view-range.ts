import { spanMs, type TimeRange, timeRanges } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { rangeLabel } from "#format/time.ts";
import { clockText, dayText, hasSeconds, startOfDayMs, type Zone } from "#format/wall-time.ts";

/** The range of time that a page shows: up to now, or between two moments. Times are Unix milliseconds. */
export type ViewRange =
  | { readonly kind: "last"; readonly span: string }
  | { readonly kind: "between"; readonly fromMs: number; readonly toMs: number };

export const defaultRange: ViewRange = { kind: "last", span: "24h" };

/** Search parameters of a page: `range`, or `from` and `to`. */
export interface RangeSearch {
  readonly range?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const spanMsMax = 3660 * dayMs;

/** The range of a span such as `24h`; of 7d and 30d under their current names. Undefined for any other text. */
export function lastRange(span: string): ViewRange | undefined {
  const ms = spanMs(span);
  if (ms === undefined || ms < minuteMs || ms > spanMsMax) return undefined;
  const preset = timeRanges.find((range) => spanMs(range) === ms);
  return { kind: "last", span: preset ?? span };
}

/** The range between two moments, to the second. Undefined if it is empty. */
export function betweenRange(fromMs: number, toMs: number): ViewRange | undefined {
  const from = Math.floor(fromMs / 1000) * 1000;
  const to = Math.ceil(toMs / 1000) * 1000;
  if (!(from < to) || !isDate(from) || !isDate(to)) return undefined;
  return { kind: "between", fromMs: from, toMs: to };
}

/** Years of four digits, which ISO 8601 and the calls understand. */
function isDate(ms: number): boolean {
  return ms > Date.UTC(1000, 0) && ms < Date.UTC(9999, 0);
}

/** The range that search parameters name; undefined if they name none. */
export function rangeOfSearch({ range, from, to }: RangeSearch): ViewRange | undefined {
  if (from !== undefined && to !== undefined) return betweenRange(Date.parse(from), Date.parse(to));
  return range === undefined ? undefined : lastRange(range);
}

/** Search parameters of a range. The unused ones are undefined, so that they replace another range's. */
export function searchOfRange(range: ViewRange): Required<RangeSearch> {
  if (range.kind === "last") return { range: range.span, from: undefined, to: undefined };
  return { range: undefined, from: isoText(range.fromMs), to: isoText(range.toMs) };
}

export interface RangeQuery {
  readonly from: string;
  readonly to: string;
}

/** Query parameters of calls over the range. The same for the same range, whatever the time is. */
export function queryOfRange(range: ViewRange): RangeQuery {
  if (range.kind === "last") return { from: range.span, to: "now" };
  return { from: isoText(range.fromMs), to: isoText(range.toMs) };
}

/** `2026-11-20T10:00:00Z`: without milliseconds if there are none. */
export function isoText(ms: number): string {
  return new Date(ms).toISOString().replace(".000Z", "Z");
}

export interface Bounds {
  readonly fromMs: number;
  readonly toMs: number;
}

export function boundsOf(range: ViewRange, nowMs: number): Bounds {
  if (range.kind === "between") return { fromMs: range.fromMs, toMs: range.toMs };
  return { fromMs: nowMs - (spanMs(range.span) ?? dayMs), toMs: nowMs };
}

export function isSameRange(a: ViewRange, b: ViewRange): boolean {
  const [left, right] = [queryOfRange(a), queryOfRange(b)];
  return left.from === right.from && left.to === right.to;
}

/** The range half its length earlier (-1) or later (1). At the present it becomes the last so many hours again. */
export function moveRange(range: ViewRange, direction: -1 | 1, nowMs: number): ViewRange {
  if (range.kind === "last" && direction === 1) return range;
  // In whole minutes, which calls widen ranges to.
  const { fromMs, toMs } = boundsOf(range, Math.floor(nowMs / minuteMs) * minuteMs);
  const lengthMs = toMs - fromMs;
  return endingAt(toMs + (direction * lengthMs) / 2, lengthMs, nowMs) ?? range;
}

const shortestMs = minuteMs;
const longestMs = 366 * dayMs;
/** Lengths that ranges up to now step through. */
const ladderMs = [5, 15, 30, 60, 240, 480, 1440, 10_080, 43_200, 129_600, 527_040].map(
  (minutes) => minutes * minuteMs,
);

/** Twice or half as long. Ranges up to now stay so; others keep their middle. */
export function resizeRange(range: ViewRange, change: "widen" | "narrow", nowMs: number): ViewRange {
  const { fromMs, toMs } = boundsOf(range, nowMs);
  const lengthMs = toMs - fromMs;
  if (range.kind === "last") {
    const next =
      change === "widen" ? ladderMs.find((ms) => ms > lengthMs) : ladderMs.findLast((ms) => ms < lengthMs);
    return next === undefined ? range : { kind: "last", span: spanText(next) };
  }
  const nextMs = Math.min(Math.max(lengthMs * (change === "widen" ? 2 : 0.5), shortestMs), longestMs);
  return endingAt((fromMs + toMs + nextMs) / 2, nextMs, nowMs) ?? range;
}

/** Up to now, rounded to minutes, if it would end within the current minute or later. */
function endingAt(toMs: number, lengthMs: number, nowMs: number): ViewRange | undefined {
  if (toMs < nowMs - minuteMs) return betweenRange(toMs - lengthMs, toMs);
  return lastRange(spanText(Math.max(1, Math.round(lengthMs / minuteMs)) * minuteMs));
}

/** `90m` or `24h`; presets under their names. */
function spanText(ms: number): string {
  const preset: TimeRange | undefined = timeRanges.find((range) => spanMs(range) === ms);
  if (preset !== undefined) return preset;
  if (ms % dayMs === 0) return `${ms / dayMs}d`;
  return ms % hourMs === 0 ? `${ms / hourMs}h` : `${ms / minuteMs}m`;
}

/** `Last 24 hours`, or `Nov 20, 10:00 – 12:30`, with ` UTC` in that zone. */
export function rangeText(range: ViewRange, nowMs: number, zone: Zone): string {
  if (range.kind === "last") return rangeLabel(range.span);
  const { fromMs, toMs } = range;
  const suffix = zone === "utc" ? " UTC" : "";
  const lastDay = startOfDayMs(toMs - 1, zone);
  const isOneDay = startOfDayMs(fromMs, zone) === lastDay;
  const isWholeDays = startOfDayMs(fromMs, zone) === fromMs && startOfDayMs(toMs, zone) === toMs;
  if (isWholeDays) {
    const first = dayText(fromMs, nowMs, zone);
    return (isOneDay ? first : `${first} – ${dayText(lastDay, nowMs, zone)}`) + suffix;
  }
  const [first, last] = [fromMs, toMs].map((ms) => clockText(ms, zone, hasSeconds(ms)));
  const to = isOneDay ? last : `${dayText(toMs, nowMs, zone)}, ${last}`;
  return `${dayText(fromMs, nowMs, zone)}, ${first} – ${to}${suffix}`;
}
