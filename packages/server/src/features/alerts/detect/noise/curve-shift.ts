/** Whether the curve of the day has moved by an hour, as when summer time begins or ends. */
import { dayMs, hourMs } from "@flamekeep/contract/durations";
import { profilesMin } from "#alerts/detect/series/scales.ts";
import { meanOf, type Series } from "#alerts/detect/series/series.ts";
import { medianOf } from "#alerts/detect/series/statistics.ts";

/** The hours that must show it. */
const shownHours = 12;
const hoursKnownMin = 8;
/** The days whose curve is compared. Those just before may have moved already. */
const daysBefore = [7, 8, 9, 10, 11, 12, 13, 14];
const daysKnownMin = 3;
/** A moved curve leaves at most this part of the squares that the usual one leaves. */
const squaresMax = 0.5;

/** How much later the curve is than one and two weeks ago: an hour, minus an hour, or 0. */
export function curveShift(values: Series, atMs: number): number {
  const [usual, later, sooner] = [0, hourMs, -hourMs].map((byMs) => squaresLeft(values, atMs, byMs));
  if (usual === undefined || later === undefined || sooner === undefined) return 0;
  if (Math.min(later, sooner) > squaresMax * usual) return 0;
  return later < sooner ? hourMs : -hourMs;
}

/** The mean square of the last hours over the curve of earlier days, moved by this time, around its mean. */
function squaresLeft(values: Series, atMs: number, byMs: number): number | undefined {
  const left: number[] = [];
  for (let back = 1; back <= shownHours; back++) {
    const toMs = atMs - (back - 1) * hourMs;
    const now = hourBefore(values, toMs);
    const then = daysBefore
      .map((days) => hourBefore(values, toMs - days * dayMs - byMs))
      .filter((each) => each !== undefined);
    if (now !== undefined && then.length >= daysKnownMin) left.push(now - medianOf(then));
  }
  if (left.length < hoursKnownMin) return undefined;
  const mean = left.reduce((sum, each) => sum + each, 0) / left.length;
  return left.reduce((sum, each) => sum + (each - mean) ** 2, 0) / left.length;
}

function hourBefore(values: Series, toMs: number): number | undefined {
  const { count, logMean } = meanOf(values, { fromMs: toMs - hourMs, toMs });
  return count < profilesMin ? undefined : logMean;
}
