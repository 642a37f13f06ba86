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
import type { ChartRange } from "./latest-stacks.ts";
import * as operations from "./operations.ts";

export function registerCharts(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, goroutineChart, ({ actor, params, request }) =>
    operations.getGoroutineChart({ ...ctx, log: request.log }, actor, params.profileId),
  );
  serve(app, ctx, mutexChart, ({ actor, params }) =>
    operations.getContentionChart(ctx, actor, params.profileId, "mutex"),
  );
  serve(app, ctx, blockChart, ({ actor, params }) =>
    operations.getContentionChart(ctx, actor, params.profileId, "block"),
  );
  serve(app, ctx, customChart, ({ actor, params }) =>
    operations.getCustomChart(ctx, actor, params.profileId),
  );

  serve(app, ctx, serviceGoroutines, (call) =>
    operations.getServiceGoroutines(ctx, chartRangeOf(ctx, call, "goroutine")),
  );
  serve(app, ctx, serviceMutex, (call) =>
    operations.getServiceContention(ctx, chartRangeOf(ctx, call, "mutex"), "mutex"),
  );
  serve(app, ctx, serviceBlock, (call) =>
    operations.getServiceContention(ctx, chartRangeOf(ctx, call, "block"), "block"),
  );
  serve(app, ctx, serviceCustom, (call) =>
    operations.getServiceCustom({ ...ctx, log: call.request.log }, chartRangeOf(ctx, call, "custom")),
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
