import { flameGraph, flameGraphContentType } from "@flamekeep/contract";
import type { ProfileType } from "@flamekeep/profile";
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
    const { sample_type: named, max_nodes: maxNodes } = query;
    const form = request.headers.accept?.includes(flameGraphContentType) ? "columns" : "json";
    const payload = readPayload(ctx.payloads, actor.orgId, params.id);
    const draw = async (type: ProfileType | undefined) => {
      const original = { profileId: params.id, payload: await payload };
      return ctx.decoders.drawFlameGraph({ ...original, type, sampleType: named, form, maxNodes });
    };
    // Drawn while the row is asked for, which takes as long; whether it is wanted, and whether as what, the row tells.
    const known = request.headers["if-none-match"];
    const held = ctx.profiles.held(actor.orgId, params.id);
    const guess = known === undefined && held?.type !== "metrics" ? draw(held?.type) : undefined;
    for (const early of [payload, guess]) early?.catch(() => undefined);
    const row = held ?? (await readDrawnProfile(ctx, actor.orgId, params.id));
    if (row.type === "metrics") throw unprocessable(noStacks);
    const sampleType = sampleTypeIndex(row.sample_types, named) ?? "main";
    const tag = `"${row.content_hash.slice(0, 32)}-${form}-${sampleType}-${maxNodes}"`;
    // A profile never changes: the browser may keep it, and asks again only whether it may still see it.
    const headers = { "cache-control": "private, no-cache", etag: tag, vary: "accept, authorization" };
    if (known === tag) {
      reply.code(304);
      return new FileReply(contentTypes[form], new Uint8Array(0), headers);
    }
    const guessed = await guess;
    const { bytes } = guessed?.types.includes(row.type) ? guessed : await draw(row.type);
    return new FileReply(contentTypes[form], bytes, headers);
  });
}

const contentTypes = { columns: flameGraphContentType, json: "application/json; charset=utf-8" };

const noStacks = "A batch of HTTP metrics has no stacks, so it has no flame graph";
