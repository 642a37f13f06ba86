import { profileTypes } from "@flamekeep/contract";
import { z } from "zod";
import { query } from "#store/column/query.ts";
import { Count, Instant, SeriesRange } from "#store/column/values.ts";

const StoredProfile = z.object({
  profileId: z.string(),
  startedAt: Instant,
  sampleTypes: z.array(z.string()),
  payloadBytes: Count,
});
export type StoredProfile = z.output<typeof StoredProfile>;

/** The profiles of one series (service, type and tags) in a range, newest first. */
export const seriesProfiles = query({
  name: "analysis.series-profiles",
  sql: `SELECT profile_id AS profileId, started_at AS startedAt, sample_types AS sampleTypes,
          greatest(original_bytes, toUInt32OrZero(facts['shared_bytes'])) AS payloadBytes
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
          argMax(sample_types, (mapValues(tags) = {tagValues:Array(String)}, started_at)) AS sampleTypes,
          argMax(greatest(original_bytes, toUInt32OrZero(facts['shared_bytes'])), (mapValues(tags) = {tagValues:Array(String)}, started_at)) AS payloadBytes
        FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String}
          AND type != {type:String} AND type != 'metrics'
          AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
        GROUP BY type`,
  params: SeriesRange.extend({ tagValues: z.array(z.string()) }),
  row: StoredProfile.extend({ type: z.enum(profileTypes) }),
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
