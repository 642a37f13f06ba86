import { profileTypes } from "@flamekeep/contract";
import { z } from "zod";
import { query } from "#store/column/query.ts";
import { Count, Instant, SeriesRange } from "#store/column/values.ts";

const StoredProfile = z.object({ profileId: z.string(), startedAt: Instant, payloadBytes: Count });
export type StoredProfile = z.output<typeof StoredProfile>;

/** The profiles of one series (service, type and tags) in a range, newest first. */
export const seriesProfiles = query({
  name: "analysis.series-profiles",
  sql: `SELECT profile_id AS profileId, started_at AS startedAt, original_bytes AS payloadBytes
        FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
          AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
          AND mapKeys(tags) = {tagNames:Array(String)} AND mapValues(tags) = {tagValues:Array(String)}
        ORDER BY started_at DESC
        LIMIT 500`,
  params: SeriesRange.extend({ tagNames: z.array(z.string()), tagValues: z.array(z.string()) }),
  row: StoredProfile,
});

/** The newest profile of each other type of the service in a range; one with the same tags if there is one. */
export const relatedProfiles = query({
  name: "analysis.related-profiles",
  sql: `SELECT type,
          argMax(profile_id, (mapValues(tags) = {tagValues:Array(String)}, started_at)) AS profileId,
          argMax(started_at, (mapValues(tags) = {tagValues:Array(String)}, started_at)) AS startedAt,
          argMax(original_bytes, (mapValues(tags) = {tagValues:Array(String)}, started_at)) AS payloadBytes
        FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String}
          AND type != {type:String} AND type != 'metrics'
          AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
        GROUP BY type`,
  params: SeriesRange.extend({ tagValues: z.array(z.string()) }),
  row: StoredProfile.extend({ type: z.enum(profileTypes) }),
});

/** HTTP requests of the service in whole minutes. */
export const requestsOfRange = query({
  name: "analysis.requests",
  sql: `SELECT toFloat64(sum(requests)) AS requests, uniqExact(minute) AS minutes
        FROM http_service_totals_1m
        WHERE org_id = {orgId:UUID} AND service = {service:String}
          AND minute >= {from:DateTime('UTC')} AND minute < {to:DateTime('UTC')}`,
  params: SeriesRange.omit({ type: true }),
  row: z.object({ requests: z.number(), minutes: Count }),
});

/**
 * How many instances sent profiles: distinct tags in a quarter of an hour, the mean over the quarters with profiles. Instances
 * without a tag of their own count as one.
 */
export const instancesOfRange = query({
  name: "analysis.instances",
  sql: `SELECT if(count() = 0, 0, avg(instances)) AS instances
        FROM (
          SELECT toStartOfFifteenMinutes(started_at) AS quarter, toFloat64(uniqExact(tags)) AS instances
          FROM profiles
          WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
            AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
          GROUP BY quarter
        )`,
  params: SeriesRange,
  row: z.object({ instances: z.number() }),
});

/** Versions of the service and when each was first seen, oldest first. */
export const versionsOfRange = query({
  name: "analysis.versions",
  sql: `SELECT version, toFloat64(toUnixTimestamp64Milli(min(started_at))) AS atMs
        FROM (
          SELECT tags[arrayFirst(name -> tags[name] != '', {names:Array(String)})] AS version, started_at
          FROM profiles
          WHERE org_id = {orgId:UUID} AND service = {service:String}
            AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
            AND hasAny(mapKeys(tags), {names:Array(String)})
        )
        GROUP BY version
        ORDER BY atMs DESC
        LIMIT 20`,
  params: SeriesRange.omit({ type: true }).extend({ names: z.array(z.string()) }),
  row: z.object({ version: z.string(), atMs: z.number() }),
});
