import { z } from "zod";
import { query } from "#store/column/query.ts";
import { Count, Instant } from "#store/column/values.ts";

/** [fromMs, toMs), and the same hours on each of the seven days before. Unix milliseconds. */
const Hours = z.object({ orgId: z.uuid(), fromMs: z.int(), toMs: z.int() });

const PointsRow = z.object({
  service: z.string(),
  type: z.string(),
  sampleType: z.string(),
  at: z.array(Count),
  value: z.array(z.number()),
});
export type PointsRow = z.output<typeof PointsRow>;

/**
 * One row per series: the start and the value of each profile, rates per second and gauges as they are. A snapshot of
 * counters has no duration: its difference is over the time since the snapshot before it with the same tags. Stacks of
 * block profiles count only if their leaf is not a parked function.
 */
export const points = query({
  name: "alerts.points",
  sql: `WITH
          fromUnixTimestamp64Milli({toMs:Int64}, 'UTC') AS range_to,
          fromUnixTimestamp64Milli({fromMs:Int64} - 7 * 86400000, 'UTC') AS range_from,
          {toMs:Int64} - {fromMs:Int64} AS span_ms
        SELECT service, type, sample_type AS sampleType, groupArray(at_ms) AS at, groupArray(rate) AS value
        FROM (
          SELECT service, type, sample_type, at_ms,
            if(type IN {gauges:Array(String)}, total, 1000 * total / if(duration_ns > 0, duration_ns / 1e6, gap_ms)) AS rate
          FROM (
            SELECT service, type, sample_type, at_ms, total, duration_ns,
              at_ms - lagInFrame(at_ms, 1, 0) OVER (
                PARTITION BY service, type, tags ORDER BY at_ms ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
              ) AS gap_ms
            FROM (
              SELECT service, type, sample_types[judged] AS sample_type, toUnixTimestamp64Milli(started_at) AS at_ms,
                toFloat64(deltas_totals[judged]) AS total, duration_ns, cityHash64(tags) AS tags,
                arrayFirstIndex(name -> name IN {sampleTypes:Array(String)}, sample_types) AS judged
              FROM profiles
              WHERE org_id = {orgId:UUID} AND type IN {totalsOf:Array(String)}
                AND started_at >= range_from AND started_at < range_to AND judged > 0
                AND ({toMs:Int64} - toUnixTimestamp64Milli(started_at)) % 86400000 <= span_ms
              UNION ALL
              SELECT service, type, 'delay/nanoseconds' AS sample_type, toUnixTimestamp64Milli(started_at) AS at_ms,
                toFloat64(sumIf(delay, stack_id NOT IN (
                  SELECT stack_id FROM stacks
                  WHERE org_id = {orgId:UUID} AND day >= toDate(range_from) AND day <= toDate(range_to)
                    AND frame_ids[1] IN (
                      SELECT frame_id FROM frames
                      WHERE org_id = {orgId:UUID} AND day >= toDate(range_from) AND day <= toDate(range_to)
                        AND function IN {parked:Array(String)}
                    )
                ))) AS total,
                any(profiles.duration_ns) AS duration_ns, any(cityHash64(profiles.tags)) AS tags, 0 AS judged
              FROM profiles
              LEFT ARRAY JOIN stacks AS stack_id, values[indexOf(sample_types, 'delay/nanoseconds')] AS delay
              WHERE org_id = {orgId:UUID} AND type = 'block' AND has(sample_types, 'delay/nanoseconds')
                AND started_at >= range_from AND started_at < range_to
                AND ({toMs:Int64} - toUnixTimestamp64Milli(started_at)) % 86400000 <= span_ms
              GROUP BY service, type, profile_id, started_at
            )
          )
          WHERE type IN {gauges:Array(String)} OR duration_ns > 0 OR (gap_ms > 0 AND gap_ms <= {gapMsMax:Int64})
        )
        GROUP BY service, type, sample_type`,
  params: Hours.extend({
    sampleTypes: z.array(z.string()),
    totalsOf: z.array(z.string()),
    gauges: z.array(z.string()),
    parked: z.array(z.string()),
    gapMsMax: z.int(),
  }),
  row: PointsRow,
});

/** The number of requests in each minute with requests, one row per service. */
export const requestMinutes = query({
  name: "alerts.requests",
  sql: `SELECT service, groupArray(at_ms) AS at, groupArray(requests) AS value
        FROM (
          SELECT service, toInt64(toUnixTimestamp(minute)) * 1000 AS at_ms, toFloat64(sum(requests)) AS requests
          FROM http_service_totals_1m
          WHERE org_id = {orgId:UUID}
            AND minute >= fromUnixTimestamp64Milli({fromMs:Int64} - 7 * 86400000, 'UTC')
            AND minute < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
            AND ({toMs:Int64} - toInt64(toUnixTimestamp(minute)) * 1000) % 86400000 <= {toMs:Int64} - {fromMs:Int64}
          GROUP BY service, minute
        )
        GROUP BY service`,
  params: Hours,
  row: z.object({ service: z.string(), at: z.array(Count), value: z.array(z.number()) }),
});

/** Series that got profiles since `receivedSince` for times before `untilMs`: their senders were late. */
export const lateProfiles = query({
  name: "alerts.late",
  sql: `SELECT service, type, min(started_at) AS earliest
        FROM profiles
        WHERE org_id = {orgId:UUID} AND received_at >= {receivedSince:DateTime64(3,'UTC')}
          AND started_at >= {from:DateTime64(3,'UTC')} AND started_at < {until:DateTime64(3,'UTC')}
        GROUP BY service, type`,
  params: z.object({ orgId: z.uuid(), receivedSince: z.date(), from: z.date(), until: z.date() }),
  row: z.object({ service: z.string(), type: z.string(), earliest: Instant }),
});

const OneSeries = z.object({
  orgId: z.uuid(),
  service: z.string(),
  type: z.string(),
  from: z.date(),
  to: z.date(),
});

export const newestProfile = query({
  name: "alerts.newest-profile",
  sql: `SELECT profile_id AS profileId
        FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
          AND started_at >= {from:DateTime64(3,'UTC')} AND started_at < {to:DateTime64(3,'UTC')}
        ORDER BY started_at DESC, profile_id DESC
        LIMIT 1`,
  params: OneSeries,
  row: z.object({ profileId: z.string() }),
});

/** Sums by hour of the day (UTC), from the totals of minutes. */
export const usualHours = query({
  name: "alerts.usual-hours",
  sql: `SELECT toHour(minute, 'UTC') AS hour, toFloat64(sum(value)) AS value, sum(profiles) AS profiles,
          toFloat64(sum(duration_ns)) / 1e9 AS seconds
        FROM type_totals_1m
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
          AND sample_type = {sampleType:String}
          AND minute >= {from:DateTime64(3,'UTC')} AND minute < {to:DateTime64(3,'UTC')}
        GROUP BY hour`,
  params: OneSeries.extend({ sampleType: z.string() }),
  row: z.object({ hour: Count, value: z.number(), profiles: Count, seconds: z.number() }),
});

/** Mean requests per minute by hour of the day (UTC), over minutes with requests. */
export const usualRequests = query({
  name: "alerts.usual-requests",
  sql: `SELECT toHour(minute, 'UTC') AS hour, toFloat64(sum(requests)) / uniqExact(minute) AS perMinute
        FROM http_service_totals_1m
        WHERE org_id = {orgId:UUID} AND service = {service:String}
          AND minute >= {from:DateTime64(3,'UTC')} AND minute < {to:DateTime64(3,'UTC')}
        GROUP BY hour`,
  params: OneSeries.omit({ type: true }),
  row: z.object({ hour: Count, perMinute: z.number() }),
});

/**
 * The self and total value of each function in the baseline and in the window, and the sums of both windows in every
 * row. Stacks with a parked leaf are left out. The self value of a stack belongs to its first function from the leaf that
 * does not match `waiting`.
 */
export const functionGrowth = query({
  name: "alerts.function-growth",
  sql: `WITH
          by_stack AS (
            SELECT stack_id,
              sumIf(toFloat64(part), started_at < {baselineTo:DateTime64(3,'UTC')}) AS before,
              sumIf(toFloat64(part), started_at >= {from:DateTime64(3,'UTC')}) AS after
            FROM profiles
            ARRAY JOIN stacks AS stack_id, values[indexOf(sample_types, {sampleType:String})] AS part
            WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
              AND ((started_at >= {baselineFrom:DateTime64(3,'UTC')} AND started_at < {baselineTo:DateTime64(3,'UTC')})
                OR (started_at >= {from:DateTime64(3,'UTC')} AND started_at < {to:DateTime64(3,'UTC')}))
            GROUP BY stack_id
          ),
          named AS (
            SELECT stack_id, any(frame_ids) AS frame_ids
            FROM stacks
            WHERE org_id = {orgId:UUID} AND day >= toDate({baselineFrom:DateTime64(3,'UTC')})
              AND day <= toDate({to:DateTime64(3,'UTC')}) AND stack_id IN (SELECT stack_id FROM by_stack)
            GROUP BY stack_id
          ),
          places AS (
            SELECT stack_id, frame_id, position
            FROM named ARRAY JOIN frame_ids AS frame_id, arrayEnumerate(frame_ids) AS position
          ),
          functions AS (
            SELECT places.stack_id AS stack_id, names.function AS function, min(places.position) AS position
            FROM places
            JOIN (
              SELECT frame_id, any(function) AS function
              FROM frames
              WHERE org_id = {orgId:UUID} AND day >= toDate({baselineFrom:DateTime64(3,'UTC')})
                AND day <= toDate({to:DateTime64(3,'UTC')}) AND frame_id IN (SELECT frame_id FROM places)
              GROUP BY frame_id
            ) AS names ON names.frame_id = places.frame_id
            GROUP BY places.stack_id, names.function
          ),
          owners AS (
            SELECT stack_id, minIf(position, NOT match(function, {waiting:String})) AS first,
              if(first = 0, max(position), first) AS owner
            FROM functions GROUP BY stack_id
          ),
          kept AS (
            SELECT by_stack.stack_id AS stack_id, before, after, owners.owner AS owner
            FROM by_stack JOIN owners ON owners.stack_id = by_stack.stack_id
            WHERE by_stack.stack_id NOT IN (
              SELECT stack_id FROM functions WHERE position = 1 AND function IN {parked:Array(String)}
            )
          )
        SELECT functions.function AS name,
          sumIf(kept.before, functions.position = kept.owner) AS selfBefore,
          sumIf(kept.after, functions.position = kept.owner) AS selfAfter,
          sum(kept.before) AS totalBefore, sum(kept.after) AS totalAfter,
          (SELECT sum(before) FROM kept) AS allBefore, (SELECT sum(after) FROM kept) AS allAfter
        FROM functions JOIN kept ON kept.stack_id = functions.stack_id
        GROUP BY name`,
  params: OneSeries.extend({
    sampleType: z.string(),
    baselineFrom: z.date(),
    baselineTo: z.date(),
    parked: z.array(z.string()),
    waiting: z.string(),
  }),
  row: z.object({
    name: z.string(),
    selfBefore: z.number(),
    selfAfter: z.number(),
    totalBefore: z.number(),
    totalAfter: z.number(),
    allBefore: z.number(),
    allAfter: z.number(),
  }),
});
