import { type aggregateHttpMetrics, type HttpGrouping, limits, type ReplyOf } from "@flamekeep/contract";
import type { z } from "zod";
import type { Context, DemoActor, UserActor } from "#context";
import { sinceMinuteMs } from "#http/query/time-range.ts";
import { noAggregates, toAggregates } from "./present.ts";
import { binnedGroups, exactGroups, type GroupRow, requestCounts, rolledHours } from "./total-queries.ts";

type Call = typeof aggregateHttpMetrics;

/** Senders' clocks may run ahead by so much, and what was accepted is shown. */
const aheadSeconds = 86_400;

/** Requests of a service by path, method or status: exact while they are few, else from histograms. */
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
  const [counts] = await ctx.columns.query(requestCounts, asked);
  const isApproximate = counts!.total > limits.httpExactRequestsMax;
  const rolled = isApproximate ? await ctx.columns.query(rolledHours, asked) : [];
  const hours = rolled.map(({ hourSeconds }) => hourSeconds);
  const groupsBy = (groupBy: HttpGrouping | "all", limit: number): Promise<GroupRow[]> =>
    isApproximate
      ? ctx.columns.query(binnedGroups, { ...asked, hours, groupBy, limit })
      : ctx.columns.query(exactGroups, { ...asked, groupBy, limit });
  const [rows, [total]] = await Promise.all([
    groupsBy(query.group_by, limits.httpGroupsMax),
    groupsBy("all", 1),
  ]);
  return {
    aggregations: rows.map((row) => ({ [query.group_by]: row.name, ...toAggregates(row) })),
    total: total === undefined ? noAggregates : toAggregates(total),
    is_approximate: isApproximate,
  };
}
