import type { Onset } from "@flamekeep/contract";

/** The value of one instance at a moment of the two ranges. */
export interface MeasuredPoint {
  readonly atMs: number;
  readonly value: number;
}

/** A version of the service, and when it was first seen. */
interface Deploy {
  readonly version: string;
  readonly atMs: number;
}

/** Two levels must explain at least this part of the variance: less is a gradual rise, or noise. */
const explainedMin = 0.5;
/** Points on each side of a split: a single high value is no level. */
const sideMin = 2;
/** The first profile of a version may be of another type, taken a little earlier or later. */
const deployToleranceMs = 60_000;

/**
 * When values went from one level to a higher one. The points, ascending by time, are split where both parts vary least. Null if no
 * split explains the values well.
 */
export function onsetOf(points: readonly MeasuredPoint[], deploys: readonly Deploy[]): Onset | null {
  const whole = points.reduce((sum, { value }) => sum + value, 0);
  const mean = whole / points.length;
  const variance = points.reduce((sum, { value }) => sum + (value - mean) ** 2, 0);
  let [best, bestExplained, before] = [0, 0, 0];
  for (let count = 1; count <= points.length - sideMin; count++) {
    before += points[count - 1]!.value;
    if (count < sideMin) continue;
    const [low, high] = [before / count, (whole - before) / (points.length - count)];
    const explained = (count * (points.length - count) * (high - low) ** 2) / points.length;
    if (high > low && explained > bestExplained) [best, bestExplained] = [count, explained];
  }
  if (bestExplained < explainedMin * variance || best === 0) return null;
  const [last, first] = [points[best - 1]!, points[best]!];
  const deploy = deploys.findLast(({ atMs }) => atMs > last.atMs && atMs <= first.atMs + deployToleranceMs);
  return { at: new Date(first.atMs).toISOString(), version: deploy?.version ?? null };
}
