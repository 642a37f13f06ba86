import { type SeriesChart, spanMs } from "@flamekeep/contract";

type Line = Omit<SeriesChart["lines"][number], "value">;

/** Widths that are requested, and multiples to which sparse buckets are joined. */
const ladder = ["1m", "5m", "15m", "30m", "1h", "4h", "12h", "1d", "7d"] as const;
const pointsMax = 300;

/** The narrowest width with which a range has at most 300 points. */
export function bucketFor(lengthMs: number): string {
  return ladder.find((width) => lengthMs / spanMs(width)! <= pointsMax) ?? "30d";
}

/** The buckets of a chart: their starts and width. */
export interface Buckets {
  readonly fromMs: number;
  readonly widthMs: number;
  readonly count: number;
}

/**
 * How many buckets to join so that profiles that come regularly, but less often than once per bucket, are a line and not dots.
 * 1 if most buckets have profiles.
 */
export function joinFactor({ widthMs }: Buckets, charts: readonly SeriesChart[]): number {
  const factors = charts.map((chart) => usualGap(sumsOf(chart, "profile_counts")));
  const gap = Math.max(1, ...factors);
  if (gap === 1) return 1;
  const wide = ladder.map((width) => spanMs(width)!).find((ms) => ms >= gap * widthMs && ms % widthMs === 0);
  return wide === undefined ? gap : wide / widthMs;
}

/** Profiles or durations of all lines, summed by bucket. */
export function sumsOf({ lines, other }: SeriesChart, of: "profile_counts" | "durations_ms"): number[] {
  const sums: number[] = [];
  for (const line of other === null ? lines : [...lines, other])
    for (const [at, value] of line[of].entries()) sums[at] = (sums[at] ?? 0) + value;
  return sums;
}

/** The median distance between buckets with profiles. */
function usualGap(counts: readonly number[]): number {
  const gaps: number[] = [];
  let last: number | undefined;
  for (let at = 0; at < counts.length; at++) {
    if (!(counts[at]! > 0)) continue;
    if (last !== undefined) gaps.push(at - last);
    last = at;
  }
  return gaps.sort((a, b) => a - b)[gaps.length >> 1] ?? 1;
}

/** Buckets that are joined lie on multiples of their new width, as the server's do. */
export function joinBuckets(
  buckets: Buckets,
  charts: readonly SeriesChart[],
  factor: number,
): { readonly buckets: Buckets; readonly charts: readonly SeriesChart[] } {
  if (factor === 1) return { buckets, charts };
  const widthMs = buckets.widthMs * factor;
  const fromMs = Math.floor(buckets.fromMs / widthMs) * widthMs;
  const skipped = (buckets.fromMs - fromMs) / buckets.widthMs;
  const count = Math.ceil((buckets.count + skipped) / factor);
  const place = (at: number) => Math.floor((at + skipped) / factor);
  const join = <L extends Line>(line: L, isMean: boolean): L => ({
    ...line,
    ...joined(line, place, count, isMean),
  });
  return {
    buckets: { fromMs, widthMs, count },
    charts: charts.map((chart) => {
      const isMean = chart.aggregation === "mean";
      return {
        ...chart,
        lines: chart.lines.map((line) => join(line, isMean)),
        other: chart.other === null ? null : join(chart.other, isMean),
      };
    }),
  };
}

function joined(line: Line, place: (at: number) => number, count: number, isMean: boolean) {
  const sums = new Array<number | null>(count).fill(null);
  const counts = new Array<number>(count).fill(0);
  const durations = new Array<number>(count).fill(0);
  for (const [at, value] of line.values.entries()) {
    const to = place(at);
    const profiles = line.profile_counts[at] ?? 0;
    counts[to] = counts[to]! + profiles;
    durations[to] = durations[to]! + (line.durations_ms[at] ?? 0);
    if (value !== null) sums[to] = (sums[to] ?? 0) + (isMean ? value * profiles : value);
  }
  const values = sums.map((sum, at) => (sum === null || !isMean ? sum : sum / counts[at]!));
  return { values, profile_counts: counts, durations_ms: durations };
}
