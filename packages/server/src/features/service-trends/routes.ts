import { serviceTrends } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import type { ReadOpenAlerts } from "./open-alerts.ts";
import { getServiceTrends } from "./operations.ts";

export function registerServiceTrends(
  app: FastifyInstance,
  ctx: Context,
  readOpenAlerts: ReadOpenAlerts,
): void {
  serve(app, ctx, serviceTrends, ({ actor, query }) => getServiceTrends(ctx, actor, query, readOpenAlerts));
}
