import { demoFlameGraph, flameGraphContentType } from "@flamekeep/contract";
import { decodeFlameGraph, type FlameGraph } from "@flamekeep/flame";
import { queryOptions } from "@tanstack/react-query";
import { callRaw } from "#api/call.ts";

const recordedUrl = new URL("./checkout-cpu.bin", import.meta.url).href;

export interface DemoGraph extends FlameGraph {
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

/** CPU of the demo's checkout service in the last 24 hours. */
export const liveGraphQuery = queryOptions({
  queryKey: ["demo-graph", "live"],
  queryFn: ({ signal }) => readDemo(signal),
  staleTime: Number.POSITIVE_INFINITY,
});

/** CPU of the same service, a file that was recorded. */
export const recordedGraphQuery = queryOptions({
  queryKey: ["demo-graph", "recorded"],
  queryFn: ({ signal }) => readRecorded(signal),
  staleTime: Number.POSITIVE_INFINITY,
});
