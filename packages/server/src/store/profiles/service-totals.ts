import { z } from "zod";
import { question } from "#store/column/question.ts";
import { Count, Instant } from "#store/column/values.ts";

const ServiceTypeRow = z.object({ service: z.string(), type: z.string(), profiles: Count, latest: Instant });
export type ServiceTypeRow = z.output<typeof ServiceTypeRow>;

/**
 * Services and types that sent profiles, how many and when the latest began. Counts come from the minutes' totals
 * (`sinceMs` must be the start of a minute); the profiles themselves are read for each latest minute alone.
 */
export const servicesByType = question({
  name: "profiles.services",
  sql: `WITH
          counted AS (
            SELECT service, type, sum(profiles) AS profiles, max(minute) AS latest_minute
            FROM type_totals_1m
            WHERE org_id = {orgId:UUID} AND sample_type = ''
              AND minute >= fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC')
            GROUP BY service, type
          )
        SELECT service, type, counted.profiles AS profiles, latest
        FROM counted
        JOIN (
          SELECT service, type, max(started_at) AS latest
          FROM profiles
          WHERE org_id = {orgId:UUID}
            AND (service, type, toStartOfMinute(started_at)) IN (SELECT service, type, latest_minute FROM counted)
          GROUP BY service, type
        ) AS exact USING (service, type)`,
  params: z.object({ orgId: z.uuid(), sinceMs: z.int() }),
  row: ServiceTypeRow,
});
