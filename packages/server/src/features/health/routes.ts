import { healthz } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/serve.ts";

export function registerHealth(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, healthz, () => ({ status: "ok" as const }));
}
