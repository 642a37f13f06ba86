import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { plural } from "#format/number.ts";

/** When a mute ends, for people: `Ends in 3 hours`. Rounded up, so that it never says that it has ended too early. */
export function endText(until: string | null, nowMs: number): string {
  if (until === null) return "Until unmuted";
  const leftMs = Date.parse(until) - nowMs;
  if (leftMs <= minuteMs) return "Ends within a minute";
  if (leftMs <= hourMs) return `Ends in ${plural(Math.ceil(leftMs / minuteMs), "minute")}`;
  if (leftMs <= 2 * dayMs) return `Ends in ${plural(Math.ceil(leftMs / hourMs), "hour")}`;
  return `Ends in ${plural(Math.ceil(leftMs / dayMs), "day")}`;
}
