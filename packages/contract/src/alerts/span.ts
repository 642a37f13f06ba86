import { hourMs, minuteMs } from "#base/durations.ts";

/** Unix milliseconds. */
interface AlertTimes {
  /** The beginning of the rise, or of the range in which it was worse. */
  readonly beganMs: number;
  readonly openedMs: number;
  /** null while it is open. */
  readonly resolvedMs: number | null;
  /** The start of the range before. */
  readonly comparedFromMs: number;
}

/**
 * The time to show for an alert, in whole minutes: it begins with the range before, or earlier, so that at least an hour and a third of
 * the span are before the rise; it ends now, or an hour after the alert. So neither is at an edge of its chart.
 */
export function alertSpan(
  { beganMs, openedMs, resolvedMs, comparedFromMs }: AlertTimes,
  nowMs: number,
): { readonly fromMs: number; readonly toMs: number } {
  const lastMs = Math.max(nowMs, openedMs);
  const endMs = resolvedMs === null ? lastMs : Math.min(lastMs, resolvedMs + hourMs);
  const leadMs = Math.max(hourMs, (endMs - beganMs) / 2);
  const fromMs = Math.min(comparedFromMs, beganMs - leadMs);
  return {
    fromMs: Math.floor(fromMs / minuteMs) * minuteMs,
    toMs: Math.ceil(endMs / minuteMs) * minuteMs,
  };
}
