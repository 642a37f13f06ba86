import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { importPage } from "#api/import-page.ts";
import { configQuery, queryClient } from "#api/query-client.ts";
import { liveGraphQuery, recordedGraphQuery } from "./graph-query.ts";

// Asked for with the code of the page, not after its first render: the graph is the first thing that people look at.
const loading = importPage(() => import("./drawn-graph.tsx"));
const DrawnGraph = lazy(async () => ({ default: (await loading).DrawnGraph }));
void queryClient.prefetchQuery(recordedGraphQuery);

/** The flame graph that was recorded with the demo's service, at once; then the graph of the running demo, if this server has one. */
export function DemoGraph({ captionClass }: { readonly captionClass: string }) {
  const { data: config } = useQuery(configQuery);
  const { data: recorded } = useQuery(recordedGraphQuery);
  const { data: live } = useQuery({ ...liveGraphQuery, enabled: config?.demo === true });
  // A demo that has just been started has no profiles yet.
  const graph = live !== undefined && live.tree.length > 1 ? live : recorded;
  return <Suspense>{graph && <DrawnGraph graph={graph} captionClass={captionClass} />}</Suspense>;
}
