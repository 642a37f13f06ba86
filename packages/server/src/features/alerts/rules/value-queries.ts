import { z } from "zod";
import { query } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";

const Range = z.object({ orgId: z.uuid(), fromMs: z.int(), toMs: z.int() });

const Values = { at: z.array(Count), value: z.array(z.number()) };

/**
 * The values of minutes of several series at once, which are parallel lists with places from 1: the mean of a gauge, the sum over the
 * duration of everything else. A snapshot of counters has no duration: its difference is over the time since the one before
 * it with the same tags. The tags that a series needs are three parallel lists, with its place in `taggedPlaces`.
 */
export const profileMinutes = query({
  name: "alert-rules.profile-minutes",
  sql: `SELECT place, groupArray(minute) AS at, groupArray(mean) AS value
        FROM (
          SELECT place, intDiv(at_ms, 60000) * 60000 AS minute,
            if({gauges:Array(UInt8)}[place] = 1, sum(total) / count(), 1e9 * sum(total) / sum(lasted_ns)) AS mean
          FROM (
            SELECT place, at_ms, total, duration_ns, if(duration_ns > 0, toFloat64(duration_ns), 1e6 * gap_ms) AS lasted_ns
            FROM (
              SELECT place, at_ms, total, duration_ns,
                at_ms - lagInFrame(at_ms, 1, 0) OVER (
                  PARTITION BY place, sender ORDER BY at_ms ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
                ) AS gap_ms
              FROM (
                SELECT place, toUnixTimestamp64Milli(started_at) AS at_ms, duration_ns, cityHash64(tags) AS sender,
                  toFloat64(deltas_totals[indexOf(sample_types, {sampleTypes:Array(String)}[place])]) AS total
                FROM profiles
                ARRAY JOIN arrayFilter(
                  each -> {services:Array(String)}[each] = service AND {types:Array(String)}[each] = type
                    AND has(sample_types, {sampleTypes:Array(String)}[each])
                    AND arrayAll((tagged, name, text) -> tagged != each OR tags[name] = text,
                      {taggedPlaces:Array(UInt32)}, {tagNames:Array(String)}, {tagValues:Array(String)}),
                  arrayEnumerate({services:Array(String)})) AS place
                WHERE org_id = {orgId:UUID} AND service IN {services:Array(String)} AND type IN {types:Array(String)}
                  AND started_at >= fromUnixTimestamp64Milli({fromMs:Int64} - {gapMsMax:Int64}, 'UTC')
                  AND started_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
              )
            )
            WHERE at_ms >= {fromMs:Int64}
              AND ({gauges:Array(UInt8)}[place] = 1 OR duration_ns > 0 OR (gap_ms > 0 AND gap_ms <= {gapMsMax:Int64}))
          )
          GROUP BY place, minute
          ORDER BY place, minute
        )
        GROUP BY place`,
  params: Range.extend({
    services: z.array(z.string()),
    types: z.array(z.string()),
    sampleTypes: z.array(z.string()),
    gauges: z.array(z.int()),
    taggedPlaces: z.array(z.int()),
    tagNames: z.array(z.string()),
    tagValues: z.array(z.string()),
    gapMsMax: z.int(),
  }),
  row: z.object({ place: z.coerce.number(), ...Values }),
});

/** Parallel lists, by minute. */
const RequestMinutes = z.object({
  at: z.array(Count),
  p95s: z.array(z.number()),
  errorRates: z.array(z.number()),
  requestRates: z.array(z.number()),
});
export type RequestMinutes = z.output<typeof RequestMinutes>;

/**
 * One row for each service: its minutes with requests, their p95 in seconds from the histograms, the fraction with status 5xx,
 * and the requests each second.
 */
export const requestMinutesOf = query({
  name: "alert-rules.request-minutes",
  sql: `SELECT service, groupArray(at_ms) AS at, groupArray(p95) AS p95s, groupArray(failed / requests) AS errorRates,
          groupArray(requests / 60) AS requestRates
        FROM (
          SELECT service, toInt64(toUnixTimestamp(minute)) * 1000 AS at_ms, toFloat64(sum(counted)) AS requests,
            toFloat64(sum(counted_5xx)) AS failed, sumMap(bins, held) AS histogram,
            arrayReduce('quantileExactWeighted(0.95)', histogram.1, histogram.2) AS p95_bin,
            if(p95_bin = -32768, 0., 2 * pow(1.02, p95_bin) / 2.02) AS p95
          FROM (
            SELECT service, minute, requests AS counted, requests_5xx AS counted_5xx, durations.1 AS bins, durations.2 AS held
            FROM http_service_totals_1m
            WHERE org_id = {orgId:UUID} AND service IN {services:Array(String)}
              AND minute >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
              AND minute < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
          )
          GROUP BY service, minute
          HAVING requests > 0
          ORDER BY service, minute
        )
        GROUP BY service`,
  params: Range.extend({ services: z.array(z.string()) }),
  row: RequestMinutes.extend({ service: z.string() }),
});

/**
 * As `requestMinutesOf`, of routes, which are parallel lists with places from 1. An empty method is any.
 */
export const routeMinutesOf = query({
  name: "alert-rules.route-minutes",
  sql: `SELECT place, groupArray(at_ms) AS at, groupArray(p95) AS p95s, groupArray(failed / requests) AS errorRates,
          groupArray(requests / 60) AS requestRates
        FROM (
          SELECT place, toInt64(toUnixTimestamp(minute)) * 1000 AS at_ms, toFloat64(sum(counted)) AS requests,
            toFloat64(sumIf(counted, status_class = 5)) AS failed, sumMap(bins, held) AS histogram,
            arrayReduce('quantileExactWeighted(0.95)', histogram.1, histogram.2) AS p95_bin,
            if(p95_bin = -32768, 0., 2 * pow(1.02, p95_bin) / 2.02) AS p95
          FROM (
            SELECT place, minute, status_class, requests AS counted, durations.1 AS bins, durations.2 AS held
            FROM http_totals_1m
            ARRAY JOIN arrayFilter(
              each -> {services:Array(String)}[each] = service AND {paths:Array(String)}[each] = path
                AND {methods:Array(String)}[each] IN ('', method),
              arrayEnumerate({services:Array(String)})) AS place
            WHERE org_id = {orgId:UUID} AND service IN {services:Array(String)} AND path IN {paths:Array(String)}
              AND minute >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
              AND minute < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
          )
          GROUP BY place, minute
          HAVING requests > 0
          ORDER BY place, minute
        )
        GROUP BY place`,
  params: Range.extend({
    services: z.array(z.string()),
    methods: z.array(z.string()),
    paths: z.array(z.string()),
  }),
  row: RequestMinutes.extend({ place: z.coerce.number() }),
});

/** The sets of tags of the range's profiles that have these tags, with the newest profile of each set. */
export const taggedProfiles = query({
  name: "alert-rules.tagged-profiles",
  sql: `SELECT any(profile_tags) AS tags, count() AS profiles, max(at_ms) AS newestMs, argMax(id, at_ms) AS newestId
        FROM (
          SELECT tags AS profile_tags, toUnixTimestamp64Milli(started_at) AS at_ms, profile_id AS id
          FROM profiles
          WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
            AND started_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
            AND started_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
            AND arrayAll((name, text) -> tags[name] = text, {tagNames:Array(String)}, {tagValues:Array(String)})
        )
        GROUP BY cityHash64(profile_tags)`,
  params: Range.extend({
    service: z.string(),
    type: z.string(),
    tagNames: z.array(z.string()),
    tagValues: z.array(z.string()),
  }),
  row: z.object({
    tags: z.record(z.string(), z.string()),
    profiles: Count,
    newestMs: Count,
    newestId: z.string(),
  }),
});
