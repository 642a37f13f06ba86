import { mergedFlameGraph } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import { Failure } from "#failure";
import type { DrawnGraphs } from "./drawn-graphs.ts";
import { contentTypes, type Form } from "./form.ts";
import { type FlameGraphReply, getMergedFlameGraph } from "./operations.ts";

/** The demo's service with the most to see. */
const service = "checkout";
const nodesMax = 3000;
const keptMs = 5 * minuteMs;

interface Drawn {
  readonly atMs: number;
  readonly reply: Promise<FlameGraphReply>;
}

export type DemoGraph = (form: Form) => Promise<FlameGraphReply>;

/** A flame graph of the demo that anybody may read: drawn at most once in five minutes for each form. */
export function demoGraph(ctx: Context, graphs: DrawnGraphs): DemoGraph {
  const kept = new Map<Form, Drawn>();
  return async (form) => {
    if (ctx.demo === null) throw new Failure("not_found", "This server has no demo.");
    const nowMs = ctx.now().getTime();
    let drawn = kept.get(form);
    if (drawn === undefined || nowMs - drawn.atMs >= keptMs) {
      drawn = { atMs: nowMs, reply: draw(ctx, ctx.demo.orgId, form, graphs) };
      kept.set(form, drawn);
      drawn.reply.catch(() => kept.delete(form));
    }
    const { bytes } = await drawn.reply;
    return { bytes, form, headers: { "cache-control": `public, max-age=${keptMs / 1000}`, vary: "accept" } };
  };
}

function draw(ctx: Context, orgId: string, form: Form, graphs: DrawnGraphs): Promise<FlameGraphReply> {
  const query = mergedFlameGraph.query.parse({ from: "24h", max_nodes: nodesMax });
  const input = { params: { service, type: "cpu" as const }, query, headers: { accept: contentTypes[form] } };
  return getMergedFlameGraph(ctx, { orgId }, input, graphs);
}
