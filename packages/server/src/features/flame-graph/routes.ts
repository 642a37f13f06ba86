import * as calls from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { endpointOf } from "@flamekeep/contract/schemas";
import type { FastifyInstance } from "fastify";
import { Failure } from "#failure";
import { getFlameGraphDiff } from "#flame-graph/comparison/diff.ts";
import { compressedFile } from "#flame-graph/reply/compressed-file.ts";
import { contentTypes, type FlameGraphReply, type Form, formOf } from "#flame-graph/reply/form.ts";
import type { GraphContext } from "#flame-graph/reply/graph-cache.ts";
import type { Caller } from "#http/endpoint/caller.ts";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import type { FileReply } from "#http/reply/reply.ts";
import { getMergedFlameGraph } from "./merged-graph.ts";
import { getFlameGraph } from "./profile-graph.ts";
import { getSharedGraph } from "./shared-graph.ts";

/** Graphs of public links per minute and address. */
const sharedCallsMax = 60;

export function registerFlameGraph(app: FastifyInstance, ctx: GraphContext): void {
  serve(app, ctx, calls.demoFlameGraph, asFile(demoGraph()));
  serve(app, ctx, calls.mergedFlameGraph, asFile(getMergedFlameGraph));
  serve(app, ctx, calls.flameGraph, asFile(getFlameGraph));
  serve(app, ctx, calls.readSharedGraph, getSharedGraph, {
    rate: perMinute(app, "shared graphs", sharedCallsMax),
  });
  const diffTypes = { ...contentTypes, columns: calls.flameGraphDiffContentType };
  serve(app, ctx, calls.flameGraphDiff, asFile(getFlameGraphDiff, diffTypes));
}

function asFile<A, I>(
  draw: (ctx: GraphContext, actor: A, input: I, caller: Caller) => Promise<FlameGraphReply>,
  types = contentTypes,
) {
  return async (ctx: GraphContext, actor: A, input: I, caller: Caller): Promise<FileReply> => {
    const { bytes, form, headers } = await draw(ctx, actor, input, caller);
    const status = bytes === undefined ? 304 : undefined;
    return compressedFile(types[form], bytes ?? new Uint8Array(0), caller.headers, { headers, status });
  };
}

/** The demo's service with the most to see. */
const service = "checkout";
const nodesMax = 3000;
const keptMs = 5 * minuteMs;

interface CachedReply {
  readonly atMs: number;
  readonly reply: Promise<FlameGraphReply>;
}

/** A flame graph of the demo that anybody may read: drawn at most once in five minutes for each form. */
function demoGraph() {
  const cachedReplies = new Map<Form, CachedReply>();
  return async (
    ctx: GraphContext,
    _actor: null,
    _input: object,
    { headers }: Caller,
  ): Promise<FlameGraphReply> => {
    const form = formOf(headers);
    if (ctx.demo === null) throw new Failure("not_found", "This server has no demo.");
    const nowMs = ctx.now().getTime();
    let cached = cachedReplies.get(form);
    if (cached === undefined || nowMs - cached.atMs >= keptMs) {
      cached = { atMs: nowMs, reply: draw(ctx, ctx.demo.orgId, form) };
      cachedReplies.set(form, cached);
      cached.reply.catch(() => cachedReplies.delete(form));
    }
    const { bytes } = await cached.reply;
    return { bytes, form, headers: { "cache-control": `public, max-age=${keptMs / 1000}`, vary: "accept" } };
  };
}

function draw(ctx: GraphContext, orgId: string, form: Form): Promise<FlameGraphReply> {
  const query = endpointOf(calls.mergedFlameGraph).query.parse({ from: "24h", max_nodes: nodesMax });
  const input = { ...query, service, type: "cpu" as const };
  return getMergedFlameGraph(ctx, { orgId }, input, { headers: { accept: contentTypes[form] } });
}
