import { z } from "zod";
import { query } from "#store/column/query.ts";
import { Count, Instant } from "#store/column/values.ts";

const Range = z.object({ orgId: z.uuid(), fromMs: z.int(), toMs: z.int() });

const PointsRow = z.object({
  service: z.string(),
  type: z.string(),
  sampleType: z.string(),
  at: z.array(Count),
  value: z.array(z.number()),
});

const Measured = Range.extend({
  totalsOf: z.array(z.string()),
  /** Names of `seriesName`, as are `gauges`. */
  watched: z.array(z.string()),
  gauges: z.array(z.string()),
  gapMsMax: z.int(),
});

/** The places of the sample types of a profile that are watched. */
const judgedPlaces =
  "arrayFilter(place -> has({watched:Array(String)}, concat(type, ' ', sample_types[place])), arrayEnumerate(sample_types))";
const isGauge = "concat(type, ' ', sample_type) IN {gauges:Array(String)}";
const floored =
  "greatest(rate, transform(concat(type, ' ', sample_type), {watched:Array(String)}, {floors:Array(Float64)}, 1.))";

/**
 * Adds `rate`: per second, and of gauges the value itself. A snapshot of counters has no duration: its difference is over
 * the time since the snapshot before it with the same tags.
 */
const rated = (profiles: string) => `
          SELECT service, type, sample_type, at_ms,
            if(${isGauge}, total, 1000 * total / if(duration_ns > 0, duration_ns / 1e6, gap_ms)) AS rate
          FROM (
            SELECT service, type, sample_type, at_ms, total, duration_ns,
              at_ms - lagInFrame(at_ms, 1, 0) OVER (
                PARTITION BY service, type, sample_type, tags ORDER BY at_ms ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
              ) AS gap_ms
            FROM (${profiles})
          )
          WHERE ${isGauge} OR duration_ns > 0 OR (gap_ms > 0 AND gap_ms <= {gapMsMax:Int64})`;

const totals = (where: string) => `
              SELECT service, type, sample_types[judged] AS sample_type, toUnixTimestamp64Milli(started_at) AS at_ms,
                toFloat64(deltas_totals[judged]) AS total, duration_ns, cityHash64(tags) AS tags
              FROM profiles
              ARRAY JOIN ${judgedPlaces} AS judged
              WHERE org_id = {orgId:UUID} AND type IN {totalsOf:Array(String)}
                AND started_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
                AND started_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC') ${where}`;

/**
 * One row per series: the start and the value of each profile in the range. Stacks of block profiles count only if their
 * leaf is not a parked function; of block profiles the same hours of the seven days before are read too.
 */
export const points = query({
  name: "alerts.points",
  sql: `WITH
          fromUnixTimestamp64Milli({toMs:Int64}, 'UTC') AS range_to,
          fromUnixTimestamp64Milli({fromMs:Int64} - 7 * 86400000, 'UTC') AS range_from,
          {toMs:Int64} - {fromMs:Int64} AS span_ms
        SELECT service, type, sample_type AS sampleType, groupArray(at_ms) AS at, groupArray(rate) AS value
        FROM (${rated(`${totals("")}
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
                any(profiles.duration_ns) AS duration_ns, any(cityHash64(profiles.tags)) AS tags
              FROM profiles
              LEFT ARRAY JOIN stacks AS stack_id, values[indexOf(sample_types, 'delay/nanoseconds')] AS delay
              WHERE org_id = {orgId:UUID} AND type = 'block' AND has(sample_types, 'delay/nanoseconds')
                AND started_at >= range_from AND started_at < range_to
                AND ({toMs:Int64} - toUnixTimestamp64Milli(started_at)) % 86400000 <= span_ms
              GROUP BY service, type, profile_id, started_at`)}
        )
        GROUP BY service, type, sample_type`,
  params: Measured.extend({ parked: z.array(z.string()) }),
  row: PointsRow,
});

const Cells = z.object({
  at: z.array(Count),
  count: z.array(Count),
  sum: z.array(z.number()),
  logSum: z.array(z.number()),
});

/** The cells of one service: what its noise and its usual days are learnt from. Not of block profiles. */
export const pastCells = query({
  name: "alerts.past-cells",
  sql: `SELECT type, sample_type AS sampleType, groupArray(cell) AS at, groupArray(profiles) AS count,
          groupArray(total) AS sum, groupArray(logs) AS logSum
        FROM (
          SELECT type, sample_type, intDiv(at_ms, {cellMs:Int64}) * {cellMs:Int64} AS cell, count() AS profiles,
            sum(rate) AS total, sum(log(${floored})) AS logs
          FROM (${rated(totals("AND service = {service:String}"))})
          GROUP BY type, sample_type, cell
        )
        GROUP BY type, sample_type`,
  params: Measured.extend({ service: z.string(), cellMs: z.int(), floors: z.array(z.number()) }),
  row: Cells.extend({ type: z.string(), sampleType: z.string() }),
});

/** The number of requests in each minute with requests, one row per service. */
export const requestMinutes = query({
  name: "alerts.requests",
  sql: `SELECT service, groupArray(at_ms) AS at, groupArray(requests) AS value
        FROM (
          SELECT service, toInt64(toUnixTimestamp(minute)) * 1000 AS at_ms, toFloat64(sum(requests)) AS requests
          FROM http_service_totals_1m
          WHERE org_id = {orgId:UUID}
            AND minute >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
            AND minute < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
          GROUP BY service, minute
        )
        GROUP BY service`,
  params: Range,
  row: z.object({ service: z.string(), at: z.array(Count), value: z.array(z.number()) }),
});

/** The same in the past, as cells of one service; a minute with requests counts as one. */
export const pastRequests = query({
  name: "alerts.past-requests",
  sql: `SELECT groupArray(cell) AS at, groupArray(minutes) AS count, groupArray(total) AS sum, groupArray(logs) AS logSum
        FROM (
          SELECT intDiv(at_ms, {cellMs:Int64}) * {cellMs:Int64} AS cell, count() AS minutes, sum(requests) AS total,
            sum(log(requests)) AS logs
          FROM (
            SELECT toInt64(toUnixTimestamp(minute)) * 1000 AS at_ms, toFloat64(sum(requests)) AS requests
            FROM http_service_totals_1m
            WHERE org_id = {orgId:UUID} AND service = {service:String}
              AND minute >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
              AND minute < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
            GROUP BY minute
          )
          WHERE requests > 0
          GROUP BY cell
        )`,
  params: Range.extend({ service: z.string(), cellMs: z.int() }),
  row: Cells,
});

/** The cells of each instance and version, of services with enough of them to compare; of all services if none is named. Not of block profiles. */
export const instanceCells = query({
  name: "alerts.instance-cells",
  sql: `SELECT service, type, sample_type AS sampleType, instance, version, groupArray(cell) AS at,
          groupArray(profiles) AS count, groupArray(total) AS sum, groupArray(logs) AS logSum
        FROM (
          SELECT service, type, sample_type, instance, version, cell, count() AS profiles, sum(rate) AS total,
            sum(log(${floored})) AS logs,
            uniqExact(instance) OVER (PARTITION BY service, type, sample_type) AS instances
          FROM (
            SELECT service, type, sample_types[judged] AS sample_type,
              tags[arrayFirst(name -> tags[name] != '', {instanceTags:Array(String)})] AS instance,
              tags[arrayFirst(name -> tags[name] != '', {versionTags:Array(String)})] AS version,
              intDiv(toUnixTimestamp64Milli(started_at), {cellMs:Int64}) * {cellMs:Int64} AS cell,
              toFloat64(deltas_totals[judged]) / if(${isGauge}, 1, duration_ns / 1e9) AS rate
            FROM profiles
            ARRAY JOIN ${judgedPlaces} AS judged
            WHERE org_id = {orgId:UUID} AND type IN {totalsOf:Array(String)} AND instance != ''
              AND (empty({services:Array(String)}) OR service IN {services:Array(String)})
              AND (duration_ns > 0 OR ${isGauge})
              AND started_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
              AND started_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
          )
          GROUP BY service, type, sample_type, instance, version, cell
        )
        WHERE instances >= {instancesMin:UInt32}
        GROUP BY service, type, sample_type, instance, version`,
  params: Measured.omit({ gapMsMax: true }).extend({
    services: z.array(z.string()),
    instanceTags: z.array(z.string()),
    versionTags: z.array(z.string()),
    instancesMin: z.int(),
    cellMs: z.int(),
    floors: z.array(z.number()),
  }),
  row: Cells.extend({
    service: z.string(),
    type: z.string(),
    sampleType: z.string(),
    instance: z.string(),
    version: z.string(),
  }),
});

/** The sample types of custom profiles, most profiles first. */
export const customSampleTypes = query({
  name: "alerts.custom-sample-types",
  sql: `SELECT sample_type AS sampleType
        FROM type_totals_1m
        WHERE org_id = {orgId:UUID} AND type = 'custom'
          AND minute >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
          AND minute < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
        GROUP BY sample_type
        ORDER BY sum(profiles) DESC, sample_type
        LIMIT {limit:UInt32}`,
  params: Range.extend({ limit: z.int() }),
  row: z.object({ sampleType: z.string() }),
});

/** When versions sent their first profile of the range, without those that a service began the range with. */
export const releases = query({
  name: "alerts.releases",
  sql: `SELECT service, groupArray(first_ms) AS at
        FROM (
          SELECT service, version, toUnixTimestamp64Milli(min(started_at)) AS first_ms,
            min(first_ms) OVER (PARTITION BY service) AS earliest_ms
          FROM (
            SELECT service, tags[arrayFirst(name -> tags[name] != '', {names:Array(String)})] AS version, started_at
            FROM profiles
            WHERE org_id = {orgId:UUID} AND hasAny(mapKeys(tags), {names:Array(String)})
              AND started_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
              AND started_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
          )
          WHERE version != ''
          GROUP BY service, version
        )
        WHERE first_ms > earliest_ms
        GROUP BY service`,
  params: Range.extend({ names: z.array(z.string()) }),
  row: z.object({ service: z.string(), at: z.array(Count) }),
});

/** The number of profiles of each type of services. */
export const storedProfiles = query({
  name: "alerts.stored-profiles",
  sql: `SELECT service, type, count() AS profiles
        FROM profiles
        WHERE org_id = {orgId:UUID} AND service IN {services:Array(String)}
          AND started_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
          AND started_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
        GROUP BY service, type`,
  params: Range.extend({ services: z.array(z.string()) }),
  row: z.object({ service: z.string(), type: z.string(), profiles: Count }),
});

/** Series that got profiles since `receivedSince` for times before `until`: their senders were late. */
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
