import * as calls from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import { LruCache } from "#store/lru.ts";
import { getNeighbours } from "./neighbours.ts";
import { downloadProfile, getProfile, type LastCounts, listProfiles, listServices } from "./operations.ts";

export function registerProfiles(app: FastifyInstance, ctx: Context): void {
  const lastCounts: LastCounts = new LruCache(1000);
  for (const call of [calls.listProfiles, calls.listServiceProfiles])
    serve(app, { ...ctx, lastCounts }, call, listProfiles);
  serve(app, ctx, calls.getProfile, getProfile);
  serve(app, ctx, calls.profileNeighbours, getNeighbours);
  serve(app, ctx, calls.downloadProfile, downloadProfile);
  serve(app, ctx, calls.listServices, listServices);
}
