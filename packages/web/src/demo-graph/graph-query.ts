import { demoFlameGraph, flameGraphContentType } from "@flamekeep/contract";
import { decodeFlameGraph, type FlameGraph } from "@flamekeep/flame";
import { queryOptions } from "@tanstack/react-query";
import { callRaw } from "#api/call.ts";

const recordedUrl = new URL("./checkout-cpu.bin", import.meta.url).href;

interface DemoGraph extends FlameGraph {
  /** Undefined for the graph that was recorded with the example program. */
  readonly profilesMerged: number | undefined;
}

async function readDemo(signal: AbortSignal): Promise<DemoGraph> {
  const reply = await callRaw(demoFlameGraph, { accept: flameGraphContentType, signal });
  const graph = decodeFlameGraph(new Uint8Array(await reply.arrayBuffer()));
  return { ...graph, profilesMerged: graph.meta.merge?.profilesMerged ?? 0 };
}

async function readRecorded(signal: AbortSignal): Promise<DemoGraph> {
  const reply = await fetch(recordedUrl, { signal });
  return { ...decodeFlameGraph(new Uint8Array(await reply.arrayBuffer())), profilesMerged: undefined };
}

/** CPU of the demo's checkout service, from its last 24 hours if this server has the demo, otherwise as it was recorded. */
export function demoGraphQuery(hasDemo: boolean) {
  return queryOptions({
    queryKey: ["demo-graph", hasDemo],
    queryFn: async ({ signal }) => {
      const live = hasDemo ? await readDemo(signal).catch(() => undefined) : undefined;
      // A demo that has just been started has no profiles yet.
      return live !== undefined && live.tree.length > 1 ? live : readRecorded(signal);
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
