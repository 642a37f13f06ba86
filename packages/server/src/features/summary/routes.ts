import { organizationSummary, serviceSummary, servicesSummary } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import { getSummary } from "./operations.ts";

export function registerSummary(app: FastifyInstance, ctx: Context): void {
  for (const call of [organizationSummary, servicesSummary, serviceSummary])
    serve(app, ctx, call, getSummary);
}
