import type { GraphType } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { useFlameGraph } from "#flame-graph/decode/use-flame-graph.ts";
import { mergedQuery } from "#profile-series/merged-query.ts";
import { noLabels } from "#sample-labels/model.ts";
import type { PanelProps } from "./panel-parts.tsx";

const refreshMs = 60_000;

type GraphOf = Pick<PanelProps<"top" | "flame_graph">, "service" | "tags" | "time"> & {
  readonly type: GraphType;
};

/** The merged graph of a panel, as a query of `Panel`. Panels about the same profiles share its bytes and its tree. */
export function useGraphOfPanel({ service, tags, time, type }: GraphOf) {
  const query = useQuery({
    ...mergedQuery({
      service,
      type,
      tags,
      range: time.query,
      sampleType: undefined,
      grouping: "function",
      labels: noLabels,
      byLabel: undefined,
    }),
    refetchInterval: time.refreshMs(refreshMs),
  });
  const decoding = useFlameGraph(query.data, true);
  const { isPlaceholderData, refetch } = query;
  const error = decoding.state === "unreadable" ? new Error(decoding.message) : query.error;
  // The decoded graph of other profiles stays until there is another one, also while reading that one fails.
  const data = query.data !== undefined && decoding.state === "decoded" ? decoding.graph : undefined;
  return { data, error: data === undefined ? error : null, isPlaceholderData, refetch };
}
