import { mergedFlameGraph } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { endpointOf } from "@flamekeep/contract/schemas";
import { Failure } from "#failure";
import { contentTypes, type FlameGraphReply, type Form, formOf } from "#flame-graph/reply/form.ts";
import type { GraphContext } from "#flame-graph/reply/graph-cache.ts";
import type { Caller } from "#http/endpoint/caller.ts";
import { getMergedFlameGraph } from "./merged-graph.ts";

/** The demo's service with the most to see. */
const service = "checkout";
const nodesMax = 3000;
const keptMs = 5 * minuteMs;

interface CachedReply {
  readonly atMs: number;
  readonly reply: Promise<FlameGraphReply>;
}

/** A flame graph of the demo that anybody may read: drawn at most once in five minutes for each form. */
export function demoGraph() {
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
  const query = endpointOf(mergedFlameGraph).query.parse({ from: "24h", max_nodes: nodesMax });
  const input = { ...query, service, type: "cpu" as const };
  return getMergedFlameGraph(ctx, { orgId }, input, { headers: { accept: contentTypes[form] } });
}
