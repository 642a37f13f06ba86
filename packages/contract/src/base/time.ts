import { dayMs, hourMs, minuteMs } from "./durations.ts";

/** Ranges that a view offers; 24h by default. */
export const timeRanges = ["1h", "4h", "8h", "24h", "168h", "720h"] as const;
export type TimeRange = (typeof timeRanges)[number];

/** Widths of a point of a timeline; 15m by default. */
export const timeBuckets = ["1m", "5m", "15m", "30m", "1h", "4h"] as const;
export type TimeBucket = (typeof timeBuckets)[number];

const unitMs = { s: 1000, m: minuteMs, h: hourMs, d: dayMs } as const;

const spanPattern = /^(\d{1,7})([smhd])$/;

/** Milliseconds of a span such as `15m`, `24h` or `7d`; undefined for any other text. */
export function spanMs(span: string): number | undefined {
  const match = spanPattern.exec(span);
  if (match === null) return undefined;
  return Number(match[1]) * unitMs[match[2] as keyof typeof unitMs];
}

const isoParts = /^(\d{4})-(\d{2})-(\d{2})(?:[t ](\d{2}):(\d{2})(?::(\d{2}))?(?=[^\d:]|$)|$)/i;

/**
 * Why a text with the form of an ISO 8601 time names none, as the end of a sentence about it: `names 2026-02-30, which is not in
 * the calendar`. Undefined for all other texts. `Date.parse` takes that day for March 2.
 */
export function impossibleTime(text: string): string | undefined {
  const match = isoParts.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1).map((part) => Number(part ?? 0));
  if (month! < 1 || month! > 12 || day! < 1 || day! > daysOfMonth(year!, month!))
    return `names ${text.slice(0, 10)}, which is not in the calendar`;
  if (hour! > 23 || minute! > 59 || second! > 59)
    return `names ${text.slice(11, match[6] === undefined ? 16 : 19)}, which is not a time of day`;
  return undefined;
}

function daysOfMonth(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}
