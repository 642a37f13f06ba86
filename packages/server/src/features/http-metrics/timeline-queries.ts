import { z } from "zod";
import { question } from "#store/column/question.ts";

/** Whole minutes as Unix seconds. */
const Range = z.object({
  orgId: z.uuid(),
  service: z.string(),
  fromSeconds: z.int(),
  toSeconds: z.int(),
  bucketSeconds: z.int(),
});

const Figures = z.array(z.number());

/** Arrays in parallel, one entry per interval that has requests, in no order. Durations in seconds. */
const Timeline = z.object({
  starts: Figures,
  requests: Figures,
  seconds: Figures,
  errors: Figures,
  /** p50, p95 and p99 of each interval. */
  quantiles: z.array(z.array(z.number())),
  /** Of all requests of the range; null without any. */
  overall: z.array(z.number().nullable()),
});
export type TimelineRow = z.output<typeof Timeline>;

/** One row, from the requests themselves; quantileExact takes index floor(q * count). */
export const exactTimeline = question({
  name: "http.timeline-exact",
  sql: `SELECT groupArray(start) AS starts, groupArray(part) AS requests, groupArray(sum_seconds) AS seconds,
          groupArray(failed) AS errors, groupArray(finalizeAggregation(state)) AS quantiles,
          quantilesExactMerge(0.5, 0.95, 0.99)(state) AS overall
        FROM (
          SELECT intDiv(toUnixTimestamp(at), {bucketSeconds:UInt32}) AS start, toFloat64(count()) AS part,
            sum(duration_seconds) AS sum_seconds, toFloat64(countIf(status_code >= 400)) AS failed,
            quantilesExactState(0.5, 0.95, 0.99)(duration_seconds) AS state
          FROM http_requests
          WHERE org_id = {orgId:UUID} AND service = {service:String}
            AND at >= toDateTime({fromSeconds:UInt32}, 'UTC') AND at < toDateTime({toSeconds:UInt32}, 'UTC')
          GROUP BY start
        )`,
  params: Range,
  row: Timeline,
});

/** As `exactTimeline`, from the minutes' digests. */
export const digestedTimeline = question({
  name: "http.timeline-digested",
  sql: `SELECT groupArray(start) AS starts, groupArray(part) AS requests, groupArray(sum_seconds) AS seconds,
          groupArray(failed) AS errors, groupArray(finalizeAggregation(state)) AS quantiles,
          quantilesTDigestMerge(0.5, 0.95, 0.99)(state) AS overall
        FROM (
          SELECT intDiv(toUnixTimestamp(minute), {bucketSeconds:UInt32}) AS start, toFloat64(sum(requests)) AS part,
            sum(duration_seconds) AS sum_seconds, toFloat64(sum(requests_4xx) + sum(requests_5xx)) AS failed,
            quantilesTDigestMergeState(0.5, 0.95, 0.99)(durations) AS state
          FROM http_service_totals_1m
          WHERE org_id = {orgId:UUID} AND service = {service:String}
            AND minute >= toDateTime({fromSeconds:UInt32}, 'UTC') AND minute < toDateTime({toSeconds:UInt32}, 'UTC')
          GROUP BY start
        )`,
  params: Range,
  row: Timeline,
});
