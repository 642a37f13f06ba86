import {
  downloadProfile,
  getProfile,
  listProfiles,
  listServiceProfiles,
  listServices,
  profileNeighbours,
} from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import { LruCache } from "#store/lru.ts";
import { getNeighbours } from "./neighbours.ts";
import * as operations from "./operations.ts";

export function registerProfiles(app: FastifyInstance, ctx: Context): void {
  const lastCounts: operations.LastCounts = new LruCache(1000);
  serve(app, ctx, listProfiles, ({ actor, query }) => operations.listProfiles(ctx, actor, query, lastCounts));
  serve(app, ctx, listServiceProfiles, ({ actor, params, query }) =>
    operations.listProfiles(ctx, actor, { ...query, service: params.service }, lastCounts),
  );
  serve(app, ctx, getProfile, ({ actor, params }) => operations.getProfile(ctx, actor, params.id));
  serve(app, ctx, profileNeighbours, ({ actor, params }) => getNeighbours(ctx, actor, params.id));
  serve(app, ctx, downloadProfile, ({ actor, params }) => operations.downloadProfile(ctx, actor, params.id));
  serve(app, ctx, listServices, ({ actor, query }) => operations.listServices(ctx, actor, query));
}
