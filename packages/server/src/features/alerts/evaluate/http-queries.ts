import { z } from "zod";
import { query } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";

/**
 * One row for each of the busiest routes: the middle of each cell with enough requests, its p95 in seconds from
 * the histograms of minutes (the middle of the bin), and its fraction of requests with status 5xx. `routesMax` counts for
 * each of the `services`.
 */
export const routePoints = query({
  name: "alerts.route-points",
  hasWideRows: true,
  sql: `SELECT service, concat(method, ' ', path) AS route, groupArray(cell + intDiv({cellMs:Int64}, 2)) AS at,
          groupArray(p95) AS p95s, groupArray(rate) AS errorRates
        FROM (
          SELECT service, method, path, cell, sum(held) AS requests, toFloat64(sumIf(held, status_class = 5)) / requests AS rate,
            quantileExactWeighted(0.95)(bin, held) AS p95_bin, if(p95_bin = -32768, 0., 2 * pow(1.02, p95_bin) / 2.02) AS p95
          FROM (
            SELECT service, method, path, status_class, durations.1 AS bins, durations.2 AS counts,
              intDiv(toInt64(toUnixTimestamp(minute)) * 1000, {cellMs:Int64}) * {cellMs:Int64} AS cell
            FROM http_totals_1m
            WHERE org_id = {orgId:UUID} AND service IN {services:Array(String)}
              AND minute >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
              AND minute < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
          )
          ARRAY JOIN bins AS bin, counts AS held
          GROUP BY service, method, path, cell
          HAVING requests >= {requestsMin:UInt32} AND cell + {cellMs:Int64} <= {toMs:Int64}
        )
        GROUP BY service, route
        ORDER BY sum(requests) DESC, route
        LIMIT {routesMax:UInt32} BY service`,
  params: z.object({
    orgId: z.uuid(),
    services: z.array(z.string()),
    fromMs: z.int(),
    toMs: z.int(),
    cellMs: z.int(),
    requestsMin: z.int(),
    routesMax: z.int(),
  }),
  row: z.object({
    service: z.string(),
    route: z.string(),
    at: z.array(Count),
    p95s: z.array(z.number()),
    errorRates: z.array(z.number()),
  }),
});
export type RouteRow = (typeof routePoints)["row"]["_output"];
