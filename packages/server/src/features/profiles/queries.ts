import { z } from "zod";
import { query } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { ProfileRow } from "#store/profiles/profile-row.ts";
import { hasMarks, markColumn, TypeFilter } from "#store/profiles/separate-types.ts";

/** Empty texts mean "any". */
const Filter = TypeFilter.extend({
  service: z.string(),
  /** Batches of HTTP metrics. */
  metrics: z.enum(["with", "without"]),
  tagNames: z.array(z.string()),
  tagValues: z.array(z.string()),
  search: z.string(),
});

export type PageFilter = TypeFilter & Pick<z.output<typeof Filter>, "metrics">;

const columns = `profile_id, service, type, started_at, received_at, duration_ns, tags, facts, sample_types, totals,
          sample_count, stack_count, original_bytes, content_hash, trimmed`;

const matchesFilter = `({service:String} = '' OR service = {service:String})
          AND ({type:String} = '' OR type = {type:String})
          AND ${hasMarks}
          AND ({metrics:String} = 'with' OR type != 'metrics')
          AND (empty({tagNames:Array(String)})
            OR arrayAll((name, value) -> tags[name] = value, {tagNames:Array(String)}, {tagValues:Array(String)}))
          AND ({search:String} = '' OR positionCaseInsensitiveUTF8(profile_id, {search:String}) > 0
            OR positionCaseInsensitiveUTF8(service, {search:String}) > 0
            OR arrayExists(word -> positionCaseInsensitiveUTF8(word, {search:String}) > 0,
              arrayConcat(mapKeys(tags), mapValues(tags))))`;

/**
 * Newest first. Times are Unix milliseconds; the page ends before (beforeMs, beforeId). Only the columns of the sort are
 * read until the page is known (lazy materialization).
 */
export const profilePage = query({
  name: "profiles.page",
  sql: `SELECT ${columns}
        FROM profiles
        WHERE org_id = {orgId:UUID}
          AND started_at >= fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC')
          AND started_at <= fromUnixTimestamp64Milli({beforeMs:Int64}, 'UTC')
          AND (started_at < fromUnixTimestamp64Milli({beforeMs:Int64}, 'UTC') OR profile_id < {beforeId:String})
          AND ${matchesFilter}
        ORDER BY started_at DESC, profile_id DESC
        LIMIT {limit:UInt32}`,
  params: Filter.extend({
    orgId: z.uuid(),
    sinceMs: z.int(),
    beforeMs: z.int(),
    beforeId: z.string(),
    limit: z.int(),
  }),
  row: ProfileRow,
});

/**
 * By another order than the newest, which every profile of the range has to be read for. The page begins after
 * (rank, afterMs, afterId), which sorts the largest rank first.
 */
export const rankedPage = query({
  name: "profiles.ranked-page",
  sql: `SELECT ${columns},
          multiIf({order:String} = 'oldest', -toUnixTimestamp64Milli(started_at),
            {order:String} = 'samples', toInt64(least(sample_count, 9007199254740991)),
            toInt64(least(duration_ns, 9007199254740991))) AS rank
        FROM profiles
        WHERE org_id = {orgId:UUID}
          AND started_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
          AND started_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
          AND (rank, toUnixTimestamp64Milli(started_at), profile_id)
            < ({afterRank:Int64}, {afterMs:Int64}, {afterId:String})
          AND ${matchesFilter}
        ORDER BY rank DESC, started_at DESC, profile_id DESC
        LIMIT {limit:UInt32}`,
  params: Filter.extend({
    orgId: z.uuid(),
    fromMs: z.int(),
    toMs: z.int(),
    order: z.enum(["oldest", "samples", "duration"]),
    afterRank: z.int(),
    afterMs: z.int(),
    afterId: z.string(),
    limit: z.int(),
  }),
  row: ProfileRow,
});

/** The totals of minutes have no tags, so the profiles are counted; only their tags are read. */
export const taggedCounts = query({
  name: "profiles.tagged-counts",
  sql: `SELECT type, ${markColumn} AS mark, count() AS profiles
        FROM profiles
        WHERE org_id = {orgId:UUID} AND ({service:String} = '' OR service = {service:String})
          AND started_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
          AND started_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
          AND arrayAll((name, value) -> tags[name] = value, {tagNames:Array(String)}, {tagValues:Array(String)})
        GROUP BY type, mark`,
  params: z.object({
    orgId: z.uuid(),
    service: z.string(),
    fromMs: z.int(),
    toMs: z.int(),
    tagNames: z.array(z.string()),
    tagValues: z.array(z.string()),
    allMarks: z.array(z.string()),
  }),
  row: z.object({ type: z.string(), mark: z.string(), profiles: Count }),
});
