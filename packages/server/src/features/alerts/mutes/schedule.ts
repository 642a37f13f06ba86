/**
 * The windows of a mute that recurs, by the wall clock of a time zone: they move with the jobs that run by that clock.
 *
 * ```
 *   summer time begins, 02:00 -> 03:00   a window from 02:30 begins at 03:30
 *   summer time ends, 03:00 -> 02:00     a window to 02:30 ends at the second 02:30, one from 02:30 begins at the first
 * ```
 * A window from 02:00 to 03:00 would be empty when summer time begins. It keeps its length: 03:00 to 04:00.
 *
 * Not with Temporal: Node 24 does not have it.
 */
import { digestWeekdays, type MuteSchedule } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { LruCache } from "#store/lru.ts";

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

/** No zone sets its clocks forward or back by more. */
const clockChangeMax = 3 * hourMs;

export function isInWindow(schedule: MuteSchedule, ms: number): boolean {
  const wallMs = wallClockMs(ms, schedule.time_zone);
  const today = wallMs - (wallMs % dayMs);
  return [today - dayMs, today].some((midnight) => {
    if (!schedule.weekdays.includes(weekdayOf(midnight))) return false;
    // Cheap, because alerts are held against many schedules: most are hours away.
    const wall = wallWindowOf(schedule, midnight);
    if (wallMs < wall.fromMs - clockChangeMax || wallMs >= wall.toMs + clockChangeMax) return false;
    const { fromMs, toMs } = windowOfDay(schedule, midnight);
    return fromMs <= ms && ms < toMs;
  });
}

/** The weekday of a time on a clock on the wall. */
export function weekdayOf(wallMs: number): (typeof digestWeekdays)[number] {
  return digestWeekdays[new Date(wallMs).getUTCDay()]!;
}

function windowOfDay(schedule: MuteSchedule, midnight: number): Window {
  const wall = wallWindowOf(schedule, midnight);
  const fromMs = Math.min(...instantsOf(wall.fromMs, schedule.time_zone));
  const toMs = Math.max(...instantsOf(wall.toMs, schedule.time_zone));
  return { fromMs, toMs: toMs > fromMs ? toMs : fromMs + wall.toMs - wall.fromMs };
}

/** As a clock on the wall shows it. */
function wallWindowOf({ from, to }: MuteSchedule, midnight: number): Window {
  return { fromMs: midnight + clockMs(from), toMs: midnight + clockMs(to) + (to <= from ? dayMs : 0) };
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

/** By the name as it is given, which people can write in many ways. */
const formats = new LruCache<Intl.DateTimeFormat>(100);

/** The time that a zone's wall clock shows, in milliseconds as if it were UTC. */
export function wallClockMs(ms: number, zone: string): number {
  let format = formats.get(zone);
  if (format === undefined) {
    format = formatOf(zone);
    formats.set(zone, format, 1);
  }
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
