/**
 * The windows of a mute that recurs, by the wall clock of a time zone: they move with the jobs that run by that clock.
 *
 * ```
 *   summer time begins, 02:00 -> 03:00   a window from 02:30 begins at 03:30
 *   summer time ends, 03:00 -> 02:00     a window to 02:30 ends at the second 02:30, one from 02:30 begins at the first
 * ```
 *
 * Not with Temporal: Node 24 does not have it.
 */
import { digestWeekdays, type MuteSchedule } from "@flamekeep/contract";
import { dayMs, minuteMs } from "@flamekeep/contract/durations";

interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The window that a time is in, or the next one. */
export function windowAt(schedule: MuteSchedule, ms: number): Window {
  const wallMs = wallClockMs(ms, schedule.time_zone);
  const today = wallMs - (wallMs % dayMs);
  // The window of yesterday may end today.
  for (let midnight = today - dayMs; ; midnight += dayMs) {
    if (!schedule.weekdays.includes(weekdayOf(midnight))) continue;
    const window = windowOfDay(schedule, midnight);
    if (window.toMs > ms) return window;
  }
}

export function isInWindow(schedule: MuteSchedule, ms: number): boolean {
  return windowAt(schedule, ms).fromMs <= ms;
}

/** The weekday of a time on a clock on the wall. */
export function weekdayOf(wallMs: number): (typeof digestWeekdays)[number] {
  return digestWeekdays[new Date(wallMs).getUTCDay()]!;
}

function windowOfDay({ from, to, time_zone: zone }: MuteSchedule, midnight: number): Window {
  const end = midnight + clockMs(to) + (to <= from ? dayMs : 0);
  return {
    fromMs: Math.min(...instantsOf(midnight + clockMs(from), zone)),
    toMs: Math.max(...instantsOf(end, zone)),
  };
}

/** Milliseconds from midnight to `02:30`. */
function clockMs(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return (hours * 60 + minutes) * minuteMs;
}

/**
 * The times at which a clock on the wall shows this: two in the hour that repeats when clocks are set back. A time that is
 * skipped when they are set forward is later by what is skipped.
 */
function instantsOf(wallMs: number, zone: string): number[] {
  // No zone is ahead of UTC, or behind it, by a day, and none changes its clocks twice in two days.
  const [before, after] = [wallMs - dayMs, wallMs + dayMs].map(
    (nearby) => wallMs - (wallClockMs(nearby, zone) - nearby),
  ) as [number, number];
  const shown = [before, after].filter((ms) => wallClockMs(ms, zone) === wallMs);
  return shown.length > 0 ? shown : [Math.max(before, after)];
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The time that a zone's wall clock shows, in milliseconds as if it were UTC. */
export function wallClockMs(ms: number, zone: string): number {
  const format = formats.get(zone) ?? formatOf(zone);
  formats.set(zone, format);
  const at = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const [year, month, day] = [at.get("year")!, at.get("month")!, at.get("day")!];
  const seconds = Date.UTC(year, month - 1, day, at.get("hour"), at.get("minute"), at.get("second"));
  return seconds + (ms % 1000);
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const part = "numeric";
  const date = { year: part, month: part, day: part } as const;
  const time = { hour: part, minute: part, second: part, hourCycle: "h23" } as const;
  return new Intl.DateTimeFormat("en-US", { ...date, ...time, timeZone });
}

/** Whether this server knows the zone, `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
