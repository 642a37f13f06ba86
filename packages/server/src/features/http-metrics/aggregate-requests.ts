import { type aggregateHttpMetrics, limits, type ReplyOf } from "@flamekeep/contract";
import type { z } from "zod";
import type { Context, DemoActor, UserActor } from "#context";
import { sinceMinuteMs } from "#http/time-range.ts";
import { noAggregates, toAggregates } from "./present.ts";
import { digestedGroups, exactGroups, requestCounts } from "./total-queries.ts";

type Call = typeof aggregateHttpMetrics;

/** Senders' clocks may run ahead by so much, and what was accepted is shown. */
const aheadSeconds = 86_400;

/** Requests of a service by path, method or status: exact while they are few, else from digests. */
export async function aggregateRequests(
  ctx: Context,
  { orgId }: UserActor | DemoActor,
  { service, query }: { readonly service: string; readonly query: z.output<Call["query"]> },
): Promise<ReplyOf<Call>> {
  const nowMs = ctx.now().getTime();
  const asked = {
    orgId,
    service,
    fromSeconds: sinceMinuteMs(query.since, nowMs) / 1000,
    toSeconds: Math.floor(nowMs / 1000) + aheadSeconds,
  };
  const [counts] = await ctx.columns.ask(requestCounts, asked);
  const isApproximate = counts!.total > limits.httpExactRequestsMax;
  const groups = isApproximate ? digestedGroups : exactGroups;
  const [rows, [total]] = await Promise.all([
    ctx.columns.ask(groups, { ...asked, groupBy: query.group_by, limit: limits.httpGroupsMax }),
    ctx.columns.ask(groups, { ...asked, groupBy: "all", limit: 1 }),
  ]);
  return {
    aggregations: rows.map((row) => ({ [query.group_by]: row.name, ...toAggregates(row) })),
    total: total === undefined ? noAggregates : toAggregates(total),
    is_approximate: isApproximate,
  };
}
