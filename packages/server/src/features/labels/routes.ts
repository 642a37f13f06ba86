import { profileLabels, serviceLabels } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import { getProfileLabels, getServiceLabels } from "./operations.ts";

export function registerLabels(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, serviceLabels, getServiceLabels);
  serve(app, ctx, profileLabels, getProfileLabels);
}
