import type { TimeSpan } from "./selection.ts";

/** The two times to compare, of the same length. */
export interface ComparedSpans {
  readonly before: TimeSpan;
  readonly after: TimeSpan;
}

/**
 * A span and the time before it. If the page was opened from an alert, the time after the increase began and the time before that:
 * otherwise the increase would be inside `after`, and the comparison would show only a part of it.
 */
export function comparedSpans({ fromMs, toMs }: TimeSpan, increasedMs: number | undefined): ComparedSpans {
  const startMs = increasedMs !== undefined && isInside(increasedMs, fromMs, toMs) ? increasedMs : fromMs;
  return {
    before: { fromMs: startMs - (toMs - startMs), toMs: startMs },
    after: { fromMs: startMs, toMs },
  };
}

function isInside(atMs: number, fromMs: number, toMs: number): boolean {
  return atMs > fromMs && atMs < toMs;
}
