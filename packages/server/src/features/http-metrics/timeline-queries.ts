import { z } from "zod";
import { query } from "#store/column/query.ts";
import { Count, MinuteRange } from "#store/column/values.ts";
import { inMinutes, inRange, ofService } from "./request-queries.ts";
import { quantilesOfBins } from "./total-queries.ts";

const Range = MinuteRange.extend({ bucketSeconds: z.int() });
/** With the method and path of the requests; each is empty if it does not matter. */
const Route = Range.extend({ method: z.string(), path: z.string() });

const ofRoute =
  "({method:String} = '' OR method = {method:String}) AND ({path:String} = '' OR path = {path:String})";

/** The totals of a service hold fewer rows than the totals of its routes, from which the same figures follow. */
const serviceTotals = {
  table: "http_service_totals_1m",
  where: ofService,
  failed: "sum(requests_4xx) + sum(requests_5xx)",
};
const routeTotals = {
  table: "http_totals_1m",
  where: `${ofService} AND ${ofRoute}`,
  failed: "sumIf(requests, status_class IN (4, 5))",
};

const Figures = z.array(z.number());

/** Arrays in parallel, one entry per interval that has requests, in no order. Durations in seconds. */
const Counts = z.object({ starts: Figures, requests: Figures, seconds: Figures, errors: Figures });
export type IntervalCounts = z.output<typeof Counts>;

const countsSql = ({ table, where, failed }: typeof serviceTotals) =>
  `SELECT groupArray(start) AS starts, groupArray(part) AS requests, groupArray(sum_seconds) AS seconds,
     groupArray(failed) AS errors
   FROM (
     SELECT intDiv(toUnixTimestamp(minute), {bucketSeconds:UInt32}) AS start, toFloat64(sum(requests)) AS part,
       sum(duration_seconds) AS sum_seconds, toFloat64(${failed}) AS failed
     FROM ${table}
     WHERE ${where} AND ${inMinutes}
     GROUP BY start
   )`;

/** One row. */
export const intervalCounts = query({
  name: "http.timeline-counts",
  isCacheable: true,
  sql: countsSql(serviceTotals),
  params: Range,
  row: Counts,
});

/** As `intervalCounts`, of a method or path. */
export const routeCounts = query({
  name: "http.timeline-route-counts",
  isCacheable: true,
  sql: countsSql(routeTotals),
  params: Route,
  row: Counts,
});

/** The number of uploads of the range that were histograms of OpenTelemetry. */
export const sentHistograms = query({
  name: "http.timeline-histograms",
  isCacheable: true,
  sql: `SELECT count() AS batches FROM profiles
        WHERE ${ofService} AND type = 'metrics' AND sender = 'otlp_histogram'
          AND started_at >= toDateTime64({fromSeconds:UInt32}, 3, 'UTC')
          AND started_at < toDateTime64({toSeconds:UInt32}, 3, 'UTC')`,
  params: Range,
  row: z.object({ batches: Count }),
});

const StatusCounts = z.object({
  starts: Figures,
  classes: z.array(z.tuple([z.number(), z.number(), z.number(), z.number()])),
});
export type IntervalStatuses = z.output<typeof StatusCounts>;

/** One row, as `intervalCounts`: the requests with status 2xx, 3xx, 4xx and 5xx of each interval. */
export const intervalStatuses = query({
  name: "http.timeline-statuses",
  isCacheable: true,
  sql: `SELECT groupArray(start) AS starts, groupArray([ok, redirected, refused, failed]) AS classes
        FROM (
          SELECT intDiv(toUnixTimestamp(minute), {bucketSeconds:UInt32}) AS start,
            toFloat64(sumIf(requests, status_class = 2)) AS ok, toFloat64(sumIf(requests, status_class = 3)) AS redirected,
            toFloat64(sumIf(requests, status_class = 4)) AS refused, toFloat64(sumIf(requests, status_class = 5)) AS failed
          FROM ${routeTotals.table}
          WHERE ${routeTotals.where} AND ${inMinutes}
          GROUP BY start
        )`,
  params: Route,
  row: StatusCounts,
});

const levels = "0.95, 0.99, 0.5";
/** p95, p99 and p50 in seconds, of the interval or, if `start` is 0, of the whole range. */
const Quantiles = z.object({ start: z.number(), quantiles: z.tuple([z.number(), z.number(), z.number()]) });
export type IntervalQuantiles = z.output<typeof Quantiles>;

/** From the requests themselves; quantileExact takes index floor(q * count). */
export const exactQuantiles = query({
  name: "http.timeline-exact",
  isCacheable: true,
  sql: `SELECT intDiv(toUnixTimestamp(at), {bucketSeconds:UInt32}) AS start,
          quantilesExact(${levels})(duration_seconds) AS quantiles
        FROM http_requests
        WHERE ${routeTotals.where} AND ${inRange}
        GROUP BY start WITH ROLLUP`,
  params: Route,
  row: Quantiles,
});

const binnedSql = ({ table, where }: typeof serviceTotals) =>
  `SELECT start, ${quantilesOfBins(levels)}
   FROM (
     SELECT intDiv(toUnixTimestamp(minute), {bucketSeconds:UInt32}) AS start, durations.1 AS bins, durations.2 AS counts
     FROM ${table}
     WHERE ${where} AND ${inMinutes}
   )
   ARRAY JOIN bins AS bin, counts AS held
   GROUP BY start WITH ROLLUP`;

/** As `exactQuantiles`, from the histograms of minutes: the middle of the bin. */
export const binnedQuantiles = query({
  name: "http.timeline-binned",
  isCacheable: true,
  sql: binnedSql(serviceTotals),
  params: Range,
  row: Quantiles,
});

/** As `binnedQuantiles`, of a method or path. */
export const routeQuantiles = query({
  name: "http.timeline-route-binned",
  isCacheable: true,
  sql: binnedSql(routeTotals),
  params: Route,
  row: Quantiles,
});
