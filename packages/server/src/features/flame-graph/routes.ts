import * as calls from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import { getFlameGraphDiff } from "#flame-graph/comparison/diff.ts";
import { compressedFile } from "#flame-graph/reply/compressed-file.ts";
import { contentTypes, type FlameGraphReply } from "#flame-graph/reply/form.ts";
import type { GraphContext } from "#flame-graph/reply/graph-cache.ts";
import type { Caller } from "#http/endpoint/caller.ts";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import type { FileReply } from "#http/reply/reply.ts";
import { demoGraph } from "./demo-graph.ts";
import { getMergedFlameGraph } from "./merged-graph.ts";
import { getFlameGraph } from "./profile-graph.ts";
import { getSharedGraph } from "./shared-graph.ts";

/** Graphs of public links per minute and address. */
const sharedCallsMax = 60;

export function registerFlameGraph(app: FastifyInstance, ctx: GraphContext): void {
  serve(app, ctx, calls.demoFlameGraph, asFile(demoGraph()));
  serve(app, ctx, calls.mergedFlameGraph, asFile(getMergedFlameGraph));
  serve(app, ctx, calls.flameGraph, asFile(getFlameGraph));
  serve(app, ctx, calls.readSharedGraph, getSharedGraph, { rate: perMinute(app, sharedCallsMax) });
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
