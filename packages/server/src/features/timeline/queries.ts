import { z } from "zod";
import { question } from "#store/column/question.ts";

/** Whole minutes as Unix seconds; `type` may be `all`. */
const Range = z.object({
  orgId: z.uuid(),
  service: z.string(),
  fromSeconds: z.int(),
  toSeconds: z.int(),
  bucketSeconds: z.int(),
});

/** A figure without a value comes as NaN, which JSON writes as null: groupArray would drop a NULL. */
const Figures = z.array(z.number().nullable());

/** One row: arrays in parallel, one entry per bucket that has profiles, in no order. */
export const usageByBucket = question({
  name: "timeline.usage",
  sql: `SELECT groupArray(start) AS starts, groupArray(cpuSeconds) AS cpuSeconds, groupArray(cpuPercent) AS cpuPercent,
          groupArray(memoryBytes) AS memoryBytes, groupArray(goroutines) AS goroutines,
          groupArray(mutexSeconds) AS mutexSeconds, groupArray(blockSeconds) AS blockSeconds
        FROM (
          SELECT intDiv(toUnixTimestamp(minute), {bucketSeconds:UInt32}) AS start,
            if(countIf(type = 'cpu') = 0, nan, sumIf(value, type = 'cpu') / 1e9) AS cpuSeconds,
            if(sumIf(duration_ns, type = 'cpu') = 0, nan,
              100 * sumIf(value, type = 'cpu') / sumIf(duration_ns, type = 'cpu')) AS cpuPercent,
            sumIf(value, type = 'memory') / sumIf(profiles, type = 'memory') AS memoryBytes,
            sumIf(value, type = 'goroutine') / sumIf(profiles, type = 'goroutine') AS goroutines,
            if(countIf(type = 'mutex') = 0, nan, sumIf(value, type = 'mutex') / 1e9) AS mutexSeconds,
            if(countIf(type = 'block') = 0, nan, sumIf(value, type = 'block') / 1e9) AS blockSeconds
          FROM type_totals_1m
          WHERE org_id = {orgId:UUID} AND service = {service:String}
            AND ({type:String} = 'all' OR type = {type:String})
            AND (type, sample_type) IN (('cpu', 'cpu/nanoseconds'), ('memory', 'inuse_space/bytes'),
              ('goroutine', 'goroutine/count'), ('goroutine', 'goroutines/count'),
              ('mutex', 'delay/nanoseconds'), ('block', 'delay/nanoseconds'))
            AND minute >= toDateTime({fromSeconds:UInt32}, 'UTC') AND minute < toDateTime({toSeconds:UInt32}, 'UTC')
          GROUP BY start
        )`,
  params: Range.extend({ type: z.string() }),
  row: z.object({
    starts: z.array(z.number()),
    cpuSeconds: Figures,
    cpuPercent: Figures,
    memoryBytes: Figures,
    goroutines: Figures,
    mutexSeconds: Figures,
    blockSeconds: Figures,
  }),
});

/** Custom profiles count what exists as often as what happens, and nothing tells which: the mean of both is true. */
export const customByBucket = question({
  name: "timeline.custom",
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
