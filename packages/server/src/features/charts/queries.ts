import { z } from "zod";
import { bytesQuery, query } from "#store/column/query.ts";
import { Instant, Int64, SeriesRange } from "#store/column/values.ts";

/** `totals` are differences for counters, and values for gauges. */
const ChartProfile = z.object({
  profileId: z.string(),
  startedAt: Instant,
  tags: z.record(z.string(), z.string()),
  sampleTypes: z.array(z.string()),
  totals: z.array(Int64),
  payloadBytes: z.int(),
});
export type ChartProfile = z.output<typeof ChartProfile>;

/** Newest first. */
export const latestProfiles = query({
  name: "charts.latest-profiles",
  sql: `SELECT profile_id AS profileId, started_at AS startedAt, tags, sample_types AS sampleTypes,
          deltas_totals AS totals, greatest(original_bytes, toUInt32OrZero(facts['shared_bytes'])) AS payloadBytes
        FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
          AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
          AND arrayAll((name, value) -> tags[name] = value, {tagNames:Array(String)}, {tagValues:Array(String)})
        ORDER BY started_at DESC, profile_id DESC
        LIMIT {limit:UInt32}`,
  params: SeriesRange.extend({
    tagNames: z.array(z.string()),
    tagValues: z.array(z.string()),
    limit: z.int(),
  }),
  row: ChartProfile,
});

/**
 * The stacks of some profiles of a range: for each sample type its name, Array(UInt64) of stack ids and two
 * Array(Int64), the sum over the profiles and the sum of each profile's value times its weight.
 */
export const weightedStacks = bytesQuery({
  name: "charts.weighted-stacks",
  sql: `SELECT toString(sample_type), groupArray(stack_id), groupArray(total), groupArray(weighted)
        FROM (
          SELECT sample_type, stack_id, sum(value) AS total, sum(value * weight) AS weighted
          FROM (
            SELECT sample_type, stacks, type_values,
              transform(profile_id, {profileIds:Array(String)}, {weights:Array(Int64)}, toInt64(0)) AS weight
            FROM profiles
            ARRAY JOIN sample_types AS sample_type, values AS type_values
            WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
              AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
              AND profile_id IN {profileIds:Array(String)}
          )
          ARRAY JOIN stacks AS stack_id, type_values AS value
          GROUP BY sample_type, stack_id
        )
        GROUP BY sample_type`,
  params: SeriesRange.extend({ profileIds: z.array(z.string()), weights: z.array(z.int()) }),
});

/** The profile of the same service, type and tags before one. */
export const previousProfile = query({
  name: "charts.previous-profile",
  sql: `SELECT profile_id AS profileId, started_at AS startedAt, sample_types AS sampleTypes
        FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
          AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
          AND mapKeys(tags) = {tagNames:Array(String)} AND mapValues(tags) = {tagValues:Array(String)}
        ORDER BY started_at DESC
        LIMIT 1`,
  params: SeriesRange.extend({ tagNames: z.array(z.string()), tagValues: z.array(z.string()) }),
  row: ChartProfile.pick({ profileId: true, startedAt: true, sampleTypes: true }),
});
