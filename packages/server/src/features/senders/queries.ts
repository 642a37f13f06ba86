import { z } from "zod";
import { query } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { instanceTags } from "#store/profiles/tag-names.ts";
import type { RowStore } from "#store/row/row-store.ts";

const Services = z.object({ orgId: z.uuid(), services: z.array(z.string()) });

/** Profiles and batches of HTTP metrics by service and bucket; buckets without any are missing. */
export const receivedByBucket = query({
  name: "senders.received",
  sql: `SELECT service, groupArray(bucket) AS buckets, groupArray(profiles) AS counts
        FROM (
          SELECT service, toUInt32(intDiv(toUnixTimestamp(minute) - {firstSeconds:UInt32}, {bucketSeconds:UInt32})) AS bucket,
            toFloat64(sum(profiles)) AS profiles
          FROM type_totals_1m
          WHERE org_id = {orgId:UUID} AND sample_type = '' AND service IN {services:Array(String)}
            AND minute >= toDateTime({firstSeconds:UInt32}, 'UTC') AND minute < toDateTime({endSeconds:UInt32}, 'UTC')
          GROUP BY service, bucket
        )
        GROUP BY service`,
  params: Services.extend({ firstSeconds: z.int(), endSeconds: z.int(), bucketSeconds: z.int() }),
  row: z.object({ service: z.string(), buckets: z.array(z.number()), counts: z.array(z.number()) }),
});

/** The tags that name a process, with those of Datadog's libraries. */
export const namesOfProcess = [...instanceTags, "runtime-id", "runtime_id"];

/**
 * A row for each type of an instance. `sincesMs` is parallel to `services`: each service is read since another time, so that a page reads a
 * bounded number of profiles. One gap is no interval: `intervalMs` is 0 for fewer than three profiles. Opened files, which have the tag `file`, count for no interval. `delayMs` counts from the end of a
 * profile until it arrived.
 */
export const seriesOfInstances = query({
  name: "senders.instances",
  sql: `SELECT service, instance, type, count() AS profiles,
          toUnixTimestamp64Milli(max(started_at)) AS startedMs,
          toUnixTimestamp64Milli(min(received_at)) AS firstReceivedMs,
          toUnixTimestamp64Milli(max(received_at)) AS receivedMs,
          arraySort(arrayPopFront(arrayDifference(arraySort(groupArrayIf(toUnixTimestamp64Milli(started_at), NOT isOpened))))) AS gaps,
          if(length(gaps) < 2, 0, gaps[intDiv(length(gaps), 2) + 1]) AS intervalMs,
          min(toUnixTimestamp64Milli(received_at) - toUnixTimestamp64Milli(started_at)
            - intDiv(toInt64(duration_ns), 1000000)) AS delayMs,
          groupUniqArrayIf({keysMax:UInt32})(facts['key'], facts['key'] != '') AS keyIds,
          groupUniqArrayIf({namesMax:UInt32})(facts['dropped_tags'], facts['dropped_tags'] != '') AS droppedNames,
          max(trimmed['tags']) AS dropped
        FROM (
          SELECT service, type, started_at, received_at, duration_ns, facts, trimmed, tags['file'] != '' AS isOpened,
            arrayFirst(name -> name != '', arrayMap(name -> tags[name], {instanceTags:Array(String)})) AS instance
          FROM profiles
          WHERE org_id = {orgId:UUID} AND service IN {services:Array(String)}
            AND started_at >= fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC')
            AND toUnixTimestamp64Milli(started_at)
              >= transform(toString(service), {services:Array(String)}, {sincesMs:Array(Int64)}, toInt64(0))
        )
        GROUP BY service, instance, type
        ORDER BY receivedMs DESC, instance, type
        LIMIT {limit:UInt32} BY service`,
  params: Services.extend({
    sincesMs: z.array(z.int()),
    sinceMs: z.int(),
    limit: z.int(),
    keysMax: z.int(),
    namesMax: z.int(),
    instanceTags: z.array(z.string()),
  }),
  row: z.object({
    service: z.string(),
    instance: z.string(),
    type: z.string(),
    profiles: Count,
    startedMs: Count,
    firstReceivedMs: Count,
    receivedMs: Count,
    intervalMs: Count,
    delayMs: z.coerce.number(),
    keyIds: z.array(z.string()),
    droppedNames: z.array(z.string()),
    dropped: Count,
  }),
});
export type SeriesRow = z.output<typeof seriesOfInstances.row>;

/** Rejected requests of the organization's keys since a day, by key and code. */
export function rejectionsSince(rows: RowStore, orgId: string, since: string) {
  return rows
    .selectFrom("apiKeyRefusals")
    .select(["keyId", "code", "count", "lastAt", "lastMessage"])
    .where("orgId", "=", orgId)
    .where("day", ">=", since)
    .execute();
}

export function keysById(rows: RowStore, orgId: string, ids: readonly string[]) {
  if (ids.length === 0) return Promise.resolve([]);
  return rows
    .selectFrom("apiKeys")
    .select(["id", "name", "prefix", "isActive", "expiresAt"])
    .where("orgId", "=", orgId)
    .where("id", "in", ids)
    .orderBy("name")
    .execute();
}
