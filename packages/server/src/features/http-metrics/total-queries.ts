import { httpGroupings } from "@flamekeep/contract";
import { z } from "zod";
import { question } from "#store/column/question.ts";
import { Count } from "#store/column/values.ts";

/** Whole minutes as Unix seconds. */
const Range = z.object({
  orgId: z.uuid(),
  service: z.string(),
  fromSeconds: z.int(),
  toSeconds: z.int(),
});

/** One row: how many requests, and how many of them failed. */
export const requestCounts = question({
  name: "http.counts",
  sql: `SELECT sum(requests) AS total, sum(requests_4xx) AS clientErrors, sum(requests_5xx) AS serverErrors
        FROM http_service_totals_1m
        WHERE org_id = {orgId:UUID} AND service = {service:String}
          AND minute >= toDateTime({fromSeconds:UInt32}, 'UTC') AND minute < toDateTime({toSeconds:UInt32}, 'UTC')`,
  params: Range,
  row: z.object({ total: Count, clientErrors: Count, serverErrors: Count }),
});

const Groups = Range.extend({ groupBy: z.enum([...httpGroupings, "all"]), limit: z.int() });

const GroupRow = z.object({
  name: z.string(),
  requests: Count,
  seconds: z.number(),
  /** p95 and p99 in seconds. */
  quantiles: z.tuple([z.number(), z.number()]),
  errors: Count,
});
export type GroupRow = z.output<typeof GroupRow>;

/** Most requests first, from the requests themselves; quantileExact takes index floor(q * count). */
export const exactGroups = question({
  name: "http.groups-exact",
  sql: `SELECT multiIf({groupBy:String} = 'path', path, {groupBy:String} = 'method', method,
            {groupBy:String} = 'all', '', status_code BETWEEN 200 AND 599,
            concat(toString(intDiv(status_code, 100)), 'xx'), 'Other') AS name,
          count() AS requests, sum(duration_seconds) AS seconds,
          quantilesExact(0.95, 0.99)(duration_seconds) AS quantiles, countIf(status_code >= 400) AS errors
        FROM http_requests
        WHERE org_id = {orgId:UUID} AND service = {service:String}
          AND at >= toDateTime({fromSeconds:UInt32}, 'UTC') AND at < toDateTime({toSeconds:UInt32}, 'UTC')
        GROUP BY name
        ORDER BY requests DESC, name
        LIMIT {limit:UInt32}`,
  params: Groups,
  row: GroupRow,
});

/** As `exactGroups`, from digests: whole hours, and the minutes before them. */
export const digestedGroups = question({
  name: "http.groups-digested",
  sql: `WITH toDateTime({fromSeconds:UInt32}, 'UTC') AS range_from, toDateTime({toSeconds:UInt32}, 'UTC') AS range_to,
          toStartOfHour(range_from) + INTERVAL 1 HOUR AS first_hour
        SELECT multiIf({groupBy:String} = 'path', path, {groupBy:String} = 'method', method,
            {groupBy:String} = 'all', '', status_class BETWEEN 2 AND 5,
            concat(toString(status_class), 'xx'), 'Other') AS name,
          sum(part) AS requests, sum(duration_seconds) AS seconds,
          arraySlice(quantilesTDigestMerge(0.5, 0.95, 0.99)(durations), 2) AS quantiles,
          sumIf(part, status_class >= 4) AS errors
        FROM (
          SELECT path, method, status_class, requests AS part, duration_seconds, durations
          FROM http_totals_1h
          WHERE org_id = {orgId:UUID} AND service = {service:String} AND hour >= first_hour AND hour < range_to
          UNION ALL
          SELECT path, method, status_class, requests AS part, duration_seconds, durations
          FROM http_totals_1m
          WHERE org_id = {orgId:UUID} AND service = {service:String}
            AND minute >= range_from AND minute < least(first_hour, range_to)
        )
        GROUP BY name
        ORDER BY requests DESC, name
        LIMIT {limit:UInt32}`,
  params: Groups,
  row: GroupRow,
});
