import {
  downloadProfile,
  getProfile,
  listProfiles,
  listServiceProfiles,
  listServices,
} from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { Failure } from "#failure";
import { serve } from "#http/endpoint/serve.ts";
import { sinceMinuteMs } from "#http/query/time-range.ts";
import { FileReply } from "#http/reply/file-reply.ts";
import { LruCache } from "#store/lru.ts";
import { readPayload } from "#store/payloads/read-payload.ts";
import { servicesByType } from "#store/profiles/service-totals.ts";
import { wallProfilesByService } from "#store/profiles/wall-profiles.ts";
import { fileNameOf } from "./file-name.ts";
import { type LastCounts, listProfilesOf } from "./list-profiles.ts";
import { toProfile, toServices } from "./present.ts";

function hasNoFile(profileId: string): Failure {
  const message = `Profile ${profileId} is a batch of HTTP metrics, which is kept as its requests and has no file to download. Look at them in the HTTP metrics of its service.`;
  return new Failure("not_found", message);
}

export function registerProfiles(app: FastifyInstance, ctx: Context): void {
  const lastCounts: LastCounts = new LruCache(1000);
  serve(app, ctx, listProfiles, ({ actor, query }) => listProfilesOf(ctx, actor, query, lastCounts));

  serve(app, ctx, listServiceProfiles, ({ actor, params, query }) =>
    listProfilesOf(ctx, actor, { ...query, service: params.service }, lastCounts),
  );

  serve(app, ctx, getProfile, async ({ actor, params }) =>
    toProfile(await ctx.profiles.read(actor.orgId, params.id)),
  );

  serve(app, ctx, downloadProfile, async ({ actor, params }) => {
    const row = await ctx.profiles.read(actor.orgId, params.id);
    if (row.type === "metrics") throw hasNoFile(params.id);
    const payload = await readPayload(ctx.payloads, actor.orgId, params.id);
    return new FileReply("application/octet-stream", payload, {
      "content-disposition": `attachment; filename="${fileNameOf(row, payload)}"`,
    });
  });

  serve(app, ctx, listServices, async ({ actor, query }) => {
    const now = ctx.now();
    const sinceMs = sinceMinuteMs(query.since, now.getTime());
    const rows = await servicesByType(ctx.columns, { orgId: actor.orgId, sinceMs, now });
    const isCountingWall = query.include_totals && rows.some(({ type }) => type === "custom");
    const range = { orgId: actor.orgId, sinceMs, service: "" };
    const wall = isCountingWall ? await wallProfilesByService(ctx.columns, range) : undefined;
    return { services: toServices(rows, query.include_totals, wall) };
  });
}
