import type { Alert } from "./alerts.ts";
import { hourMs, minuteMs } from "./durations.ts";

type AlertTimes = Pick<Alert, "timestamp" | "began_at" | "resolved_at" | "previous_range" | "current_range">;

/**
 * The time that shows what an alert is about, in whole minutes: what was compared, an hour or a third of the time before
 * the rise, and on to now or to an hour after the end. So neither the rise nor the alert is at an edge of its chart.
 */
export function alertSpan(
  { timestamp, began_at, resolved_at, previous_range, current_range }: AlertTimes,
  nowMs: number,
): { readonly fromMs: number; readonly toMs: number } {
  const beganMs = Date.parse(began_at ?? current_range.from);
  const lastMs = Math.max(nowMs, Date.parse(timestamp));
  const endMs = resolved_at === null ? lastMs : Math.min(lastMs, Date.parse(resolved_at) + hourMs);
  const leadMs = Math.max(hourMs, (endMs - beganMs) / 2);
  const fromMs = Math.min(Date.parse(previous_range.from), beganMs - leadMs);
  return {
    fromMs: Math.floor(fromMs / minuteMs) * minuteMs,
    toMs: Math.ceil(endMs / minuteMs) * minuteMs,
  };
}
