import { z } from "zod";
import { query } from "#store/column/query.ts";
import { Count, Day, Instant, Int64 } from "#store/column/values.ts";

/** Which of these profiles are stored. Ids name their day, so that only those partitions are looked into. */
export const storedIds = query({
  name: "ingest.stored_ids",
  sql: `SELECT toString(org_id) AS orgId, profile_id AS profileId
    FROM profiles
    WHERE toDate(started_at) IN {days:Array(Date)}
      AND org_id IN {orgIds:Array(UUID)}
      AND profile_id IN {profileIds:Array(String)}`,
  params: z.object({ days: z.array(Day), orgIds: z.array(z.uuid()), profileIds: z.array(z.string()) }),
  row: z.object({ orgId: z.string(), profileId: z.string() }),
});

/** On which days requests of these uploads are stored, looked for at the times they have. Each list names one place. */
export const storedRequestDays = query({
  name: "ingest.stored_request_days",
  sql: `SELECT DISTINCT toString(org_id) AS orgId, profile_id AS profileId, toDate(at) AS day
    FROM http_requests
    WHERE toDate(at) IN {days:Array(Date)}
      AND (org_id, service, at) IN arrayZip({orgIds:Array(UUID)}, {services:Array(String)},
        arrayMap(ms -> fromUnixTimestamp64Milli(ms, 'UTC'), {times:Array(Int64)}))
      AND profile_id IN {profileIds:Array(String)}`,
  params: z.object({
    days: z.array(Day),
    orgIds: z.array(z.uuid()),
    services: z.array(z.string()),
    times: z.array(z.int()),
    profileIds: z.array(z.string()),
  }),
  row: z.object({ orgId: z.string(), profileId: z.string(), day: Day }),
});

/**
 * The latest stored snapshot of each process of a series, the latest process first. Rows of SDK uploads name a process too, and a
 * session. Rows that older versions wrote name no process and are taken for one. `delta` marks profiles that look like snapshots
 * and are not: see `delta=true` in docs/sending.md.
 */
export const latestOfProcesses = query({
  name: "ingest.latest_of_processes",
  sql: `SELECT facts['process'] AS process, argMax(profile_id, started_at) AS profileId,
      max(started_at) AS lastAt, argMax(totals, started_at) AS lastTotals,
      min(started_at) AS firstAt, argMin(totals, started_at) AS firstTotals
    FROM profiles
    WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
      AND started_at >= {from:DateTime64(3, 'UTC')}
      AND duration_ns = 0 AND NOT mapContains(facts, 'delta') AND NOT mapContains(facts, 'session')
      AND (sender = 'api' OR mapContains(facts, 'process'))
      AND sample_types = {sampleTypes:Array(String)}
      AND mapKeys(mapFilter((name, value) -> NOT has({ignoredTags:Array(String)}, name), tags)) = {tagNames:Array(String)}
      AND mapValues(mapFilter((name, value) -> NOT has({ignoredTags:Array(String)}, name), tags)) = {tagValues:Array(String)}
      AND (empty({processes:Array(String)}) OR has({processes:Array(String)}, facts['process']))
    GROUP BY process
    ORDER BY max(started_at) DESC
    LIMIT {limit:UInt8}`,
  params: z.object({
    orgId: z.uuid(),
    service: z.string(),
    type: z.string(),
    from: z.date(),
    sampleTypes: z.array(z.string()),
    ignoredTags: z.array(z.string()),
    tagNames: z.array(z.string()),
    tagValues: z.array(z.string()),
    processes: z.array(z.string()),
    limit: z.int(),
  }),
  row: z.object({
    process: z.string(),
    profileId: z.string(),
    lastAt: Instant,
    lastTotals: z.array(Int64),
    firstAt: Instant,
    firstTotals: z.array(Int64),
  }),
});
export type LatestOfProcess = z.output<typeof latestOfProcesses.row>;

/**
 * Sessions in which a process of an SDK has sent to a series, the first one first: the very first one, the latest ones and
 * `session`, however many there are between them.
 */
export const sessionsOfProcess = query({
  name: "ingest.sessions_of_process",
  sql: `SELECT name AS session, firstAt
    FROM (
      SELECT facts['session'] AS name, min(started_at) AS firstAt,
        row_number() OVER (ORDER BY min(started_at), facts['session']) AS fromFirst,
        row_number() OVER (ORDER BY min(started_at) DESC, facts['session'] DESC) AS fromLatest
      FROM profiles
      WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
        AND started_at >= {from:DateTime64(3, 'UTC')}
        AND facts['process'] = {process:String} AND mapContains(facts, 'session')
        AND sample_types = {sampleTypes:Array(String)}
        AND mapKeys(tags) = {tagNames:Array(String)} AND mapValues(tags) = {tagValues:Array(String)}
      GROUP BY name
    )
    WHERE fromFirst = 1 OR fromLatest <= {latestMax:UInt8} OR name = {session:String}
    ORDER BY firstAt, name`,
  params: z.object({
    orgId: z.uuid(),
    service: z.string(),
    type: z.string(),
    from: z.date(),
    process: z.string(),
    session: z.string(),
    latestMax: z.int(),
    sampleTypes: z.array(z.string()),
    tagNames: z.array(z.string()),
    tagValues: z.array(z.string()),
  }),
  row: z.object({ session: z.string(), firstAt: Instant }),
});

/** Bytes as sent of everything that an organization keeps, by day, from the totals by minute. */
export const storedBytesByDay = query({
  name: "ingest.stored_bytes_by_day",
  sql: `SELECT toDate(minute) AS day, sum(stored_bytes) AS bytes FROM type_totals_1m
    WHERE org_id = {orgId:UUID} AND sample_type = '' GROUP BY day`,
  params: z.object({ orgId: z.uuid() }),
  row: z.object({ day: Day, bytes: Count }),
});

/** The same for some days. */
export const storedBytesOfDays = query({
  name: "ingest.stored_bytes_of_days",
  sql: `SELECT toDate(minute) AS day, sum(stored_bytes) AS bytes FROM type_totals_1m
    WHERE org_id = {orgId:UUID} AND sample_type = '' AND toDate(minute) IN {days:Array(Date)} GROUP BY day`,
  params: z.object({ orgId: z.uuid(), days: z.array(Day) }),
  row: z.object({ day: Day, bytes: Count }),
});
