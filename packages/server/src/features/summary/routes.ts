import { organizationSummary, serviceSummary, servicesSummary } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import { getSummary } from "./operations.ts";

export function registerSummary(app: FastifyInstance, ctx: Context): void {
  for (const call of [organizationSummary, servicesSummary]) {
    serve(app, ctx, call, ({ actor, query }) => getSummary(ctx, actor, { service: "", query }));
  }

  serve(app, ctx, serviceSummary, ({ actor, params, query }) =>
    getSummary(ctx, actor, { service: params.service, query }),
  );
}
