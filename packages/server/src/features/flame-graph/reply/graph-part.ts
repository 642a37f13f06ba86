import type { FrameGrouping, flameGraph, mergedFlameGraph } from "@flamekeep/contract";
import type { z } from "zod";
import type { Form } from "./form.ts";

/** How much of a graph is drawn, and how it is written. */
export interface GraphPart {
  readonly form: Form;
  readonly maxNodes: number;
  readonly groupBy: FrameGrouping;
  /** Id or reference of the frame that is the root; undefined for the whole graph. */
  readonly root: string | undefined;
  /** Whether JSON has the nodes of each function, too. */
  readonly hasSearchIndex: boolean;
}

type GraphQuery = z.output<(typeof flameGraph)["query"]> | z.output<(typeof mergedFlameGraph)["query"]>;

export function graphPartOf(query: GraphQuery, form: Form): GraphPart {
  const { group_by: groupBy, max_nodes: maxNodes, root } = query;
  return { form, groupBy, maxNodes, root, hasSearchIndex: query.search_index && form === "json" };
}
