import { rangeLabel } from "#format/time.ts";
import type { Zone } from "#format/wall-time.ts";
import { clockText, hasSeconds, monthNames, startOfDayMs, wallTimeOf } from "#format/wall-time.ts";
import type { ViewRange } from "./view-range.ts";

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

/** With the year unless it is the current one. */
function dayText(ms: number, nowMs: number, zone: Zone): string {
  const { year, month, day } = wallTimeOf(ms, zone);
  const text = `${monthNames[month - 1]} ${day}`;
  return year === wallTimeOf(nowMs, zone).year ? text : `${text}, ${year}`;
}
