import type { Zone } from "#format/wall-time.ts";
import { msOfWallTime, wallTimeOf } from "#format/wall-time.ts";

export interface Day {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

/** The day that is `days` after the given one. */
export function dayAfter({ year, month, day }: Day, days: number): Day {
  return toDay(Date.UTC(year, month - 1, day + days));
}

/** The same day `months` later, or the last of that month if it is shorter. */
export function dayInMonth({ year, month, day }: Day, months: number): Day {
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return toDay(Date.UTC(year, month - 1 + months, Math.min(day, last)));
}

/** Six weeks from the Monday on or before the first of the month, so that the calendar keeps its height. */
export function weeksOfMonth({ year, month }: Pick<Day, "year" | "month">): Day[][] {
  const first = new Date(Date.UTC(year, month - 1, 1));
  const before = (first.getUTCDay() + 6) % 7;
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (__, weekday) =>
      dayAfter({ year, month, day: 1 }, week * 7 + weekday - before),
    ),
  );
}

export function dayOf(ms: number, zone: Zone): Day {
  const { year, month, day } = wallTimeOf(ms, zone);
  return { year, month, day };
}

export function startMs({ year, month, day }: Day, zone: Zone): number {
  return msOfWallTime({ year, month, day, hour: 0, minute: 0, second: 0 }, zone);
}

/** Negative if the first day is earlier, 0 if they are the same. */
export function compareDays(a: Day, b: Day): number {
  return Date.UTC(a.year, a.month - 1, a.day) - Date.UTC(b.year, b.month - 1, b.day);
}

/** `Friday, November 20, 2026`. */
export function dayName(day: Day): string {
  return formatted(day, { weekday: "long", year: "numeric", month: "long", day: "numeric" });
}

/** `November 2026`. */
export function monthName(day: Day): string {
  return formatted(day, { year: "numeric", month: "long" });
}

function formatted({ year, month, day }: Day, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(Date.UTC(year, month - 1, day));
  return new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" }).format(date);
}

function toDay(utcMs: number): Day {
  return dayOf(utcMs, "utc");
}
