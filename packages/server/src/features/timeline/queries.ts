import { z } from "zod";
import { query } from "#store/column/query.ts";
import { MinuteRange } from "#store/column/values.ts";

const Range = MinuteRange.extend({ bucketSeconds: z.int() });

const Figures = z.array(z.number());

/**
 * A row per type and sample type: arrays in parallel, one entry per bucket that has profiles, in no order. Lists of
 * names are compared one column at a time: comparing pairs takes twice as long in the index of every day.
 */
export const usageByBucket = query({
  name: "timeline.usage",
  isCacheable: true,
  sql: `SELECT type, sample_type AS sampleType, groupArray(start) AS starts, groupArray(total) AS totals,
          groupArray(counted) AS profiles, groupArray(lasted) AS durationsNs
        FROM (
          SELECT type, sample_type, intDiv(toUnixTimestamp(minute), {bucketSeconds:UInt32}) AS start,
            toFloat64(sum(value)) AS total, toFloat64(sum(profiles)) AS counted, toFloat64(sum(duration_ns)) AS lasted
          FROM type_totals_1m
          WHERE org_id = {orgId:UUID} AND service = {service:String} AND type IN {types:Array(String)}
            AND sample_type IN {sampleTypes:Array(String)}
            AND minute >= toDateTime({fromSeconds:UInt32}, 'UTC') AND minute < toDateTime({toSeconds:UInt32}, 'UTC')
          GROUP BY type, sample_type, start
        )
        GROUP BY type, sampleType`,
  params: Range.extend({ types: z.array(z.string()), sampleTypes: z.array(z.string()) }),
  row: z.object({
    type: z.string(),
    sampleType: z.string(),
    starts: Figures,
    totals: Figures,
    profiles: Figures,
    durationsNs: Figures,
  }),
});

/** Custom profiles are gauges or counters, and nothing says which: the mean is correct for both. */
export const customByBucket = query({
  name: "timeline.custom",
  isCacheable: true,
  sql: `SELECT sample_type AS sampleType, groupArray(start) AS starts, groupArray(mean) AS means
        FROM (
          SELECT sample_type, intDiv(toUnixTimestamp(minute), {bucketSeconds:UInt32}) AS start,
            sum(value) / sum(profiles) AS mean
          FROM type_totals_1m
          WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = 'custom' AND sample_type != ''
            AND minute >= toDateTime({fromSeconds:UInt32}, 'UTC') AND minute < toDateTime({toSeconds:UInt32}, 'UTC')
          GROUP BY sample_type, start
        )
        GROUP BY sampleType
        ORDER BY sampleType`,
  params: Range,
  row: z.object({ sampleType: z.string(), starts: z.array(z.number()), means: z.array(z.number()) }),
});
