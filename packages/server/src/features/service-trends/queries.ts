import { z } from "zod";
import { query } from "#store/column/query.ts";

const Figures = z.array(z.number());

/**
 * A row per service: arrays in parallel, one entry per bucket that has CPU profiles, in no order. The whole time before
 * `fromSeconds` is one bucket, which starts at 0.
 */
export const cpuByService = query({
  name: "service-trends.cpu",
  sql: `SELECT service, groupArray(start) AS starts, groupArray(total) AS totals, groupArray(lasted) AS durationsNs
        FROM (
          SELECT service, if(minute < toDateTime({fromSeconds:UInt32}, 'UTC'), 0,
              intDiv(toUnixTimestamp(minute), {bucketSeconds:UInt32})) AS start,
            toFloat64(sum(value)) AS total, toFloat64(sum(duration_ns)) AS lasted
          FROM type_totals_1m
          WHERE org_id = {orgId:UUID} AND type = 'cpu' AND sample_type = 'cpu/nanoseconds'
            AND minute >= toDateTime({beforeSeconds:UInt32}, 'UTC') AND minute < toDateTime({toSeconds:UInt32}, 'UTC')
          GROUP BY service, start
        )
        GROUP BY service`,
  params: z.object({
    orgId: z.uuid(),
    /** Whole minutes as Unix seconds. */
    beforeSeconds: z.int(),
    fromSeconds: z.int(),
    toSeconds: z.int(),
    bucketSeconds: z.int(),
  }),
  row: z.object({ service: z.string(), starts: Figures, totals: Figures, durationsNs: Figures }),
});
