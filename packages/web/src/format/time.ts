import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { plural } from "./number.ts";
import { clockText, dayText, startOfDayMs, type Zone } from "./wall-time.ts";

/** `3 min ago`, or the date after a week. `N/A` if missing, `Invalid Date` if malformed. */
export function relativeTime(at: string | null | undefined, nowMs: number): string {
  if (!at) return "N/A";
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return "Invalid Date";
  const ageMs = nowMs - ms;
  if (ageMs < -minuteMs || ageMs >= 7 * dayMs) return dateText(at);
  return ageMs < 10_000 ? "just now" : `${inLargestUnit(ageMs)} ago`;
}

/** `33 min`: the time between two instants in its largest unit, rounded down. */
export function timeBetween(from: string, to: string): string {
  return inLargestUnit(Math.abs(Date.parse(to) - Date.parse(from)));
}

function inLargestUnit(ms: number): string {
  if (ms < minuteMs) return `${Math.floor(ms / 1000)} s`;
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min`;
  return ms < dayMs ? `${Math.floor(ms / hourMs)} h` : `${Math.floor(ms / dayMs)} d`;
}

/** `10:42` today, `Nov 22, 10:42` on other days, with the year if it is another. */
export function clockTime(at: string, nowMs: number, zone: Zone): string {
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return "Invalid Date";
  const clock = clockText(ms, zone);
  const isToday = startOfDayMs(ms, zone) === startOfDayMs(nowMs, zone);
  return isToday ? clock : `${dayText(ms, nowMs, zone)}, ${clock}`;
}

type Formatter = () => Intl.DateTimeFormat;

/** Making a formatter takes longer than rendering a row of a table, so each is made once, when it is first needed. */
function formatter(options: Intl.DateTimeFormatOptions): Formatter {
  let made: Intl.DateTimeFormat | undefined;
  return () => {
    made ??= new Intl.DateTimeFormat("en-US", options);
    return made;
  };
}

function formatted(at: string | null | undefined, format: Formatter): string {
  if (!at) return "N/A";
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "Invalid Date" : format().format(date);
}

const dayFormat = formatter({ year: "numeric", month: "short", day: "numeric" });
const toTheSecond = {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
  timeZoneName: "short",
} as const;
const exactFormats = {
  local: formatter(toTheSecond),
  utc: formatter({ ...toTheSecond, timeZone: "UTC" }),
};

/** `Nov 20, 2026` in the reader's time zone. */
export function dateText(at: string | null | undefined): string {
  return formatted(at, dayFormat);
}

/** Date and time to the second in the browser's time zone or UTC, with the zone's name. */
export function exactTime(at: string | null | undefined, zone: Zone = "local"): string {
  return formatted(at, exactFormats[zone]);
}

/** From and to, to the second. A day that both have is written once. */
export function exactSpan(from: string, to: string, zone: Zone = "local"): string {
  // Not with `formatRange`, which makes one moment of two that a clock change gives the same time of day.
  const [first, last] = [exactTime(from, zone), exactTime(to, zone)];
  if (first === last) return first;
  const day = first.slice(0, first.lastIndexOf(", ") + 2);
  return `${first} – ${last.startsWith(day) ? last.slice(day.length) : last}`;
}

const rangeLabels: Record<string, string> = {
  "1h": "Last hour",
  "4h": "Last 4 hours",
  "8h": "Last 8 hours",
  "24h": "Last 24 hours",
  "168h": "Last 7 days",
  "720h": "Last 30 days",
};

/** `24h` or `7d` in words. */
export function rangeLabel(range: string): string {
  const label = rangeLabels[range];
  if (label !== undefined) return label;
  const [, count, unit] = /^(\d+)([mhd])$/.exec(range) ?? [];
  if (count === undefined) return range;
  const word = unit === "d" ? "day" : unit === "h" ? "hour" : "minute";
  return `Last ${count === "1" ? word : plural(Number(count), word)}`;
}
