import { serviceTrends } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "#http/endpoint/serve.ts";
import { getServiceTrends, type TrendsContext } from "./operations.ts";

export function registerServiceTrends(app: FastifyInstance, ctx: TrendsContext): void {
  serve(app, ctx, serviceTrends, getServiceTrends);
}
