import { z } from "zod";
import { question } from "#store/column/question.ts";
import { Count, Instant } from "#store/column/values.ts";

const ServiceTypeRow = z.object({ service: z.string(), type: z.string(), profiles: Count, latest: Instant });
export type ServiceTypeRow = z.output<typeof ServiceTypeRow>;

/**
 * Services and types that sent profiles, how many and when the latest began. `sinceMs` must be the start of a
 * minute: days come from the days' totals, the rest of the first day from the minutes', which are not read where that is all of it.
 */
export const servicesByType = question({
  name: "profiles.services",
  sql: `WITH
          fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC') AS since,
          toDate(since - toIntervalMillisecond(1)) AS first_day
        SELECT service, type, sum(counted) AS profiles, max(began) AS latest
        FROM (
          SELECT service, type, if(day > first_day, profiles, 0) AS counted, latest AS began
          FROM service_days
          WHERE org_id = {orgId:UUID} AND day >= first_day
          UNION ALL
          SELECT service, type, profiles AS counted, toDateTime64(0, 3, 'UTC') AS began
          FROM type_totals_1m
          WHERE org_id = {orgId:UUID} AND sample_type = '' AND minute >= since AND minute < first_day + 1
        )
        GROUP BY service, type
        HAVING profiles > 0`,
  params: z.object({ orgId: z.uuid(), sinceMs: z.int() }),
  row: ServiceTypeRow,
});

/** Profiles by type; `service` empty means all. As above for `sinceMs`. */
export const countsByType = question({
  name: "profiles.counts-by-type",
  sql: `WITH
          fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC') AS since,
          toDate(since - toIntervalMillisecond(1)) AS first_day
        SELECT type, sum(counted) AS profiles
        FROM (
          SELECT type, profiles AS counted
          FROM service_days
          WHERE org_id = {orgId:UUID} AND day > first_day AND ({service:String} = '' OR service = {service:String})
          UNION ALL
          SELECT type, profiles AS counted
          FROM type_totals_1m
          WHERE org_id = {orgId:UUID} AND sample_type = '' AND minute >= since AND minute < first_day + 1
            AND ({service:String} = '' OR service = {service:String})
        )
        GROUP BY type`,
  params: z.object({ orgId: z.uuid(), sinceMs: z.int(), service: z.string() }),
  row: z.object({ type: z.string(), profiles: Count }),
});
