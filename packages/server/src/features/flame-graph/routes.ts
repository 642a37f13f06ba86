import {
  demoFlameGraph,
  flameGraph,
  flameGraphDiff,
  flameGraphDiffContentType,
  mergedFlameGraph,
  readSharedGraph,
} from "@flamekeep/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "#context";
import { getFlameGraphDiff } from "#flame-graph/comparison/diff.ts";
import { compressedFile } from "#flame-graph/reply/compressed-file.ts";
import { contentTypes, type FlameGraphReply, type Form, formOf } from "#flame-graph/reply/form.ts";
import type { GraphCache } from "#flame-graph/reply/graph-cache.ts";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import type { FileReply } from "#http/reply/file-reply.ts";
import { demoGraph } from "./demo-graph.ts";
import { getMergedFlameGraph } from "./merged-graph.ts";
import { getFlameGraph } from "./profile-graph.ts";
import { getSharedGraph } from "./shared-graph.ts";

/** Graphs of public links per minute and address. */
const sharedCallsMax = 60;

export function registerFlameGraph(app: FastifyInstance, ctx: Context, cache: GraphCache): void {
  const drawDemo = demoGraph(ctx, cache);
  serve(app, ctx, demoFlameGraph, async ({ request, reply }) =>
    toFile(await drawDemo(formOf(request.headers)), request, reply),
  );
  serve(app, ctx, mergedFlameGraph, async ({ actor, params, query, request, reply }) =>
    toFile(
      await getMergedFlameGraph(ctx, actor, { params, query, headers: request.headers }, cache),
      request,
      reply,
    ),
  );
  serve(app, ctx, flameGraph, async ({ actor, params, query, request, reply }) =>
    toFile(
      await getFlameGraph(ctx, actor, { id: params.id, query, headers: request.headers }),
      request,
      reply,
    ),
  );
  serve(
    app,
    ctx,
    readSharedGraph,
    async ({ body, request }) => {
      const { bytes, contentType } = await getSharedGraph(ctx, body, cache);
      return compressedFile(contentType, bytes, request.headers);
    },
    { rate: perMinute(app, sharedCallsMax) },
  );
  const diffTypes = { ...contentTypes, columns: flameGraphDiffContentType };
  serve(app, ctx, flameGraphDiff, async ({ actor, query, request, reply }) =>
    toFile(
      await getFlameGraphDiff(ctx, actor, { query, headers: request.headers }, cache),
      request,
      reply,
      diffTypes,
    ),
  );
}

function toFile(
  { bytes, form, headers }: FlameGraphReply,
  request: FastifyRequest,
  reply: FastifyReply,
  types: Readonly<Record<Form, string>> = contentTypes,
): FileReply {
  if (bytes === undefined) reply.code(304);
  return compressedFile(types[form], bytes ?? new Uint8Array(0), request.headers, headers);
}
