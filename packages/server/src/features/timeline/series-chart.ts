import type { Aggregation, SeriesChart } from "@flamekeep/contract";
import { isGauge } from "@flamekeep/profile";
import type { Buckets } from "#http/query/time-range.ts";
import { toValueType } from "#store/profiles/profile-row.ts";
import type { ChartTopic } from "./series-topics.ts";

/** Parallel arrays with an entry per bucket that has profiles; starts are counted in buckets since 1970. */
interface LineSums {
  readonly starts: readonly number[];
  readonly totals: readonly number[];
  readonly profiles: readonly number[];
  readonly durationsNs: readonly number[];
}

/** The profiles with one value of a tag, or all others. */
export interface Group extends LineSums {
  readonly tagValue: string;
  readonly groups: number;
  readonly isOther: boolean;
}

export function toChart(buckets: Buckets, topic: ChartTopic, groups: readonly Group[]): SeriesChart {
  const { displayType, sampleType, sampleTypes } = topic;
  const aggregation = isGauge(toValueType(sampleType)) ? "mean" : "sum";
  const other = groups.find((group) => group.isOther);
  return {
    type: displayType,
    sample_types: [...sampleTypes],
    sample_type: sampleType,
    aggregation,
    lines: groups
      .filter((group) => !group.isOther)
      .map((group) => ({ value: group.tagValue, ...toLine(buckets, aggregation, group) })),
    other: other === undefined ? null : { groups: other.groups, ...toLine(buckets, aggregation, other) },
  };
}

function toLine(buckets: Buckets, aggregation: Aggregation, sums: LineSums) {
  const combined = (total: number, profiles: number) => (aggregation === "mean" ? total / profiles : total);
  const values = new Array<number | null>(buckets.count).fill(null);
  const counts = new Array<number>(buckets.count).fill(0);
  const durationsMs = new Array<number>(buckets.count).fill(0);
  const first = buckets.fromMs / buckets.widthMs;
  for (const [row, start] of sums.starts.entries()) {
    const profiles = sums.profiles[row]!;
    values[start - first] = combined(sums.totals[row]!, profiles);
    counts[start - first] = profiles;
    durationsMs[start - first] = sums.durationsNs[row]! / 1e6;
  }
  const profiles = sumOf(sums.profiles);
  return {
    total: combined(sumOf(sums.totals), profiles),
    profiles,
    values,
    profile_counts: counts,
    durations_ms: durationsMs,
  };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
