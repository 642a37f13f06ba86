import { type Aggregation, limits, type SeriesChart, type serviceSeries, spanMs } from "@flamekeep/contract";
import { isGauge } from "@flamekeep/profile";
import type { z } from "zod";
import type { Context } from "#context";
import { invalid } from "#failure";
import type { Operation } from "#http/endpoint/serve.ts";
import { hasLabels, type LabelFilter, labelFilterOf, labelsOf } from "#http/query/label-filter.ts";
import { type TagFilter, tagFilterOf } from "#http/query/tag-filter.ts";
import {
  type Buckets,
  bucketsOf,
  completeSpan,
  isoRange,
  rangeOf,
  secondsOf,
  spanText,
} from "#http/query/time-range.ts";
import { readLabelHours } from "#stacks/ranges/label-hours.ts";
import { queryOne } from "#store/column/query.ts";
import { toValueType } from "#store/profiles/profile-row.ts";
import { linesByLabel, linesByTag, recordedByBucket, usageByBucket } from "./queries.ts";
import {
  type ChartTopic,
  type LineTopic,
  likelyTopics,
  type SeriesRange,
  topicsOf,
} from "./series-topics.ts";

/**
 * A sample type over time, one line for each value of a tag. The totals of minutes have no tags: with tags the profiles
 * themselves are read, without their stacks.
 */
export const getSeries: Operation<typeof serviceSeries> = async (
  ctx,
  { orgId },
  { service, type, ...query },
) => {
  if (type === "all" && query.sample_type !== undefined)
    throw invalid("Query parameter sample_type needs a type other than all");
  if (query.group_by !== undefined && query.group_by_label !== undefined)
    throw invalid("Give one of the query parameters group_by and group_by_label");
  const filter = tagFilterOf(query);
  const labels = labelFilterOf(query.labels);
  const isByLabel = query.group_by_label !== undefined || hasLabels(labels);
  if (isByLabel && query.group_by !== undefined)
    throw invalid("Query parameter group_by cannot be used with labels: the lines of tags have no labels");
  const now = ctx.now();
  const requested = rangeOf(query, now);
  const buckets = bucketsOf(requested, spanMs(query.bucket)!);
  const range = { orgId, service, ...secondsOf(buckets) };
  const isTagged = isByLabel || query.group_by !== undefined || filter.tagNames.length > 0;
  const wanted = { tab: type, named: query.sample_type };
  const likely = isTagged ? [] : likelyTopics(wanted);
  // Read at the same time as the topics, because these are rarely others than the likely ones.
  const [topics, usage] = await Promise.all([
    topicsOf(ctx, range, wanted),
    readUsage(ctx, range, likely, buckets),
  ]);
  const groups = isTagged
    ? await Promise.all(
        topics.map((topic) =>
          isByLabel
            ? readByLabel(ctx, range, topic, { buckets, groupBy: query.group_by_label, filter, labels })
            : readByTag(ctx, range, topic, { buckets, groupBy: query.group_by, filter }),
        ),
      )
    : await readTotals(ctx, range, topics, { buckets, likely, usage });
  const charts = topics.map((topic, index) => toChart(buckets, topic, groups[index]!));
  return {
    service,
    bucket: spanText(buckets.widthMs),
    bucket_widened: buckets.isWidened,
    ...isoRange(buckets),
    ...completeSpan(buckets, requested, now),
    group_by: query.group_by ?? null,
    group_by_label: query.group_by_label ?? null,
    labels: labelsOf(labels),
    tags: Object.fromEntries(filter.tagNames.map((name, index) => [name, filter.tagValues[index]!])),
    charts: type === "all" ? charts.filter((chart) => chart.lines.length > 0) : charts,
  };
};

type Usage = z.output<(typeof usageByBucket)["row"]>;

interface ReadTotals {
  readonly buckets: Buckets;
  /** Topics whose usage was read already. */
  readonly likely: readonly LineTopic[];
  readonly usage: readonly Usage[];
}

/** The lines of each topic from the totals of minutes, with one query for all topics that were not read already. */
async function readTotals(
  ctx: Context,
  range: SeriesRange,
  topics: readonly ChartTopic[],
  { buckets, likely, usage }: ReadTotals,
): Promise<Group[][]> {
  const others = topics.filter((topic) => !likely.some((each) => isSameLine(each, topic)));
  const usageOfOthers = await readUsage(ctx, range, others, buckets);
  return topics.map((topic) =>
    (others.includes(topic) ? usageOfOthers : usage)
      .filter((row) => isSameLine(row, topic))
      .map((row) => ({ ...row, tagValue: "", groups: 1, isOther: false })),
  );
}

function isSameLine(a: LineTopic, b: LineTopic): boolean {
  return a.type === b.type && a.sampleType === b.sampleType;
}

async function readUsage(
  ctx: Context,
  range: SeriesRange,
  topics: readonly LineTopic[],
  buckets: Buckets,
): Promise<Usage[]> {
  if (topics.length === 0) return [];
  return await ctx.columns.query(usageByBucket, {
    ...range,
    bucketSeconds: buckets.widthMs / 1000,
    types: [...new Set(topics.map((topic) => topic.type))],
    sampleTypes: [...new Set(topics.map((topic) => topic.sampleType))],
  });
}

interface Split {
  readonly buckets: Buckets;
  readonly groupBy: string | undefined;
  readonly filter: TagFilter;
}

async function readByTag(
  ctx: Context,
  range: SeriesRange,
  topic: ChartTopic,
  { buckets, groupBy = "", filter }: Split,
): Promise<Group[]> {
  const rows = await ctx.columns.query(linesByTag, {
    ...range,
    ...filter,
    type: topic.type,
    sampleType: topic.sampleType,
    bucketSeconds: buckets.widthMs / 1000,
    groupBy,
    linesMax: limits.seriesLinesMax,
  });
  return rows.map((row) => ({ ...row, isOther: row.rank > limits.seriesLinesMax }));
}

/** Every line has the profiles of all buckets: means and rates are over all of them, so that lines add up. */
async function readByLabel(
  ctx: Context,
  range: SeriesRange,
  topic: ChartTopic,
  { buckets, groupBy = "", filter, labels }: Split & { readonly labels: LabelFilter },
): Promise<Group[]> {
  const params = {
    ...range,
    ...filter,
    type: topic.type,
    sampleType: topic.sampleType,
    bucketSeconds: buckets.widthMs / 1000,
  };
  const times = { from: new Date(buckets.fromMs), to: new Date(buckets.toMs) };
  const hours = await readLabelHours(ctx.columns, { ...params, ...times });
  const groups = { ...labels, ...hours, groupBy, linesMax: limits.seriesLinesMax };
  const [lines, recorded] = await Promise.all([
    ctx.columns.query(linesByLabel, { ...params, ...groups }),
    queryOne(ctx.columns, recordedByBucket, params),
  ]);
  if (recorded.starts.length === 0) return [];
  return lines.map(({ rank, labelValue, groups, starts, totals }) => {
    const totalOf = new Map(starts.map((start, index) => [start, totals[index]!]));
    return {
      ...recorded,
      totals: recorded.starts.map((start) => totalOf.get(start) ?? 0),
      tagValue: labelValue,
      groups,
      isOther: rank > limits.seriesLinesMax,
    };
  });
}

/** Parallel arrays with an entry per bucket that has profiles; starts are counted in buckets since 1970. */
interface LineSums {
  readonly starts: readonly number[];
  readonly totals: readonly number[];
  readonly profiles: readonly number[];
  readonly durationsNs: readonly number[];
}

/** The profiles with one value of a tag, or all others. */
interface Group extends LineSums {
  readonly tagValue: string;
  readonly groups: number;
  readonly isOther: boolean;
}

function toChart(buckets: Buckets, topic: ChartTopic, groups: readonly Group[]): SeriesChart {
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
