import { mergedFlameGraph } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import { Failure } from "#failure";
import { contentTypes, type FlameGraphReply, type Form } from "#flame-graph/reply/form.ts";
import type { GraphCache } from "#flame-graph/reply/graph-cache.ts";
import { getMergedFlameGraph } from "./merged-graph.ts";

/** The demo's service with the most to see. */
const service = "checkout";
const nodesMax = 3000;
const keptMs = 5 * minuteMs;

interface CachedReply {
  readonly atMs: number;
  readonly reply: Promise<FlameGraphReply>;
}

export type DemoGraph = (form: Form) => Promise<FlameGraphReply>;

/** A flame graph of the demo that anybody may read: drawn at most once in five minutes for each form. */
export function demoGraph(ctx: Context, cache: GraphCache): DemoGraph {
  const cachedReplies = new Map<Form, CachedReply>();
  return async (form) => {
    if (ctx.demo === null) throw new Failure("not_found", "This server has no demo.");
    const nowMs = ctx.now().getTime();
    let cached = cachedReplies.get(form);
    if (cached === undefined || nowMs - cached.atMs >= keptMs) {
      cached = { atMs: nowMs, reply: draw(ctx, ctx.demo.orgId, form, cache) };
      cachedReplies.set(form, cached);
      cached.reply.catch(() => cachedReplies.delete(form));
    }
    const { bytes } = await cached.reply;
    return { bytes, form, headers: { "cache-control": `public, max-age=${keptMs / 1000}`, vary: "accept" } };
  };
}

function draw(ctx: Context, orgId: string, form: Form, cache: GraphCache): Promise<FlameGraphReply> {
  const query = mergedFlameGraph.query.parse({ from: "24h", max_nodes: nodesMax });
  const input = { params: { service, type: "cpu" as const }, query, headers: { accept: contentTypes[form] } };
  return getMergedFlameGraph(ctx, { orgId }, input, cache);
}
