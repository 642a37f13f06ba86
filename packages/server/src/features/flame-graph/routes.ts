import { flameGraph } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import { FileReply } from "#http/reply/file-reply.ts";
import { drawProfile, type Wanted } from "./draw.ts";
import { contentTypes, formOf } from "./form.ts";
import { registerMergedFlameGraph } from "./merged-routes.ts";

export function registerFlameGraph(app: FastifyInstance, ctx: Context): void {
  registerMergedFlameGraph(app, ctx);
  serve(app, ctx, flameGraph, async ({ actor, params, query, request, reply }) => {
    const form = formOf(request.headers);
    const { sample_type: sampleType, max_nodes: maxNodes } = query;
    const wanted: Wanted = { orgId: actor.orgId, profileId: params.id, sampleType, maxNodes, form };
    const { bytes, tag } = await drawProfile(ctx, wanted, request.headers["if-none-match"]);
    if (bytes === undefined) reply.code(304);
    // A profile never changes: the browser may keep it, and asks again only whether it may still see it.
    const headers = { "cache-control": "private, no-cache", etag: tag, vary: "accept, authorization" };
    return new FileReply(contentTypes[form], bytes ?? new Uint8Array(0), headers);
  });
}
