import { dayMs } from "@flamekeep/contract/durations";

// Days and hours in UTC.

/** In seconds. */
export const hourSeconds = 3600;
export const daySeconds = 86_400;

/** The latest day that was asked for, which is nearly always today. */
let latest = { day: Number.NaN, text: "" };

/** `YYYY-MM-DD` of Unix milliseconds. */
export function utcDayOf(ms: number): string {
  const day = Math.floor(ms / dayMs);
  if (day !== latest.day) latest = { day, text: new Date(day * dayMs).toISOString().slice(0, 10) };
  return latest.text;
}

/** `YYYY-MM-DD` of Unix seconds. */
export function dayOf(seconds: number): string {
  return utcDayOf(seconds * 1000);
}

/** The start of the hour; Unix seconds. */
export function hourOf(seconds: number): number {
  return seconds - (seconds % hourSeconds);
}
