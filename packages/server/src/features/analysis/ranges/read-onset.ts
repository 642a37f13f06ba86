import type { Onset } from "@flamekeep/contract";
import { z } from "zod";
import type { ServiceFacts } from "#analysis/facts/gather.ts";
import type { AnalysedRange } from "#analysis/stored-analysis.ts";
import type { Context } from "#context";
import { isAveraged } from "#decoding/ranges/merge-range.ts";
import { query } from "#store/column/query.ts";
import { Count, SeriesRange } from "#store/column/values.ts";
import { type MeasuredPoint, onsetOf } from "./onset.ts";
import { type RangeSeries, type RangeStacks, toMergeRange } from "./read-range.ts";

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
          AND arrayAll((name, value) -> tags[name] = value, {tagNames:Array(String)}, {tagValues:Array(String)})
        GROUP BY intDiv(toUnixTimestamp(started_at), {pointSeconds:UInt32})
        ORDER BY atMs`,
  params: SeriesRange.extend({
    sampleType: z.string(),
    tagNames: z.array(z.string()),
    tagValues: z.array(z.string()),
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
