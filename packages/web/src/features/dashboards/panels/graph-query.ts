import type { GraphType } from "@flamekeep/contract";
import { usePrefetchQuery } from "@tanstack/react-query";
import { mergedQuery } from "#profile-series/merged-query.ts";
import { noLabels } from "#sample-labels/model.ts";
import type { PanelProps } from "./panel-parts.tsx";

export type GraphOf = Pick<PanelProps<"top" | "flame_graph">, "service" | "tags" | "time"> & {
  readonly type: GraphType;
};

/** The merged graph of a panel. Panels about the same profiles share it. */
export function graphQueryOf({ service, tags, time, type }: GraphOf) {
  return mergedQuery({
    service,
    type,
    tags,
    range: time.query,
    sampleType: undefined,
    grouping: "function",
    labels: noLabels,
    byLabel: undefined,
  });
}

/** Graphs take the longest: their calls go out before those of other panels, and while the code of the panel is loaded. */
export function GraphAhead(graph: GraphOf) {
  usePrefetchQuery(graphQueryOf(graph));
  return null;
}
