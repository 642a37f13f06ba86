import type { FlameGraph } from "@flamekeep/flame";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { CallFailure } from "#api/reply.ts";
import { useFlameGraph } from "#flame-graph/decode/use-flame-graph.ts";
import { profileTypeLabel } from "#format/names.ts";
import { refreshSteps } from "#time-range/refresh-steps.ts";
import { Panel } from "#ui/content/panel.tsx";
import { type GraphOf, graphQueryOf } from "./graph-query.ts";
import { NoData, PanelSkeleton } from "./panel-parts.tsx";

interface GraphOfPanelProps extends GraphOf {
  readonly skeletonClass: string;
  readonly errorTitle: string;
  readonly children: (graph: FlameGraph) => ReactNode;
}

/** The merged graph of a panel, or why there is none. */
export function GraphOfPanel({ skeletonClass, errorTitle, children, ...of }: GraphOfPanelProps) {
  const query = useGraphOfPanel(of);
  const { service, tags, type } = of;
  const filters = Object.entries(tags).map(([name, value]) => `${name}=${value}`);
  const nothing = (
    <NoData>
      No {profileTypeLabel(type)} profiles from {service}
      {filters.length > 0 && ` with ${filters.join(" and ")}`} in this range.
    </NoData>
  );
  // The server refuses the name of a tag that no profile of the range has.
  if (filters.length > 0 && query.error instanceof CallFailure && query.error.code === "unprocessable")
    return nothing;
  return (
    <Panel
      query={query}
      loading={<PanelSkeleton className={skeletonClass} />}
      errorTitle={errorTitle}
      empty={({ tree }) => (tree.length < 2 || tree.width[0]! <= 0 ? nothing : null)}
    >
      {children}
    </Panel>
  );
}

/** As a query of `Panel`. Panels about the same profiles share its bytes and its tree. */
function useGraphOfPanel(graph: GraphOf) {
  const query = useQuery({
    ...graphQueryOf(graph),
    refetchInterval: graph.time.refreshMs(refreshSteps.graphMs),
  });
  const decoding = useFlameGraph(query.data, true);
  const { isPlaceholderData, refetch } = query;
  const error = decoding.state === "unreadable" ? new Error(decoding.message) : query.error;
  // The decoded graph of other profiles stays until there is another one, also while reading that one fails.
  const data = query.data !== undefined && decoding.state === "decoded" ? decoding.graph : undefined;
  return { data, error: data === undefined ? error : null, isPlaceholderData, refetch };
}
