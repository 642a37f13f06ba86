import { z } from "zod";
import { query } from "#store/column/query.ts";
import { Count, SeriesRange } from "#store/column/values.ts";

export const requestsInRange = query({
  name: "traffic.requests",
  isCacheable: true,
  sql: `SELECT sum(requests) AS requests, uniqExact(minute) AS minutes, sum(duration_seconds) AS durationSeconds
        FROM http_service_totals_1m
        WHERE org_id = {orgId:UUID} AND service = {service:String}
          AND minute >= {from:DateTime('UTC')} AND minute < {to:DateTime('UTC')}`,
  params: SeriesRange.omit({ type: true }),
  row: z.object({ requests: Count, minutes: Count, durationSeconds: z.number() }),
});

/** Over a whole range, the instances before and after a deploy would count as twice as many as ever ran at the same time. */
export const instancesInRange = query({
  name: "traffic.instances",
  isCacheable: true,
  sql: `SELECT if(count() = 0, 0, avg(instances)) AS instances
        FROM (
          SELECT toFloat64(uniqExact(if(instance = '', toString(tags), instance))) AS instances
          FROM (
            SELECT started_at, tags,
              arrayFirst(value -> value != '', arrayMap(name -> tags[name], {instanceTags:Array(String)})) AS instance
            FROM profiles
            WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
              AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
          )
          GROUP BY toStartOfFifteenMinutes(started_at)
        )`,
  params: SeriesRange.extend({ instanceTags: z.array(z.string()) }),
  row: z.object({ instances: z.number() }),
});

const Window = z.object({ fromMs: z.number(), toMs: z.number() });
export type Window = z.output<typeof Window>;

/**
 * When the profiler ran. Profiles are chosen by a hash if there are many, so that a long range is read as quickly as a short one.
 * Those of more than an hour, which no profiler records by itself, are left out: there may be millions of requests in each.
 */
export const profiledWindows = query({
  name: "traffic.windows",
  isCacheable: true,
  sql: `SELECT toFloat64(toUnixTimestamp64Milli(started_at)) AS fromMs, fromMs + duration_ns / 1e6 AS toMs
        FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
          AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
          AND duration_ns BETWEEN 1 AND 3600000000000
        ORDER BY cityHash64(profile_id)
        LIMIT 200`,
  params: SeriesRange,
  row: Window,
});

/** Requests are first counted by tenths of a second: fewer comparisons with the windows, and hardly less exact. */
export const requestsInWindows = query({
  name: "traffic.requests-in-windows",
  isCacheable: true,
  sql: `SELECT toFloat64(sum(requests * arrayCount((fromMs, toMs) -> ms >= fromMs AND ms < toMs,
            {fromMs:Array(Float64)}, {toMs:Array(Float64)}))) AS requests
        FROM (
          SELECT intDiv(toUnixTimestamp64Milli(at), 100) * 100 AS ms, count() AS requests
          FROM http_requests
          WHERE org_id = {orgId:UUID} AND service = {service:String}
            AND at >= {from:DateTime64(3, 'UTC')} AND at < {to:DateTime64(3, 'UTC')}
            AND toUnixTimestamp(toStartOfMinute(at)) IN {minutes:Array(UInt32)}
          GROUP BY ms
        )`,
  params: SeriesRange.omit({ type: true }).extend({
    fromMs: z.array(z.number()),
    toMs: z.array(z.number()),
    minutes: z.array(z.int()),
  }),
  row: z.object({ requests: z.number() }),
});
