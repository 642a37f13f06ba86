import { z } from "zod";
import { query } from "#store/column/query.ts";
import { Count, Instant, MinuteRange } from "#store/column/values.ts";

/** A stored request. */
export const RequestRow = z.object({
  at: Instant,
  duration_seconds: z.number(),
  status_code: z.int(),
  method: z.string(),
  path: z.string(),
  request_id: z.string(),
});
export type RequestRow = z.output<typeof RequestRow>;

/** Conditions on a service, and on the minutes of totals or the times of requests in a range. */
export const ofService = "org_id = {orgId:UUID} AND service = {service:String}";
export const inMinutes =
  "minute >= toDateTime({fromSeconds:UInt32}, 'UTC') AND minute < toDateTime({toSeconds:UInt32}, 'UTC')";
export const inRange =
  "at >= toDateTime64({fromSeconds:UInt32}, 3, 'UTC') AND at < toDateTime64({toSeconds:UInt32}, 3, 'UTC')";

const Requests = MinuteRange.extend({ limit: z.int() });
/** With the path of the requests, and their method, empty if it does not matter. */
const RequestsOfPath = Requests.extend({ path: z.string(), method: z.string() });
const ofPath = "path = {path:String} AND ({method:String} = '' OR method = {method:String})";

/** @param rest further conditions, and the order */
function requestsQuery<P extends z.output<typeof Requests>>(
  name: string,
  params: z.ZodType<P>,
  rest: string,
) {
  return query({
    name,
    isCacheable: true,
    sql: `SELECT at, duration_seconds, status_code, method, path, request_id
          FROM http_requests
          WHERE ${ofService} AND ${inRange} ${rest}
          LIMIT {limit:UInt32}`,
    params,
    row: RequestRow,
  });
}

/** The newest minutes whose totals fulfil a condition. Each has at least one request, so `limit` minutes are enough. */
const inLatestMinutes = (table: string, condition: string) =>
  `toStartOfMinute(at) IN (
     SELECT DISTINCT minute FROM ${table}
     WHERE ${ofService} AND ${condition} AND ${inMinutes}
     ORDER BY minute DESC
     LIMIT {limit:UInt32})`;

/** Newest first. */
export const latestRequests = requestsQuery("http.latest", Requests, "ORDER BY at DESC");

/** Newest first. */
export const latestErrors = requestsQuery(
  "http.errors",
  Requests,
  `AND status_code >= 400 AND ${inLatestMinutes("http_service_totals_1m", "requests_4xx + requests_5xx > 0")}
   ORDER BY at DESC`,
);

/** Newest first. */
export const latestOfPath = requestsQuery(
  "http.path",
  RequestsOfPath,
  `AND ${ofPath} AND ${inLatestMinutes("http_totals_1m", ofPath)}
   ORDER BY at DESC`,
);

/** Longest first. */
export const slowestOfPath = requestsQuery(
  "http.path-slowest",
  RequestsOfPath,
  `AND ${ofPath} ORDER BY duration_seconds DESC, at DESC`,
);

/** Newest first. */
export const errorsOfPath = requestsQuery(
  "http.path-errors",
  RequestsOfPath,
  `AND ${ofPath} AND status_code >= 400
   AND ${inLatestMinutes("http_totals_1m", `${ofPath} AND status_class IN (4, 5)`)}
   ORDER BY at DESC`,
);

/**
 * For each of the times, by its place from 1: the latest of the profiles that were taken then, else the nearest one within `nearMs`.
 * Profiles longer than an hour are left out: they are about everything.
 */
export const profilesAround = query({
  name: "http.profiles-around",
  sql: `SELECT place, argMin(profile_id, (away_ms, -start_ms, profile_id)) AS profileId,
          argMin(started_at, (away_ms, -start_ms, profile_id)) AS startedAt, min(away_ms) AS awayMs
        FROM (
          SELECT profile_id, started_at, place, start_ms,
            greatest(start_ms - {timesMs:Array(Int64)}[place], {timesMs:Array(Int64)}[place] - end_ms, 0) AS away_ms
          FROM (
            SELECT profile_id, started_at, toUnixTimestamp64Milli(started_at) AS start_ms,
              start_ms + toInt64(intDiv(duration_ns, 1000000)) AS end_ms
            FROM profiles
            WHERE ${ofService} AND type = {type:String} AND duration_ns <= 3600000000000
              AND started_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
              AND started_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
          )
          ARRAY JOIN arrayFilter(
            each -> {timesMs:Array(Int64)}[each] >= start_ms - {nearMs:Int64}
              AND {timesMs:Array(Int64)}[each] <= end_ms + {nearMs:Int64},
            arrayEnumerate({timesMs:Array(Int64)})) AS place
        )
        GROUP BY place`,
  params: z.object({
    orgId: z.uuid(),
    service: z.string(),
    type: z.string(),
    fromMs: z.int(),
    toMs: z.int(),
    nearMs: z.int(),
    timesMs: z.array(z.int()),
  }),
  row: z.object({ place: z.coerce.number(), profileId: z.string(), startedAt: Instant, awayMs: Count }),
});
