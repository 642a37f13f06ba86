import { z } from "zod";
import { question } from "#store/column/question.ts";
import { Count, Instant } from "#store/column/values.ts";

/** `fromSeconds` is the start of a minute; `service` may be empty for all. */
const Range = z.object({ orgId: z.uuid(), service: z.string(), fromSeconds: z.int() });

const CountRow = z.object({
  service: z.string(),
  type: z.string(),
  profiles: Count,
  /** To the minute. */
  earliest: Instant,
  latest: Instant,
});
export type CountRow = z.output<typeof CountRow>;

/** Profiles by service and type: whole hours from the roll-up, those of the part of an hour before one by one. */
export const countsByService = question({
  name: "summary.counts",
  sql: `WITH toDateTime({fromSeconds:UInt32}, 'UTC') AS range_from,
          toStartOfHour(range_from + INTERVAL 3599 SECOND) AS first_hour
        SELECT service, type, sum(part) AS profiles, min(first) AS earliest, max(last) AS latest
        FROM (
          SELECT service, type, readings_1h.profiles AS part, toStartOfMinute(readings_1h.earliest) AS first,
            toStartOfMinute(readings_1h.latest) AS last
          FROM readings_1h
          WHERE org_id = {orgId:UUID} AND reading = 'duration_ms' AND hour >= first_hour
            AND ({service:String} = '' OR service = {service:String})
          UNION ALL
          SELECT service, type, toUInt64(1) AS part, toStartOfMinute(started_at) AS first, first AS last
          FROM profiles
          WHERE org_id = {orgId:UUID} AND started_at >= range_from AND started_at < first_hour
            AND ({service:String} = '' OR service = {service:String})
        )
        GROUP BY service, type`,
  params: Range,
  row: CountRow,
});

/** One row: profiles since a minute, the day's, and since two whole hours, the week's and the month's. */
export const recentProfiles = question({
  name: "summary.recent",
  sql: `WITH toDateTime({daySeconds:UInt32}, 'UTC') AS day,
          toStartOfHour(day + INTERVAL 3599 SECOND) AS first_hour,
          (
            SELECT count() FROM profiles
            WHERE org_id = {orgId:UUID} AND started_at >= day AND started_at < first_hour
              AND ({service:String} = '' OR service = {service:String})
          ) AS before_first_hour
        SELECT sumIf(profiles, hour >= first_hour) + before_first_hour AS lastDay,
          sumIf(profiles, hour >= toDateTime({weekSeconds:UInt32}, 'UTC')) AS lastWeek, sum(profiles) AS lastMonth
        FROM readings_1h
        WHERE org_id = {orgId:UUID} AND reading = 'duration_ms' AND hour >= toDateTime({monthSeconds:UInt32}, 'UTC')
          AND ({service:String} = '' OR service = {service:String})`,
  params: z.object({
    orgId: z.uuid(),
    service: z.string(),
    daySeconds: z.int(),
    weekSeconds: z.int(),
    monthSeconds: z.int(),
  }),
  row: z.object({ lastDay: Count, lastWeek: Count, lastMonth: Count }),
});
