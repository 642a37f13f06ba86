import { limits, momentWords } from "@flamekeep/contract";
import { dayMs, minuteMs } from "@flamekeep/contract/durations";
import { invalid } from "#failure";
import { momentMs } from "#http/time-range.ts";

/** Unix milliseconds, both whole minutes; `toMs` is not included. */
export interface MinuteRange {
  readonly fromMs: number;
  readonly toMs: number;
}

const oldestMs = limits.sinceDaysMax * dayMs;

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
