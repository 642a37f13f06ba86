import {
  listDeploys as deploysCall,
  listServiceTags,
  serviceSeries,
  serviceTimeline,
  typeTimeline,
} from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import { listDeploys } from "./deploys.ts";
import { getTimeline } from "./operations.ts";
import { getSeries } from "./series.ts";
import { listTags } from "./tags.ts";

export function registerTimeline(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, typeTimeline, ({ actor, params, query }) => getTimeline(ctx, actor, { ...params, query }));

  serve(app, ctx, serviceTimeline, ({ actor, params, query }) =>
    getTimeline(ctx, actor, { service: params.service, type: "all", query }),
  );

  serve(app, ctx, serviceSeries, ({ actor, params, query }) => getSeries(ctx, actor, { ...params, query }));
  serve(app, ctx, listServiceTags, ({ actor, params, query }) => listTags(ctx, actor, { ...params, query }));
  serve(app, ctx, deploysCall, ({ actor, params, query }) => listDeploys(ctx, actor, { ...params, query }));
}
