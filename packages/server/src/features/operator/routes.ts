import { operatorOverview } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import { readOverview } from "./overview.ts";

/** Each reads a column of every stored profile. */
const overviewsPerMinute = 30;

export function registerOperator(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, operatorOverview, readOverview, { rate: perMinute(app, overviewsPerMinute) });
}
