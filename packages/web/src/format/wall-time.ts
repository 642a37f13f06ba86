import { twoDigits } from "./number.ts";

/** In which zone times are shown and typed: the browser's or UTC. */
export type Zone = "local" | "utc";

export const monthNames = [
  "Jan",
  "Feb",
  "Mar",
  "Apr",
  "May",
  "Jun",
  "Jul",
  "Aug",
  "Sep",
  "Oct",
  "Nov",
  "Dec",
];

/** A date and time as a clock on the wall of a zone shows it. Months count from 1. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Unix milliseconds. Days beyond the end of a month go on in the next one. */
export function msOfWallTime(wall: WallTime, zone: Zone): number {
  const { year, month, day, hour, minute, second } = wall;
  return zone === "utc"
    ? Date.UTC(year, month - 1, day, hour, minute, second)
    : new Date(year, month - 1, day, hour, minute, second).getTime();
}

export function wallTimeOf(ms: number, zone: Zone): WallTime {
  const date = new Date(ms);
  if (zone === "utc") {
    return {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
      second: date.getUTCSeconds(),
    };
  }
  return {
    year: date.getFullYear(),
    month: date.getMonth() + 1,
    day: date.getDate(),
    hour: date.getHours(),
    minute: date.getMinutes(),
    second: date.getSeconds(),
  };
}

/** Midnight before the time, `days` later. */
export function startOfDayMs(ms: number, zone: Zone, days = 0): number {
  const { year, month, day } = wallTimeOf(ms, zone);
  return msOfWallTime({ year, month, day: day + days, hour: 0, minute: 0, second: 0 }, zone);
}

/** `2026-11-20 14:00`, with seconds if there are any: a form that can be typed again. */
export function wallTimeText(ms: number, zone: Zone): string {
  const { year, month, day, hour, minute, second } = wallTimeOf(ms, zone);
  const seconds = second === 0 ? "" : `:${twoDigits(second)}`;
  return `${year}-${twoDigits(month)}-${twoDigits(day)} ${twoDigits(hour)}:${twoDigits(minute)}${seconds}`;
}
