import { createApiKey, listApiKeys, revokeApiKey } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import { createKey, listKeys, revokeKey } from "./operations.ts";

export function registerApiKeys(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, listApiKeys, ({ actor, query }) => listKeys(ctx, actor, query));
  serve(app, ctx, createApiKey, ({ actor, body }) => createKey(ctx, actor, body.name));
  serve(app, ctx, revokeApiKey, ({ actor, params }) => revokeKey(ctx, actor, params.id));
}
