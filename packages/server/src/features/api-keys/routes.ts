import * as calls from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import { createApiKey, listApiKeys, readApiKeyUsage, revokeApiKey } from "./operations.ts";

export function registerApiKeys(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, calls.listApiKeys, listApiKeys);
  serve(app, ctx, calls.createApiKey, createApiKey);
  serve(app, ctx, calls.readApiKeyUsage, readApiKeyUsage);
  serve(app, ctx, calls.revokeApiKey, revokeApiKey);
}
