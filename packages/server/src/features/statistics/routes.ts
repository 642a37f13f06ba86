import { profileStatistics } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import { getProfileStatistics } from "./operations.ts";

export function registerStatistics(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, profileStatistics, getProfileStatistics);
}
