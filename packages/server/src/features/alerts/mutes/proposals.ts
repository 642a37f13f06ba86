/**
 * Finds alerts that come back at the same time of a week or day, and proposes schedules for them.
 *
 * ```
 *   Sun 02:20 ─► 04:40    Sun 02:25 ─► 04:50    Sun 02:10 ─► 04:35
 *   every Sunday 01:30 to 05:30: half hours, at least 15 minutes from the first and the last
 * ```
 */
import { digestWeekdays, type MuteSchedule } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { isInWindow, wallClockMs, weekdayOf } from "./schedule.ts";

/** Alerts this old count for nothing. */
export const proposedWeeks = 5;
/** The newest alerts of a service and type that are looked at: the time grows with their square. */
const ofSeriesMax = 200;

export interface PastAlert {
  readonly id: string;
  readonly service: string;
  readonly type: string;
  readonly openedMs: number;
  /** null if it is open. */
  readonly resolvedMs: number | null;
}

export interface Proposal extends Pick<PastAlert, "service" | "type"> {
  readonly schedule: MuteSchedule;
  /** On so many days alerts opened and resolved then. */
  readonly times: number;
  /** The alerts that opened in its windows, open ones too. */
  readonly alertIds: readonly string[];
}

/** Alerts of one pattern open within this time of each other, and so resolve. */
const nearMs = 45 * minuteMs;
const weeklyMin = 2;
/** So many days within a week are a daily pattern. */
const dailyMin = 3;
const marginMs = 15 * minuteMs;
const roundedMs = 30 * minuteMs;

/** @param alerts of the last weeks, oldest first, those left out that a mute covers already */
export function proposalsOf(alerts: readonly PastAlert[], zone: string): Proposal[] {
  const series = Map.groupBy(alerts, ({ service, type }) => JSON.stringify([service, type]));
  return [...series.values()].flatMap((all) => {
    const own = all.slice(-ofSeriesMax);
    const { service, type } = own[0]!;
    return patternsOf(own, zone).map(({ schedule, members }) => ({
      service,
      type,
      schedule,
      times: new Set(members.map(({ day }) => day)).size,
      alertIds: own.filter(({ openedMs }) => isInWindow(schedule, openedMs)).map(({ id }) => id),
    }));
  });
}

interface Pattern {
  readonly schedule: MuteSchedule;
  readonly members: readonly Member[];
}

/** The times of a resolved alert by a clock on the wall. */
interface Times {
  readonly alert: PastAlert;
  readonly openedMs: number;
  readonly resolvedMs: number;
}

/** An alert as it lies in a pattern: `day` is that of the pattern, so that 23:50 and 00:10 of the next day are one time. */
interface Member extends Times {
  readonly day: number;
}

/** The largest pattern first; no alert is in two. */
function patternsOf(alerts: readonly PastAlert[], zone: string): Pattern[] {
  let rest = alerts.flatMap((alert): Times[] => {
    const { openedMs, resolvedMs } = alert;
    if (resolvedMs === null || resolvedMs - openedMs >= dayMs) return [];
    return [{ alert, openedMs: wallClockMs(openedMs, zone), resolvedMs: wallClockMs(resolvedMs, zone) }];
  });
  const found: Pattern[] = [];
  const patterns = new Map<Times, Pattern | undefined>();
  for (;;) {
    // Only the patterns near the one that was taken have changed.
    const byClock = Map.groupBy(rest, clockPart);
    for (const each of rest) {
      if (!patterns.has(each)) patterns.set(each, patternAround(each, nearClock(byClock, each), zone));
    }
    const [largest] = rest
      .flatMap((each) => patterns.get(each) ?? [])
      .toSorted((a, b) => b.members.length - a.members.length);
    if (largest === undefined) return found;
    found.push(largest);
    const taken = new Set(largest.members.map(({ alert }) => alert));
    for (const each of rest) {
      if (!taken.has(each.alert)) continue;
      for (const near of nearClock(byClock, each)) patterns.delete(near);
    }
    rest = rest.filter(({ alert }) => !taken.has(alert));
  }
}

const clockParts = dayMs / nearMs;

/** The part of the day in which an alert opened, each as long as alerts of one pattern may be apart. */
function clockPart({ openedMs }: Times): number {
  return Math.floor((openedMs % dayMs) / nearMs);
}

/** The alerts of the same part of the day, and of those before and after it. */
function nearClock(byClock: ReadonlyMap<number, readonly Times[]>, times: Times): Times[] {
  const part = clockPart(times) + clockParts;
  return [part - 1, part, part + 1].flatMap((each) => byClock.get(each % clockParts) ?? []);
}

/** @param all those that may be near */
function patternAround(anchor: Times, all: readonly Times[], zone: string): Pattern | undefined {
  const clock = anchor.openedMs % dayMs;
  const lengthMs = anchor.resolvedMs - anchor.openedMs;
  const near = all.flatMap((times): Member[] => {
    const day = Math.round((times.openedMs - clock) / dayMs);
    const startMs = day * dayMs + clock;
    const isNear =
      Math.abs(times.openedMs - startMs) <= nearMs &&
      Math.abs(times.resolvedMs - startMs - lengthMs) <= nearMs;
    return isNear ? [{ ...times, day }] : [];
  });
  const weekdays = weekdaysOf(near.map(({ day }) => day));
  const members = near.filter(({ day }) => weekdays.includes(weekdayOf(day * dayMs)));
  if (members.length === 0) return undefined;
  const schedule = scheduleOf(members, weekdays, zone);
  return schedule && { schedule, members };
}

type Weekdays = MuteSchedule["weekdays"];

/** The weekdays of a pattern; none if the days have none. */
function weekdaysOf(days: readonly number[]): Weekdays {
  const distinct = [...new Set(days)].sort((a, b) => a - b);
  const isDaily = distinct.some((day, index) => (distinct[index + dailyMin - 1] ?? Infinity) - day < 7);
  const seen = distinct.map((day) => weekdayOf(day * dayMs));
  if (!isDaily) {
    return digestWeekdays.filter((name) => seen.filter((each) => each === name).length >= weeklyMin);
  }
  const isAtWeekend = seen.includes("saturday") || seen.includes("sunday");
  return digestWeekdays.filter((name) => isAtWeekend || (name !== "saturday" && name !== "sunday"));
}

/** Undefined if it would last a day. */
function scheduleOf(members: readonly Member[], weekdays: Weekdays, zone: string): MuteSchedule | undefined {
  const first = Math.min(...members.map(({ day, openedMs }) => openedMs - day * dayMs));
  const last = Math.max(...members.map(({ day, resolvedMs }) => resolvedMs - day * dayMs));
  const from = Math.floor((first - marginMs) / roundedMs) * roundedMs;
  const to = Math.ceil((last + marginMs) / roundedMs) * roundedMs;
  if (to - from >= dayMs) return undefined;
  // A window can begin before midnight of the day of its pattern, or after that day.
  const shift = Math.floor(from / dayMs);
  const shifted = digestWeekdays.filter((_, index) =>
    weekdays.includes(digestWeekdays[(index - shift + 7) % 7]!),
  );
  return { weekdays: shifted, from: clockText(from), to: clockText(to), time_zone: zone };
}

/** `02:30` of milliseconds from midnight, of whichever day. */
function clockText(ms: number): string {
  const ofDay = ((ms % dayMs) + dayMs) % dayMs;
  const parts = [Math.floor(ofDay / hourMs), (ofDay % hourMs) / minuteMs];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}
