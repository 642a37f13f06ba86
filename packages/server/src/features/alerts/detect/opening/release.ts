import { minuteMs } from "@flamekeep/contract/durations";
import type { Observed } from "#alerts/detect/observed.ts";
import type { Span } from "#alerts/detect/series/series.ts";

/** A new version explains a rise that begins from ten minutes before its first profile on. */
const aroundMs = { before: 10 * minuteMs, after: 30 * minuteMs };

/** Whether a new version came when the window began: then a rise that all types share is not taken for traffic. */
export function beginsWithRelease({ releasedMs }: Observed, { fromMs }: Span): boolean {
  return releasedMs.some((ms) => fromMs >= ms - aroundMs.before && fromMs <= ms + aroundMs.after);
}
