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

const Requests = MinuteRange.extend({ limit: z.int() });

/** Newest first. */
export const latestRequests = query({
  name: "http.latest",
  isCacheable: true,
  sql: `SELECT at, duration_seconds, status_code, method, path, request_id
        FROM http_requests
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND at >= toDateTime({fromSeconds:UInt32}, 'UTC')
          AND at < toDateTime({toSeconds:UInt32}, 'UTC')
        ORDER BY at DESC
        LIMIT {limit:UInt32}`,
  params: Requests,
  row: RequestRow,
});

/** Newest first. Each minute with errors in the totals has at least one, so `limit` minutes are enough. */
export const latestErrors = query({
  name: "http.errors",
  isCacheable: true,
  sql: `SELECT at, duration_seconds, status_code, method, path, request_id
        FROM http_requests
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND at >= toDateTime({fromSeconds:UInt32}, 'UTC')
          AND at < toDateTime({toSeconds:UInt32}, 'UTC')
          AND status_code >= 400
          AND toStartOfMinute(at) IN (
            SELECT minute FROM http_service_totals_1m
            WHERE org_id = {orgId:UUID} AND service = {service:String} AND requests_4xx + requests_5xx > 0
              AND minute >= toDateTime({fromSeconds:UInt32}, 'UTC')
              AND minute < toDateTime({toSeconds:UInt32}, 'UTC')
            ORDER BY minute DESC
            LIMIT {limit:UInt32})
        ORDER BY at DESC
        LIMIT {limit:UInt32}`,
  params: Requests,
  row: RequestRow,
});

/** Newest first. Each minute with the path in the totals has at least one request, so `limit` minutes are enough. */
export const latestOfPath = query({
  name: "http.path",
  isCacheable: true,
  sql: `SELECT at, duration_seconds, status_code, method, path, request_id
        FROM http_requests
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND at >= toDateTime({fromSeconds:UInt32}, 'UTC')
          AND at < toDateTime({toSeconds:UInt32}, 'UTC')
          AND path = {path:String}
          AND toStartOfMinute(at) IN (
            SELECT DISTINCT minute FROM http_totals_1m
            WHERE org_id = {orgId:UUID} AND service = {service:String} AND path = {path:String}
              AND minute >= toDateTime({fromSeconds:UInt32}, 'UTC')
              AND minute < toDateTime({toSeconds:UInt32}, 'UTC')
            ORDER BY minute DESC
            LIMIT {limit:UInt32})
        ORDER BY at DESC
        LIMIT {limit:UInt32}`,
  params: Requests.extend({ path: z.string() }),
  row: RequestRow,
});

/** Longest first. */
export const slowestOfPath = query({
  name: "http.path-slowest",
  isCacheable: true,
  sql: `SELECT at, duration_seconds, status_code, method, path, request_id
        FROM http_requests
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND at >= toDateTime({fromSeconds:UInt32}, 'UTC')
          AND at < toDateTime({toSeconds:UInt32}, 'UTC')
          AND path = {path:String}
        ORDER BY duration_seconds DESC, at DESC
        LIMIT {limit:UInt32}`,
  params: Requests.extend({ path: z.string() }),
  row: RequestRow,
});

/** Newest first. Each minute with errors of the path in the totals has at least one, so `limit` minutes are enough. */
export const errorsOfPath = query({
  name: "http.path-errors",
  isCacheable: true,
  sql: `SELECT at, duration_seconds, status_code, method, path, request_id
        FROM http_requests
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND at >= toDateTime({fromSeconds:UInt32}, 'UTC')
          AND at < toDateTime({toSeconds:UInt32}, 'UTC')
          AND path = {path:String} AND status_code >= 400
          AND toStartOfMinute(at) IN (
            SELECT DISTINCT minute FROM http_totals_1m
            WHERE org_id = {orgId:UUID} AND service = {service:String} AND path = {path:String}
              AND status_class IN (4, 5)
              AND minute >= toDateTime({fromSeconds:UInt32}, 'UTC')
              AND minute < toDateTime({toSeconds:UInt32}, 'UTC')
            ORDER BY minute DESC
            LIMIT {limit:UInt32})
        ORDER BY at DESC
        LIMIT {limit:UInt32}`,
  params: Requests.extend({ path: z.string() }),
  row: RequestRow,
});
