import { z } from "zod";
import { query } from "#store/column/query.ts";
import { Count, Instant } from "#store/column/values.ts";

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

/** A batch of HTTP metrics is a profile of type metrics. */
export const newestOfService = query({
  name: "alerts.newest-of-service",
  sql: `SELECT profile_id AS profileId
        FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String}
          AND started_at >= {from:DateTime64(3,'UTC')} AND started_at < {to:DateTime64(3,'UTC')}
        ORDER BY started_at DESC, profile_id DESC
        LIMIT 1`,
  params: OneSeries.omit({ type: true }),
  row: z.object({ profileId: z.string() }),
});

/**
 * The value of each hour of the day (UTC), the median of its days: per profile or per second. A batch of one day changes none.
 */
export const usualHours = query({
  name: "alerts.usual-hours",
  sql: `SELECT hour, quantileExactInclusive(0.5)(value) AS value
        FROM (
          SELECT toDate(minute, 'UTC') AS day, toHour(minute, 'UTC') AS hour,
            toFloat64(sum(value)) / if({isGauge:Bool}, sum(profiles), sum(duration_ns) / 1e9) AS value
          FROM type_totals_1m
          WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
            AND sample_type = {sampleType:String}
            AND minute >= {from:DateTime64(3,'UTC')} AND minute < {to:DateTime64(3,'UTC')}
          GROUP BY day, hour
          HAVING isFinite(value)
        )
        GROUP BY hour`,
  params: OneSeries.extend({ sampleType: z.string(), isGauge: z.boolean() }),
  row: z.object({ hour: Count, value: z.number() }),
});

/** Requests per minute by hour of the day (UTC), over minutes with requests; the median of the days. */
export const usualRequests = query({
  name: "alerts.usual-requests",
  sql: `SELECT hour, quantileExactInclusive(0.5)(perMinute) AS value
        FROM (
          SELECT toDate(minute, 'UTC') AS day, toHour(minute, 'UTC') AS hour,
            toFloat64(sum(requests)) / uniqExact(minute) AS perMinute
          FROM http_service_totals_1m
          WHERE org_id = {orgId:UUID} AND service = {service:String}
            AND minute >= {from:DateTime64(3,'UTC')} AND minute < {to:DateTime64(3,'UTC')}
          GROUP BY day, hour
        )
        GROUP BY hour`,
  params: OneSeries.omit({ type: true }),
  row: z.object({ hour: Count, value: z.number() }),
});

/** The stacks of the baseline and of the window with their sums, and their frames from the leaf. */
const stacksOfBoth = `by_stack AS (
            SELECT stack_id,
              sumIf(toFloat64(part), started_at < {baselineTo:DateTime64(3,'UTC')}) AS before,
              sumIf(toFloat64(part), started_at >= {from:DateTime64(3,'UTC')}) AS after
            FROM profiles
            ARRAY JOIN stacks AS stack_id, values[indexOf(sample_types, {sampleType:String})] AS part
            WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
              AND (empty({instances:Array(String)}) OR tags[
                arrayFirst(name -> tags[name] != '', {instanceTags:Array(String)})
              ] IN {instances:Array(String)})
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
          )`;

const BothRanges = OneSeries.extend({
  sampleType: z.string(),
  baselineFrom: z.date(),
  baselineTo: z.date(),
  /** Only profiles of these; of all if empty. */
  instances: z.array(z.string()),
  instanceTags: z.array(z.string()),
});

/** The functions of both ranges: one row for each name, file and first line. */
export const functionsOfBoth = query({
  name: "alerts.functions",
  hasWideRows: true,
  sql: `WITH
          ${stacksOfBoth}
        SELECT function AS name, file, start_line AS startLine
        FROM frames
        WHERE org_id = {orgId:UUID} AND day >= toDate({baselineFrom:DateTime64(3,'UTC')})
          AND day <= toDate({to:DateTime64(3,'UTC')}) AND frame_id IN (SELECT arrayJoin(frame_ids) FROM named)
        GROUP BY name, file, startLine`,
  params: BothRanges,
  row: z.object({ name: z.string(), file: z.string(), startLine: Count }),
});

/**
 * Frames with equal identity are one function, as `identityOf` says in TypeScript. `mergedGrowth` joins builds in
 * different folders.
 */
const identity = `if(function IN {inFiles:Array(String)}, concat(function, '\n', file, '\n', toString(start_line)), function)`;

/**
 * The self and total value of each function in the baseline and in the window, and the sums of both windows in every
 * row. Stacks with a parked leaf are left out. The self value of a stack belongs to its first function from the leaf that
 * does not match `waiting`; the own value to its first function from the leaf whose identity is in `own`.
 */
export const functionGrowth = query({
  name: "alerts.function-growth",
  hasWideRows: true,
  sql: `WITH
          ${stacksOfBoth},
          places AS (
            SELECT stack_id, frame_id, position
            FROM named ARRAY JOIN frame_ids AS frame_id, arrayEnumerate(frame_ids) AS position
          ),
          functions AS (
            SELECT places.stack_id AS stack_id, names.identity AS identity, min(places.position) AS position,
              any(names.function) AS function, any(names.file) AS file, any(names.start_line) AS start_line,
              argMin(names.line, places.position) AS line
            FROM places
            JOIN (
              SELECT frame_id, function, file, start_line, line, ${identity} AS identity
              FROM frames
              WHERE org_id = {orgId:UUID} AND day >= toDate({baselineFrom:DateTime64(3,'UTC')})
                AND day <= toDate({to:DateTime64(3,'UTC')}) AND frame_id IN (SELECT frame_id FROM places)
              LIMIT 1 BY frame_id
            ) AS names ON names.frame_id = places.frame_id
            GROUP BY places.stack_id, names.identity
          ),
          owners AS (
            SELECT stack_id, minIf(position, NOT match(function, {waiting:String})) AS first,
              if(first = 0, max(position), first) AS owner, minIf(position, identity IN {own:Array(String)}) AS innermost
            FROM functions GROUP BY stack_id
          ),
          kept AS (
            SELECT by_stack.stack_id AS stack_id, before, after, owners.owner AS owner, owners.innermost AS innermost
            FROM by_stack JOIN owners ON owners.stack_id = by_stack.stack_id
            WHERE by_stack.stack_id NOT IN (
              SELECT stack_id FROM functions WHERE position = 1 AND function IN {parked:Array(String)}
            )
          )
        SELECT any(functions.function) AS name, any(functions.start_line) AS startLine,
          sumIf(kept.before, functions.position = kept.owner) AS selfBefore,
          sumIf(kept.after, functions.position = kept.owner) AS selfAfter,
          sumIf(kept.before, functions.position = kept.innermost) AS ownBefore,
          sumIf(kept.after, functions.position = kept.innermost) AS ownAfter,
          any(functions.file) AS file, argMaxIf(functions.line, kept.after - kept.before, functions.position = kept.innermost) AS line,
          toString(argMaxIf(kept.stack_id, kept.after - kept.before, functions.position = kept.innermost)) AS stackId,
          sum(kept.before) AS totalBefore, sum(kept.after) AS totalAfter,
          (SELECT sum(before) FROM kept) AS allBefore, (SELECT sum(after) FROM kept) AS allAfter
        FROM functions JOIN kept ON kept.stack_id = functions.stack_id
        GROUP BY functions.identity`,
  params: BothRanges.extend({
    parked: z.array(z.string()),
    waiting: z.string(),
    own: z.array(z.string()),
    /** See `namesInFiles`. */
    inFiles: z.array(z.string()),
  }),
  row: z.object({
    name: z.string(),
    selfBefore: z.number(),
    selfAfter: z.number(),
    ownBefore: z.number(),
    ownAfter: z.number(),
    file: z.string(),
    startLine: Count,
    line: Count,
    /** The stack with most of its own increase. */
    stackId: z.string(),
    totalBefore: z.number(),
    totalAfter: z.number(),
    allBefore: z.number(),
    allAfter: z.number(),
  }),
});

/** The functions of one stack, from the leaf. */
export const functionsOfStack = query({
  name: "alerts.stack",
  sql: `WITH chain AS (
          SELECT any(frame_ids) AS frame_ids FROM stacks
          WHERE org_id = {orgId:UUID} AND day >= toDate({from:DateTime64(3,'UTC')})
            AND day <= toDate({to:DateTime64(3,'UTC')}) AND toString(stack_id) = {stackId:String}
        )
        SELECT names.function AS name, names.file AS file
        FROM (SELECT arrayJoin(arrayZip(frame_ids, arrayEnumerate(frame_ids))) AS place FROM chain) AS places
        JOIN (
          SELECT frame_id, any(function) AS function, any(file) AS file FROM frames
          WHERE org_id = {orgId:UUID} AND day >= toDate({from:DateTime64(3,'UTC')})
            AND day <= toDate({to:DateTime64(3,'UTC')}) AND has((SELECT frame_ids FROM chain), frame_id)
          GROUP BY frame_id
        ) AS names ON names.frame_id = places.place.1
        ORDER BY places.place.2`,
  params: z.object({ orgId: z.uuid(), from: z.date(), to: z.date(), stackId: z.string() }),
  row: z.object({ name: z.string(), file: z.string() }),
});

/** The versions of a service in a range, each with its first profile, oldest first. */
export const versionStarts = query({
  name: "alerts.version-starts",
  sql: `SELECT version, min(started_at) AS firstAt
        FROM (
          SELECT tags[arrayFirst(name -> tags[name] != '', {names:Array(String)})] AS version, started_at
          FROM profiles
          WHERE org_id = {orgId:UUID} AND service = {service:String} AND hasAny(mapKeys(tags), {names:Array(String)})
            AND started_at >= {from:DateTime64(3,'UTC')} AND started_at < {to:DateTime64(3,'UTC')}
        )
        WHERE version != ''
        GROUP BY version
        ORDER BY firstAt, version`,
  params: OneSeries.omit({ type: true }).extend({ names: z.array(z.string()) }),
  row: z.object({ version: z.string(), firstAt: Instant }),
});

/** By set of tags: the sums over profiles of both ranges, of a rate per second, and how many profiles there are. */
export const tagSums = query({
  name: "alerts.tag-sums",
  hasWideRows: true,
  sql: `SELECT any(profile_tags) AS tags, sumIf(value, isBefore) AS before, sumIf(value, NOT isBefore) AS after,
          countIf(isBefore) AS profilesBefore, countIf(NOT isBefore) AS profilesAfter
        FROM (
          SELECT profiles.tags AS profile_tags, started_at < {baselineTo:DateTime64(3,'UTC')} AS isBefore,
            toFloat64(deltas_totals[indexOf(sample_types, {sampleType:String})])
              / if(duration_ns > 0 AND {isRate:UInt8} = 1, duration_ns / 1e9, 1) AS value
          FROM profiles
          WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
            AND (empty({instances:Array(String)}) OR tags[
              arrayFirst(name -> tags[name] != '', {instanceTags:Array(String)})
            ] IN {instances:Array(String)})
            AND ((started_at >= {baselineFrom:DateTime64(3,'UTC')} AND started_at < {baselineTo:DateTime64(3,'UTC')})
              OR (started_at >= {from:DateTime64(3,'UTC')} AND started_at < {to:DateTime64(3,'UTC')}))
        )
        GROUP BY cityHash64(profile_tags)`,
  params: BothRanges.extend({ isRate: z.int() }),
  row: z.object({
    tags: z.record(z.string(), z.string()),
    before: z.number(),
    after: z.number(),
    profilesBefore: Count,
    profilesAfter: Count,
  }),
});
