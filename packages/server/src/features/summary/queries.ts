import { z } from "zod";
import { question } from "#store/column/question.ts";
import { Count, Instant } from "#store/column/values.ts";

const CountRow = z.object({
  service: z.string(),
  type: z.string(),
  /** Since the start of the range. */
  profiles: Count,
  lastDay: Count,
  lastWeek: Count,
  lastMonth: Count,
  /** To the minute, of the profiles since the start of the range. */
  earliest: Instant,
  latest: Instant,
});
export type CountRow = z.output<typeof CountRow>;

/**
 * Profiles by service and type since four times, given as Unix seconds: two whole minutes and, for a week and a
 * month, whole hours. `service` may be empty for all. Of the hours the minutes lie in, the profiles are counted one
 * by one, which costs as much as the roll-up of a week; of all other hours the roll-up.
 */
export const countsByService = question({
  name: "summary.counts",
  sql: `WITH toDateTime({fromSeconds:UInt32}, 'UTC') AS range_from, toDateTime({daySeconds:UInt32}, 'UTC') AS day,
          toDateTime({weekSeconds:UInt32}, 'UTC') AS week, toDateTime({monthSeconds:UInt32}, 'UTC') AS month,
          toStartOfHour(range_from) AS from_hour, toStartOfHour(day) AS day_hour
        SELECT service, type, sumIf(part, at >= range_from) AS profiles, sumIf(part, at >= day) AS lastDay,
          sumIf(part, at >= week) AS lastWeek, sumIf(part, at >= month) AS lastMonth,
          minIf(first, at >= range_from) AS earliest, maxIf(last, at >= range_from) AS latest
        FROM (
          SELECT service, type, hour AS at, profiles AS part, toStartOfMinute(readings_1h.earliest) AS first,
            toStartOfMinute(readings_1h.latest) AS last
          FROM readings_1h
          WHERE org_id = {orgId:UUID} AND reading = 'duration_ms' AND hour >= least(range_from, month)
            AND hour NOT IN (from_hour, day_hour)
            AND ({service:String} = '' OR service = {service:String})
          UNION ALL
          SELECT service, type, toStartOfMinute(started_at) AS at, toUInt64(1) AS part, at AS first, at AS last
          FROM profiles
          WHERE org_id = {orgId:UUID}
            AND (started_at >= from_hour AND started_at < from_hour + INTERVAL 1 HOUR
              OR started_at >= day_hour AND started_at < day_hour + INTERVAL 1 HOUR)
            AND ({service:String} = '' OR service = {service:String})
        )
        GROUP BY service, type`,
  params: z.object({
    orgId: z.uuid(),
    service: z.string(),
    fromSeconds: z.int(),
    daySeconds: z.int(),
    weekSeconds: z.int(),
    monthSeconds: z.int(),
  }),
  row: CountRow,
});

const ReadingRow = z.object({
  reading: z.enum(["duration_ms", "cpu_percent", "heap_in_use_bytes", "heap_alloc_bytes"]),
  samples: z.number(),
  mean: z.number(),
  peak: z.number(),
  p95: z.number(),
});
export type ReadingRow = z.output<typeof ReadingRow>;

/**
 * A row per reading that any profile gave, `duration_ms` of the CPU profiles. Whole hours are read from the
 * roll-up; the profiles before the first one by one, as the roll-up's view does: none when the range begins with it.
 */
export const readings = question({
  name: "summary.readings",
  sql: `WITH toDateTime({fromSeconds:UInt32}, 'UTC') AS range_from,
          toStartOfHour(range_from + INTERVAL 3599 SECOND) AS first_hour
        SELECT reading, toFloat64(sum(sampled)) AS samples, sum(total) / sum(share) AS mean, max(top) AS peak,
          arrayElement(quantilesTDigestMerge(0.95)(state), 1) AS p95
        FROM (
          SELECT reading, sum(readings_1h.samples) AS sampled, sum(amount) AS total, sum(weight) AS share,
            max(readings_1h.peak) AS top, quantilesTDigestMergeState(0.95)(digest) AS state
          FROM readings_1h
          WHERE org_id = {orgId:UUID} AND hour >= first_hour
            AND reading IN ('duration_ms', 'cpu_percent', 'heap_in_use_bytes', 'heap_alloc_bytes')
            AND (reading != 'duration_ms' OR type = 'cpu')
            AND ({service:String} = '' OR service = {service:String})
          GROUP BY reading
          UNION ALL
          SELECT figure.1 AS reading, sum(sample_total) AS sampled, sum(figure.2) AS total, sum(figure.3) AS share,
            max(figure.2 / figure.3) AS top, quantilesTDigestState(0.95)(figure.2 / figure.3) AS state
          FROM (
            SELECT if(has(sample_types, 'samples/count'), deltas_totals[indexOf(sample_types, 'samples/count')],
                toInt64(sample_count)) AS sample_total,
              arrayFilter(entry -> entry.3 > 0, [
                ('duration_ms', duration_ns / 1e6, if(type = 'cpu', 1., 0.)),
                ('cpu_percent', 100. * deltas_totals[indexOf(sample_types, 'cpu/nanoseconds')],
                  if(type = 'cpu' AND has(sample_types, 'cpu/nanoseconds'), toFloat64(duration_ns), 0.)),
                ('heap_in_use_bytes', toFloat64(deltas_totals[indexOf(sample_types, 'inuse_space/bytes')]),
                  if(type = 'memory' AND has(sample_types, 'inuse_space/bytes'), 1., 0.)),
                ('heap_alloc_bytes', toFloat64(deltas_totals[indexOf(sample_types, 'alloc_space/bytes')]),
                  if(type = 'memory' AND deltas_totals[indexOf(sample_types, 'alloc_space/bytes')] > 0, 1., 0.))
              ]) AS figures
            FROM profiles
            WHERE org_id = {orgId:UUID} AND type IN ('cpu', 'memory')
              AND started_at >= range_from AND started_at < first_hour
              AND ({service:String} = '' OR service = {service:String})
          )
          ARRAY JOIN figures AS figure
          GROUP BY reading
        )
        GROUP BY reading`,
  params: z.object({ orgId: z.uuid(), service: z.string(), fromSeconds: z.int() }),
  row: ReadingRow,
});
