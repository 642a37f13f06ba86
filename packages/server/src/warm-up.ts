import { setTimeout as sleep } from "node:timers/promises";
import * as calls from "@flamekeep/contract";
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import { endpointOf } from "@flamekeep/contract/schemas";
import { z } from "zod";
import type { Actor, Context } from "#context";
import { listedRange } from "#http/query/time-range.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { totalsOfServices } from "#store/profiles/service-totals.ts";
import { getFlameGraphDiff } from "./features/flame-graph/comparison/diff.ts";
import { getMergedFlameGraph } from "./features/flame-graph/merged-graph.ts";
import type { GraphContext } from "./features/flame-graph/reply/graph-cache.ts";
import { getTimeline } from "./features/timeline/routes.ts";

/** The server is not ready until these calls are made, but waits no longer than this for them. */
const msMaxDefault = 1000;

interface Series {
  readonly orgId: string;
  readonly service: string;
  readonly type: calls.ProfileType;
}

/** No organization has this id. Without profiles, the calls still load code and start the decoding thread. */
const noSeries: Series = { orgId: "00000000-0000-0000-0000-000000000000", service: "none", type: "cpu" };

/** The service with the most CPU profiles since a moment. */
const busiestSeries = maintenanceQuery({
  name: "warm-up.busiest-series",
  sql: `SELECT org_id AS orgId, service FROM type_totals_1m
        WHERE type = 'cpu' AND sample_type = '' AND toDate(minute) >= toDate({since:DateTime('UTC')})
          AND minute >= {since:DateTime('UTC')}
        GROUP BY org_id, service ORDER BY sum(profiles) DESC LIMIT 1`,
  params: z.object({ since: z.date() }),
  row: z.object({ orgId: z.uuid(), service: z.string() }),
});

/**
 * Makes the calls of a page once, so that the first visitor does not wait while code, indexes and columns are loaded and the decoding
 * thread starts. It makes them for the busiest service: they load the parts that calls of other services need too, and
 * their results stay in the caches. Never rejects: a call that fails is logged. Resolves after `msMax` at most; the calls that run then
 * are finished, but no further ones are made.
 *
 * @param ctx with the cache of graphs that the server answers from
 * @param stopped aborted once the server stops: no further calls are made, and those that run may fail because the stores close
 */
export async function warmUp(ctx: GraphContext, stopped: AbortSignal, msMax = msMaxDefault): Promise<void> {
  const ended = new AbortController();
  const calls = makeCalls(ctx, AbortSignal.any([ended.signal, stopped])).catch((error: unknown) => {
    if (!stopped.aborted) ctx.log.warn({ err: error }, "the calls that warm up the server failed");
  });
  await Promise.race([calls, sleep(msMax, undefined, { ref: false })]);
  ended.abort();
}

async function makeCalls(ctx: GraphContext, ended: AbortSignal): Promise<void> {
  const since = new Date(Math.floor(ctx.now().getTime() / minuteMs) * minuteMs - hourMs);
  const [busiest] = await ctx.columns.maintenance.query(busiestSeries, { since });
  const series = busiest === undefined ? noSeries : { ...busiest, type: "cpu" as const };
  const run = async (calls: readonly (() => Promise<unknown>)[]) => {
    for (const call of calls) if (!ended.aborted) await call();
  };
  await Promise.all([run(listCalls(ctx, series)), run(graphCalls(ctx, series))]);
}

function listCalls(ctx: Context, { orgId, service, type }: Series) {
  const actor: Actor = { kind: "demo", orgId };
  const timeline = { ...endpointOf(calls.typeTimeline).query.parse({ from: "24h" }), service, type };
  const now = ctx.now();
  const range = { orgId, ...listedRange({ from: "7d", to: "now" }, now), now };
  return [() => totalsOfServices(ctx.columns, range), () => getTimeline(ctx, actor, timeline)];
}

function graphCalls(ctx: GraphContext, { orgId, service, type }: Series) {
  const merged = (from: string) => () => {
    const input = { ...endpointOf(calls.mergedFlameGraph).query.parse({ from }), service, type };
    return getMergedFlameGraph(ctx, { orgId }, input, { headers: { accept: calls.flameGraphContentType } });
  };
  const hour = Math.floor(ctx.now().getTime() / hourMs) * hourMs;
  const at = (ms: number) => new Date(ms).toISOString();
  const comparison = endpointOf(calls.flameGraphDiff).query.parse({
    service,
    type,
    before_from: at(hour - 2 * hourMs),
    before_to: at(hour - hourMs),
    after_from: at(hour - hourMs),
    after_to: at(hour),
  });
  const headers = { accept: calls.flameGraphDiffContentType };
  return [merged("1h"), merged("24h"), () => getFlameGraphDiff(ctx, { orgId }, comparison, { headers })];
}
