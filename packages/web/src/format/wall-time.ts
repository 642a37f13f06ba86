import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import { twoDigits } from "./number.ts";

/** In which zone times are shown and typed: the browser's or UTC. */
export type Zone = "local" | "utc";

/** The IANA name of the zone, `Europe/Berlin`. */
export function zoneName(zone: Zone): string {
  return zone === "utc" ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export const monthNames = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** A date and time as a clock on the wall of a zone shows it. Months count from 1. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Unix milliseconds, the earlier ones of a repeated hour. Days beyond the end of a month go on in the next one. */
export function msOfWallTime(wall: WallTime, zone: Zone): number {
  const { year, month, day, hour, minute, second } = wall;
  return zone === "utc"
    ? Date.UTC(year, month - 1, day, hour, minute, second)
    : new Date(year, month - 1, day, hour, minute, second).getTime();
}

export function wallTimeOf(ms: number, zone: Zone): WallTime {
  const date = new Date(ms + aheadMs(ms, zone));
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}

/** `Nov 20`, with the year unless it is the current one. */
export function dayText(ms: number, nowMs: number, zone: Zone): string {
  const { year, month, day } = wallTimeOf(ms, zone);
  const text = `${monthNames[month - 1]} ${day}`;
  return year === wallTimeOf(nowMs, zone).year ? text : `${text}, ${year}`;
}

/** `14:05`, with seconds `14:05:09`, and with its offset in the hour that the end of summer time repeats: `02:30 +01:00`. */
export function clockText(ms: number, zone: Zone, hasSeconds = false): string {
  const { hour, minute, second } = wallTimeOf(ms, zone);
  const parts = hasSeconds ? [hour, minute, second] : [hour, minute];
  const clock = parts.map(twoDigits).join(":");
  return repeatedMs(ms, zone) === undefined ? clock : `${clock} ${offsetText(ms)}`;
}

/** Clocks change by less than this. */
const changeMsMax = 3 * hourMs;

/** The other moment that a clock on the wall shows in the same way; undefined outside of the hour that a clock change repeats. */
export function repeatedMs(ms: number, zone: Zone): number | undefined {
  const wallMs = ms + aheadMs(ms, zone);
  return [ms - changeMsMax, ms + changeMsMax]
    .map((nearbyMs) => wallMs - aheadMs(nearbyMs, zone))
    .find((otherMs) => otherMs !== ms && otherMs + aheadMs(otherMs, zone) === wallMs);
}

/** Milliseconds that the zone's wall clock is ahead of UTC at a time. */
export function aheadMs(ms: number, zone: Zone): number {
  return zone === "utc" ? 0 : -new Date(ms).getTimezoneOffset() * minuteMs;
}

/** The offset of the browser's zone at a time: `+02:00`. */
function offsetText(ms: number): string {
  // `Sun Oct 25 2026 02:30:00 GMT+0200 (Central European Summer Time)`
  return new Date(ms).toString().replace(/^.*GMT(...)(..).*/, "$1:$2");
}

/** Whether a time, in any zone, is not at the start of a minute. */
export function hasSeconds(ms: number): boolean {
  return ms % minuteMs >= 1000;
}

/** Midnight before the time, `days` later. */
export function startOfDayMs(ms: number, zone: Zone, days = 0): number {
  const { year, month, day } = wallTimeOf(ms, zone);
  return msOfWallTime({ year, month, day: day + days, hour: 0, minute: 0, second: 0 }, zone);
}

/** `2026-11-20 14:00`, with seconds if there are any and the offset if it is needed: a form that can be typed again. */
export function wallTimeText(ms: number, zone: Zone): string {
  const { year, month, day } = wallTimeOf(ms, zone);
  return `${year}-${twoDigits(month)}-${twoDigits(day)} ${clockText(ms, zone, hasSeconds(ms))}`;
}
