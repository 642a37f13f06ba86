import { flameGraph, flameGraphContentType } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { unprocessable } from "#failure";
import { FileReply } from "#http/file-reply.ts";
import { serve } from "#http/serve.ts";
import { readPayload } from "#store/payloads/read-payload.ts";
import { readDrawnProfile } from "./drawn-profile.ts";
import { registerMergedFlameGraph } from "./merged-routes.ts";
import { sampleTypeIndex } from "./sample-type.ts";

export function registerFlameGraph(app: FastifyInstance, ctx: Context): void {
  registerMergedFlameGraph(app, ctx);
  serve(app, ctx, flameGraph, async ({ actor, params, query, request, reply }) => {
    // Asked for together, because each question takes longer than drawing; whether it is wanted, the row tells.
    const payload = readPayload(ctx.payloads, actor.orgId, params.id);
    payload.catch(() => undefined);
    const row = await readDrawnProfile(ctx, actor.orgId, params.id);
    if (row.type === "metrics") throw unprocessable(noStacks);
    const sampleType = sampleTypeIndex(row.sampleTypes, query.sample_type);
    const form = request.headers.accept?.includes(flameGraphContentType) ? "columns" : "json";
    const tag = `"${row.contentHash.slice(0, 32)}-${form}-${sampleType ?? "main"}-${query.max_nodes}"`;
    // A profile never changes: the browser may keep it, and asks again only whether it may still see it.
    const headers = { "cache-control": "private, no-cache", etag: tag, vary: "accept, authorization" };
    if (request.headers["if-none-match"] === tag) {
      reply.code(304);
      return new FileReply(contentTypes[form], new Uint8Array(0), headers);
    }
    const bytes = await ctx.decoders.drawFlameGraph({
      payload: await payload,
      profileId: params.id,
      type: row.type,
      contentHash: row.contentHash,
      sampleType,
      form,
      maxNodes: query.max_nodes,
    });
    return new FileReply(contentTypes[form], bytes, headers);
  });
}

const contentTypes = { columns: flameGraphContentType, json: "application/json; charset=utf-8" };

const noStacks = "A batch of HTTP metrics has no stacks, so it has no flame graph";
