import { serviceTimeline, typeTimeline } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import { getTimeline } from "./operations.ts";

export function registerTimeline(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, typeTimeline, ({ actor, params, query }) => getTimeline(ctx, actor, { ...params, query }));

  serve(app, ctx, serviceTimeline, ({ actor, params, query }) =>
    getTimeline(ctx, actor, { service: params.service, type: "all", query }),
  );
}
