import { z } from "zod";
import { question } from "#store/column/question.ts";
import { Day, Instant } from "#store/column/values.ts";

/** Which of these profiles are stored. Ids name their day, so that only those partitions are looked into. */
export const storedIds = question({
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
export const storedRequestDays = question({
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

/** The latest stored snapshot of a series, at most `from` old. */
export const latestSnapshot = question({
  name: "ingest.latest_snapshot",
  sql: `SELECT profile_id AS profileId, started_at AS startedAt
    FROM profiles
    WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
      AND started_at >= {from:DateTime64(3, 'UTC')}
      AND sender = 'api' AND duration_ns = 0
      AND sample_types = {sampleTypes:Array(String)}
      AND mapKeys(tags) = {tagNames:Array(String)} AND mapValues(tags) = {tagValues:Array(String)}
    ORDER BY started_at DESC
    LIMIT 1`,
  params: z.object({
    orgId: z.uuid(),
    service: z.string(),
    type: z.string(),
    from: z.date(),
    sampleTypes: z.array(z.string()),
    tagNames: z.array(z.string()),
    tagValues: z.array(z.string()),
  }),
  row: z.object({ profileId: z.string(), startedAt: Instant }),
});
