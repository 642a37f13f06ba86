import {
  aggregateHttpMetrics,
  httpTimeline,
  limits,
  listHttpErrors,
  listHttpMetrics,
  listPathMetrics,
} from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import { sinceMinuteMs } from "#http/query/time-range.ts";
import { aggregateRequests } from "./aggregate-requests.ts";
import { listErrors } from "./list-errors.ts";
import { toMetric } from "./present.ts";
import { readHttpTimeline } from "./read-http-timeline.ts";
import { latestOfPath, latestRequests } from "./request-queries.ts";

export function registerHttpMetrics(app: FastifyInstance, ctx: Context): void {
  const secondsSince = (span: string) => sinceMinuteMs(span, ctx.now().getTime()) / 1000;

  serve(app, ctx, listHttpMetrics, async ({ actor, params, query }) => {
    const fromSeconds = secondsSince(`${limits.sinceDaysMax}d`);
    const asked = { orgId: actor.orgId, ...params, fromSeconds, limit: query.limit };
    return { metrics: (await ctx.columns.query(latestRequests, asked)).map(toMetric) };
  });

  serve(app, ctx, listPathMetrics, async ({ actor, params, query: { path, since, limit } }) => {
    const asked = { orgId: actor.orgId, ...params, path, fromSeconds: secondsSince(since), limit };
    return { path, metrics: (await ctx.columns.query(latestOfPath, asked)).map(toMetric) };
  });

  serve(app, ctx, aggregateHttpMetrics, ({ actor, params, query }) =>
    aggregateRequests(ctx, actor, { ...params, query }),
  );

  serve(app, ctx, listHttpErrors, ({ actor, params, query }) => listErrors(ctx, actor, { ...params, query }));

  serve(app, ctx, httpTimeline, ({ actor, params, query }) =>
    readHttpTimeline(ctx, actor, { ...params, query }),
  );
}
