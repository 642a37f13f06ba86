import * as calls from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import * as operations from "./operations.ts";

export function registerCharts(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, calls.goroutineChart, operations.getGoroutineChart);
  serve(app, ctx, calls.mutexChart, operations.contentionChart("mutex"));
  serve(app, ctx, calls.blockChart, operations.contentionChart("block"));
  serve(app, ctx, calls.customChart, operations.getCustomChart);
  serve(app, ctx, calls.serviceGoroutines, operations.getServiceGoroutines);
  serve(app, ctx, calls.serviceMutex, operations.serviceContention("mutex"));
  serve(app, ctx, calls.serviceBlock, operations.serviceContention("block"));
  serve(app, ctx, calls.serviceCustom, operations.getServiceCustom);
}
