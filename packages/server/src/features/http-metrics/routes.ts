import * as calls from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import * as operations from "./operations.ts";

export function registerHttpMetrics(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, calls.listHttpMetrics, operations.listHttpMetrics);
  serve(app, ctx, calls.listPathMetrics, operations.listPathMetrics);
  serve(app, ctx, calls.aggregateHttpMetrics, operations.aggregateHttpMetrics);
  serve(app, ctx, calls.listHttpPaths, operations.listHttpPaths);
  serve(app, ctx, calls.listHttpErrors, operations.listHttpErrors);
  serve(app, ctx, calls.httpTimeline, operations.getHttpTimeline);
}
