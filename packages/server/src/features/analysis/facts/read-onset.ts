import type { Onset } from "@flamekeep/contract";
import { z } from "zod";
import { type RangeSeries, type RangeStacks, toMergeRange } from "#analysis/ranges/read-range.ts";
import type { AnalysedRange } from "#analysis/store/stored-analysis.ts";
import type { Context } from "#context";
import { isAveraged } from "#stacks/ranges/merge-range.ts";
import { query } from "#store/column/query.ts";
import { Count, SeriesRange } from "#store/column/values.ts";
import type { ServiceFacts } from "./gather.ts";

/** Enough to place a deploy, in a fraction of a second for a month. */
const pointsMax = 400;

/** The totals of the profiles over time. */
const valuesOverTime = query({
  name: "analysis.values-over-time",
  sql: `SELECT toFloat64(toUnixTimestamp64Milli(min(started_at))) AS atMs, toFloat64(sum(duration_ns)) AS durationNs,
          sum(toFloat64(deltas_totals[indexOf(sample_types, {sampleType:String})])) AS total, count() AS profiles
        FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
          AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
          AND has(sample_types, {sampleType:String})
          AND arrayAll((name, texts) -> has(texts, tags[name]), {tagNames:Array(String)}, {tagValues:Array(Array(String))})
        GROUP BY intDiv(toUnixTimestamp(started_at), {pointSeconds:UInt32})
        ORDER BY atMs`,
  params: SeriesRange.extend({
    sampleType: z.string(),
    tagNames: z.array(z.string()),
    tagValues: z.array(z.array(z.string())),
    pointSeconds: z.int().positive(),
  }),
  row: z.object({ atMs: z.number(), durationNs: z.number(), total: z.number(), profiles: Count }),
});

interface ComparedSpans {
  readonly range: AnalysedRange;
  readonly baseline: AnalysedRange;
  readonly stacks: Pick<RangeStacks, "sampleType">;
  readonly deploys: ServiceFacts["deploys"];
}

/**
 * When the increase from the baseline to the range began, over both and the time between them. Null if the baseline is the later one:
 * what is higher in the earlier range ended, and did not begin.
 */
export async function readOnset(
  ctx: Context,
  series: RangeSeries,
  { range, baseline, stacks: { sampleType }, deploys = [] }: ComparedSpans,
): Promise<Onset | null> {
  if (baseline.fromMs >= range.fromMs) return null;
  const fromMs = Math.min(range.fromMs, baseline.fromMs);
  const toMs = Math.max(range.toMs, baseline.toMs);
  const rows = await ctx.columns.query(valuesOverTime, {
    ...toMergeRange(series, { fromMs, toMs, tags: range.tags }),
    sampleType,
    pointSeconds: Math.max(1, Math.ceil((toMs - fromMs) / 1000 / pointsMax)),
  });
  const isGauge = isAveraged(sampleType);
  const points = rows.map(
    ({ atMs, durationNs, total, profiles }): MeasuredPoint => ({
      atMs,
      value: total / (isGauge || durationNs === 0 ? profiles : durationNs),
    }),
  );
  return onsetOf(points, deploys);
}

/** The value of one instance at a moment of the two ranges. */
interface MeasuredPoint {
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
