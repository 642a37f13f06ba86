import { z } from "zod";
import { query } from "#store/column/query.ts";
import { Instant, MinuteRange } from "#store/column/values.ts";

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
const RequestsOfPath = Requests.extend({ path: z.string() });

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
  `AND path = {path:String} AND ${inLatestMinutes("http_totals_1m", "path = {path:String}")}
   ORDER BY at DESC`,
);

/** Longest first. */
export const slowestOfPath = requestsQuery(
  "http.path-slowest",
  RequestsOfPath,
  "AND path = {path:String} ORDER BY duration_seconds DESC, at DESC",
);

/** Newest first. */
export const errorsOfPath = requestsQuery(
  "http.path-errors",
  RequestsOfPath,
  `AND path = {path:String} AND status_code >= 400
   AND ${inLatestMinutes("http_totals_1m", "path = {path:String} AND status_class IN (4, 5)")}
   ORDER BY at DESC`,
);
