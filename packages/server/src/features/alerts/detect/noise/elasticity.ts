/** How much of a change in requests, or in another type of the service, the values of a series follow. */
import { medianOf } from "#alerts/detect/series/statistics.ts";
import { cellsOfHour, type Grid, hourlyMean } from "./grid.ts";

/** Changes over this time are compared with each other: levels would also compare one regression with the next. */
const apartHours = 6;
const pairsMin = 48;
/** Smaller changes of requests tell little. A logarithm. */
const requestChangeMin = 0.1;
const correlationMin = 0.25;

/** By how much values usually change with requests, both as logarithms: the median ratio, between 0 and 1.5. */
export function elasticityOf(values: Grid, requests: Grid): number {
  const ratios = pairsOf(requests, values)
    .filter(([requestChange]) => Math.abs(requestChange) >= requestChangeMin)
    .map(([requestChange, change]) => change / requestChange);
  if (ratios.length < pairsMin) return 0;
  return Math.min(1.5, Math.max(0, medianOf(ratios)));
}

/**
 * The ratio of the usual changes of the two, if they mostly have the same sign: that share is the correlation of normal
 * values, and a regression in either changes little of it.
 */
export function siblingRatioOf(values: Grid, sibling: Grid): number | undefined {
  const pairs = pairsOf(sibling, values);
  const agreement = pairs.reduce((sum, [x, y]) => sum + Math.sign(x) * Math.sign(y), 0) / pairs.length;
  if (pairs.length < pairsMin || Math.sin((Math.PI / 2) * agreement) < correlationMin) return undefined;
  const usual = (of: 0 | 1) => medianOf(pairs.map((pair) => Math.abs(pair[of])));
  return usual(1) / usual(0);
}

/** How both changed over six hours, for each hour. */
function pairsOf(x: Grid, y: Grid): [number, number][] {
  const pairs: [number, number][] = [];
  for (let at = (1 + apartHours) * cellsOfHour; at < x.counts.length; at += cellsOfHour) {
    const pair = [x, y].map((of) => hourlyMean(of, at) - hourlyMean(of, at - apartHours * cellsOfHour));
    if (!pair.some(Number.isNaN)) pairs.push(pair as [number, number]);
  }
  return pairs;
}
