import type { Distribution } from "#ingest/upload/histogram.ts";

/** Requests whose durations are within two bounds. */
export type Bucket = readonly [lower: number, upper: number, count: number];

/** Buckets with requests, and bounds, as a measure of the memory. */
export function weightOf({ layout, counts }: Distribution): number {
  return counts.size + (typeof layout === "number" ? 1 : layout.length);
}

/** The counts of a histogram since `earlier`; undefined if a count fell, so that it began again. */
export function growthOf(earlier: Distribution, later: Distribution): Distribution | undefined {
  const [before, after] = inOneLayout(earlier, later);
  const counts = new Map(after.counts);
  for (const [index, count] of before.counts) {
    const grown = (counts.get(index) ?? 0) - count;
    if (grown < 0) return undefined;
    if (grown === 0) counts.delete(index);
    else counts.set(index, grown);
  }
  return { layout: after.layout, counts };
}

/** Exponential histograms halve their scale when durations spread wider: two neighbours become one bucket. */
function inOneLayout(a: Distribution, b: Distribution): readonly [Distribution, Distribution] {
  if (typeof a.layout !== "number" || typeof b.layout !== "number") return [a, b];
  const scale = Math.min(a.layout, b.layout);
  return [atScale(a, a.layout - scale, scale), atScale(b, b.layout - scale, scale)];
}

function atScale(distribution: Distribution, steps: number, layout: number): Distribution {
  if (steps === 0) return distribution;
  const counts = new Map<number, number>();
  for (const [index, count] of distribution.counts) {
    const wider = Math.floor(index / 2 ** steps);
    counts.set(wider, (counts.get(wider) ?? 0) + count);
  }
  return { layout, counts };
}

/**
 * The bounds of the buckets, narrowed by the shortest and longest duration where these are known. Otherwise the first bucket begins at 0,
 * and the last one, which has no end, is at its lower bound.
 */
export function bucketsOf(
  { layout, counts }: Distribution,
  { min = 0, max = Number.POSITIVE_INFINITY }: { readonly min?: number; readonly max?: number },
): readonly Bucket[] {
  return [...counts].map(([index, count]) => {
    const [from, to] = typeof layout === "number" ? exponential(index, layout) : explicit(index, layout);
    const lower = Math.max(0, Math.min(Math.max(from, min), to));
    const upper = Math.max(lower, Math.min(to, max));
    return [lower, Number.isFinite(upper) ? upper : lower, count];
  });
}

function exponential(index: number, scale: number): readonly [number, number] {
  const widthOfLog = 2 ** -scale;
  return [2 ** (index * widthOfLog), 2 ** ((index + 1) * widthOfLog)];
}

function explicit(index: number, bounds: readonly number[]): readonly [number, number] {
  return [bounds[index - 1] ?? 0, bounds[index] ?? Number.POSITIVE_INFINITY];
}
