import { usePrefetchQuery, useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { importOnce } from "#api/import-page.ts";
import { configQuery } from "#api/query-client.ts";
import { liveGraphQuery, recordedGraphQuery } from "./graph-query.ts";

const loadDrawnGraph = importOnce(() => import("./drawn-graph.tsx"));
const DrawnGraph = lazy(async () => ({ default: (await loadDrawnGraph()).DrawnGraph }));

/** The flame graph that was recorded with the demo's service, at once; then the graph of the running demo, if this server has one. */
export function DemoGraph({ captionClass }: { readonly captionClass: string }) {
  // Asked for during the first render, not after it: the graph is the first thing that people look at.
  usePrefetchQuery(recordedGraphQuery);
  void loadDrawnGraph().catch(console.warn);
  const { data: config } = useQuery(configQuery);
  const { data: recorded } = useQuery(recordedGraphQuery);
  const { data: live } = useQuery({ ...liveGraphQuery, enabled: config?.demo === true });
  // A demo that has just been started has no profiles yet.
  const graph = live !== undefined && live.tree.length > 1 ? live : recorded;
  return <Suspense>{graph && <DrawnGraph graph={graph} captionClass={captionClass} />}</Suspense>;
}
