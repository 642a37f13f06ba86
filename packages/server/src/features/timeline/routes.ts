import * as calls from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import { listDeploys } from "./deploys.ts";
import { getTimeline } from "./operations.ts";
import { getSeries } from "./series.ts";
import { listTags } from "./tags.ts";

export function registerTimeline(app: FastifyInstance, ctx: Context): void {
  for (const call of [calls.typeTimeline, calls.serviceTimeline]) serve(app, ctx, call, getTimeline);
  serve(app, ctx, calls.serviceSeries, getSeries);
  serve(app, ctx, calls.listServiceTags, listTags);
  serve(app, ctx, calls.listDeploys, listDeploys);
}
