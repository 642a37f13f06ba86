import { z } from "zod";
import { question } from "#store/column/question.ts";

/** `service` may be empty for all. */
const Range = z.object({ orgId: z.uuid(), service: z.string(), fromSeconds: z.int() });

const ReadingRow = z.object({
  reading: z.enum(["duration_ms", "cpu_percent", "heap_in_use_bytes", "heap_alloc_bytes"]),
  samples: z.number(),
  mean: z.number(),
  peak: z.number(),
  p95: z.number(),
});
export type ReadingRow = z.output<typeof ReadingRow>;

/** A row per reading that any profile gave since a whole hour; `duration_ms` of the CPU profiles. */
export const readingsSinceHour = question({
  name: "summary.readings-since-hour",
  sql: `SELECT reading, toFloat64(sum(readings_1h.samples)) AS samples, sum(amount) / sum(weight) AS mean,
          max(readings_1h.peak) AS peak, arrayElement(quantilesTDigestMerge(0.95)(digest), 1) AS p95
        FROM readings_1h
        WHERE org_id = {orgId:UUID} AND hour >= toDateTime({fromSeconds:UInt32}, 'UTC')
          AND reading IN ('duration_ms', 'cpu_percent', 'heap_in_use_bytes', 'heap_alloc_bytes')
          AND (reading != 'duration_ms' OR type = 'cpu')
          AND ({service:String} = '' OR service = {service:String})
        GROUP BY reading`,
  params: Range,
  row: ReadingRow,
});

/** As `readingsSinceHour`, since a minute: profiles of the part of an hour are read as the roll-up's view does. */
export const readingsSinceMinute = question({
  name: "summary.readings-since-minute",
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
  params: Range,
  row: ReadingRow,
});
