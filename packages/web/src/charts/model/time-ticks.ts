import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import {
  aheadMs,
  clockText,
  monthNames,
  repeatedMs,
  startOfDayMs,
  wallTimeOf,
  type Zone,
} from "#format/wall-time.ts";

const secondMs = 1000;
const steps = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * secondMs),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minuteMs),
  ...[1, 2, 3, 4, 6, 8, 12].map((count) => count * hourMs),
  ...[1, 2, 3, 5, 7, 10, 14, 30, 60, 90, 180, 365].map((count) => count * dayMs),
];

/** `11/23` */
function dayText(atMs: number, zone: Zone): string {
  const { month, day } = wallTimeOf(atMs, zone);
  return `${month}/${day}`;
}

function isOneDay(firstMs: number, lastMs: number, zone: Zone): boolean {
  return startOfDayMs(firstMs, zone) === startOfDayMs(lastMs, zone);
}

export interface TimeTicks {
  readonly timesMs: readonly number[];
  /** One text per tick. Lines of a text are separated by a line feed. */
  readonly texts: readonly string[];
  readonly lines: 1 | 2;
}

/**
 * Ticks on round times of the zone's wall clock, at most `max` of them: HH:MM if all points are on one day, otherwise M/D.
 * Where several ticks share a day, they are times, and the first one of each day has its date on a second line.
 */
export function timeTicks(
  range: { readonly fromMs: number; readonly toMs: number; readonly lastPointMs: number },
  zone: Zone,
  max = 6,
): TimeTicks {
  const { fromMs, toMs, lastPointMs } = range;
  // A short step over a long range would list millions of ticks only to be rejected, so the length is compared first.
  const found = steps.find(
    (step) => (toMs - fromMs) / step <= max && ticksOf(fromMs, toMs, step, zone).length <= max,
  );
  const step = found ?? Math.ceil((toMs - fromMs) / max / dayMs) * dayMs;
  const timesMs = ticksOf(fromMs, toMs, step, zone);
  const clock = (atMs: number) => clockText(atMs, zone, step < minuteMs);
  if (isOneDay(fromMs, lastPointMs, zone)) {
    // The offset of a repeated hour is on a second line: both hours are there.
    const texts = timesMs.map((atMs) => clock(atMs).replace(" ", "\n"));
    return { timesMs, texts, lines: texts.some((text) => text.includes("\n")) ? 2 : 1 };
  }
  if (step >= dayMs) return { timesMs, texts: timesMs.map((atMs) => dayText(atMs, zone)), lines: 1 };
  const isFirst = (at: number) => at === 0 || !isOneDay(timesMs[at - 1]!, timesMs[at]!, zone);
  const texts = timesMs.map((atMs, at) =>
    isFirst(at) ? `${clock(atMs)}\n${dateText(atMs, zone)}` : clock(atMs),
  );
  return { timesMs, texts, lines: 2 };
}

/** A round time that a clock change repeats is two ticks; one that it skips is none. */
function ticksOf(fromMs: number, toMs: number, stepMs: number, zone: Zone): number[] {
  const aheads = [aheadMs(fromMs, zone), aheadMs(toMs, zone)];
  const wallFrom = fromMs + Math.min(...aheads);
  const wallTo = toMs + Math.max(...aheads);
  const times = new Set<number>();
  for (let wall = Math.ceil(wallFrom / stepMs) * stepMs; wall <= wallTo; wall += stepMs) {
    const approximateMs = wall - aheadMs(fromMs, zone);
    // The offset at the tick itself counts: it changes with daylight saving time inside the range.
    const atMs = wall - aheadMs(approximateMs, zone);
    if (atMs + aheadMs(atMs, zone) !== wall) continue;
    times.add(atMs);
    times.add(repeatedMs(atMs, zone) ?? atMs);
  }
  return [...times].filter((atMs) => atMs >= fromMs && atMs <= toMs).sort((a, b) => a - b);
}

/** `Nov 23` */
function dateText(atMs: number, zone: Zone): string {
  const { month, day } = wallTimeOf(atMs, zone);
  return `${monthNames[month - 1]} ${day}`;
}

/** `Nov 23, 14:05` */
export function momentText(atMs: number, zone: Zone): string {
  return `${dateText(atMs, zone)}, ${clockText(atMs, zone)}`;
}

/** `Nov 23, 14:00 – 14:15`, with both days if they differ. */
export function spanText(fromMs: number, toMs: number, zone: Zone): string {
  const end = isOneDay(fromMs, toMs, zone) ? clockText(toMs, zone) : momentText(toMs, zone);
  return `${momentText(fromMs, zone)} – ${end}${zone === "utc" ? " UTC" : ""}`;
}
