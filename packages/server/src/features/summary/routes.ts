import { organizationSummary, serviceSummary, servicesSummary } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import { summarize } from "./summarize.ts";

export function registerSummary(app: FastifyInstance, ctx: Context): void {
  for (const call of [organizationSummary, servicesSummary]) {
    serve(app, ctx, call, ({ actor, query }) => summarize(ctx, actor, { service: "", since: query.since }));
  }

  serve(app, ctx, serviceSummary, ({ actor, params, query }) =>
    summarize(ctx, actor, { service: params.service, since: query.since }),
  );
}
