import type { FrameGrouping, flameGraph, mergedFlameGraph } from "@flamekeep/contract";
import { limits } from "@flamekeep/contract/limits";
import type { z } from "zod";
import { invalid } from "#failure";
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

/** Throws `invalid` for more nodes than the form has. */
export function nodesFor(form: Form, maxNodes: number): number {
  const most = limits.flameGraphJsonNodesMax;
  if (form !== "columns" && maxNodes > most)
    throw invalid(`max_nodes must be at most ${most} in JSON. Ask for columns to read more.`);
  return maxNodes;
}

export function graphPartOf(query: GraphQuery, form: Form): GraphPart {
  const { group_by: groupBy, root } = query;
  const maxNodes = nodesFor(form, query.max_nodes);
  return { form, groupBy, maxNodes, root, hasSearchIndex: query.search_index && form === "json" };
}
