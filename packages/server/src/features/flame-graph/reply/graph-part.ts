import type { flameGraph, flameGraphDiff, InputOf, mergedFlameGraph } from "@flamekeep/contract";
import { limits } from "@flamekeep/contract/limits";
import { invalid } from "#failure";
import type { Form } from "./form.ts";
import type { Grouped } from "./grouped-frames.ts";

/** How much of a graph is drawn, and how it is written. */
export interface GraphPart<F extends Form = Form> extends Grouped {
  readonly form: F;
  readonly maxNodes: number;
  /** Id or reference of the frame that is the root; undefined for the whole graph. */
  readonly root: string | undefined;
  /** Whether JSON has the nodes of each function, too. */
  readonly hasSearchIndex: boolean;
}

type GraphQuery =
  | Omit<InputOf<typeof flameGraph>, "id">
  | InputOf<typeof mergedFlameGraph>
  | InputOf<typeof flameGraphDiff>;

/** Throws `invalid` for more nodes than the form has, and for stored frames in a form without them. */
export function graphPartOf<F extends Form>(query: GraphQuery, form: F): GraphPart<F> {
  const { group_by: groupBy, stored_frames: hasStoredFrames, root, max_nodes: maxNodes } = query;
  const most = limits.flameGraphJsonNodesMax;
  if (form !== "columns" && maxNodes > most)
    throw invalid(`max_nodes must be at most ${most} in JSON. Ask for columns to read more.`);
  if (form !== "columns" && hasStoredFrames)
    throw invalid("stored_frames must be false in JSON. Ask for columns to read stored frames.");
  const hasSearchIndex = "search_index" in query && query.search_index && form === "json";
  return { form, groupBy, hasStoredFrames, maxNodes, root, hasSearchIndex };
}
