import { type HttpTimeline, type httpTimeline, limits } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import type { z } from "zod";
import type { Context, DemoActor, UserActor } from "#context";
import { bucketsOf, rangeBefore } from "#http/query/time-range.ts";
import { toHttpPoints, toHttpSummary } from "./present.ts";
import { binnedQuantiles, exactQuantiles, intervalCounts } from "./timeline-queries.ts";

type Query = z.output<(typeof httpTimeline)["query"]>;

/** Requests of a service in each interval of a range: exact while they are few, else from histograms. */
export async function readHttpTimeline(
  ctx: Context,
  { orgId }: UserActor | DemoActor,
  { service, query }: { readonly service: string; readonly query: Query },
): Promise<HttpTimeline> {
  const now = ctx.now();
  const buckets = bucketsOf(rangeBefore(query, now), query.interval * minuteMs);
  const asked = {
    orgId,
    service,
    fromSeconds: buckets.fromMs / 1000,
    toSeconds: buckets.toMs / 1000,
    bucketSeconds: buckets.widthMs / 1000,
  };
  const [counts] = await ctx.columns.query(intervalCounts, asked);
  const total = counts!.requests.reduce((sum, requests) => sum + requests, 0);
  const isApproximate = total > limits.httpExactRequestsMax;
  const quantiles = await ctx.columns.query(isApproximate ? binnedQuantiles : exactQuantiles, asked);
  const row = { ...counts!, quantiles: new Map(quantiles.map((each) => [each.start, each.quantiles])) };
  const points = toHttpPoints(buckets, row, now.getTime());
  return {
    service,
    interval_minutes: buckets.widthMs / minuteMs,
    interval_widened: buckets.isWidened,
    from: new Date(buckets.fromMs).toISOString(),
    to: new Date(buckets.toMs).toISOString(),
    is_approximate: isApproximate,
    data_points: points,
    summary: toHttpSummary(row, points),
  };
}
