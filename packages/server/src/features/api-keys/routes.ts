import { createApiKey, listApiKeys, readApiKeyUsage, revokeApiKey } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import * as operations from "./operations.ts";

export function registerApiKeys(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, listApiKeys, ({ actor, query }) => operations.listApiKeys(ctx, actor, query));
  serve(app, ctx, createApiKey, ({ actor, body }) => operations.createApiKey(ctx, actor, body));
  serve(app, ctx, readApiKeyUsage, ({ actor, params }) => operations.readApiKeyUsage(ctx, actor, params.id));
  serve(app, ctx, revokeApiKey, ({ actor, params }) => operations.revokeApiKey(ctx, actor, params.id));
}
