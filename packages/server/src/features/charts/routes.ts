import {
  blockChart,
  customChart,
  goroutineChart,
  mutexChart,
  serviceBlock,
  serviceCustom,
  serviceGoroutines,
  serviceMutex,
} from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import type { Context, DemoActor, UserActor } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import { tagFilterOf } from "#http/query/tag-filter.ts";
import { rangeOf, toWholeMinutes } from "#http/query/time-range.ts";
import { chartContention, chartCustom, chartGoroutines } from "./chart-profile.ts";
import { serviceContentionOf, serviceCustomOf, serviceGoroutinesOf } from "./chart-service.ts";
import type { ChartRange } from "./latest-stacks.ts";

export function registerCharts(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, goroutineChart, ({ actor, params, request }) =>
    chartGoroutines({ ...ctx, log: request.log }, actor, params.profileId),
  );
  serve(app, ctx, mutexChart, ({ actor, params }) => chartContention(ctx, actor, params.profileId, "mutex"));
  serve(app, ctx, blockChart, ({ actor, params }) => chartContention(ctx, actor, params.profileId, "block"));
  serve(app, ctx, customChart, ({ actor, params }) => chartCustom(ctx, actor, params.profileId));

  serve(app, ctx, serviceGoroutines, (call) =>
    serviceGoroutinesOf(ctx, chartRangeOf(ctx, call, "goroutine")),
  );
  serve(app, ctx, serviceMutex, (call) =>
    serviceContentionOf(ctx, chartRangeOf(ctx, call, "mutex"), "mutex"),
  );
  serve(app, ctx, serviceBlock, (call) =>
    serviceContentionOf(ctx, chartRangeOf(ctx, call, "block"), "block"),
  );
  serve(app, ctx, serviceCustom, (call) =>
    serviceCustomOf({ ...ctx, log: call.request.log }, chartRangeOf(ctx, call, "custom")),
  );
}

interface RangeCall {
  readonly actor: UserActor | DemoActor;
  readonly params: { readonly service: string };
  readonly query: z.output<(typeof serviceGoroutines)["query"]>;
}

function chartRangeOf(ctx: Context, { actor, params, query }: RangeCall, type: string): ChartRange {
  return {
    orgId: actor.orgId,
    service: params.service,
    type,
    ...toWholeMinutes(rangeOf(query, ctx.now())),
    ...tagFilterOf(query),
    limit: query.limit,
  };
}
