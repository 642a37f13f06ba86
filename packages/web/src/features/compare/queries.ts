import { flameGraphDiff, flameGraphDiffContentType, limits } from "@flamekeep/contract";
import type { CallTree } from "@flamekeep/flame";
import { type ComparisonMeta, decodeComparison } from "@flamekeep/flame/compare";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { callRaw } from "#api/call.ts";
import { groupingOf } from "#flame-graph/toolbar/grouping-params.ts";
import type { CompareSearch } from "./search.ts";
import { timesOf } from "./shared-comparison.ts";

/** The parameters of the call in the page's URL. */
function diffCall(search: CompareSearch) {
  const { mode, layout, zoom, focus, callers, transforms, fn, q, pane, lines, generics, ...call } = search;
  const grouping = groupingOf({ lines, generics });
  const { before_tags, after_tags, before_labels, after_labels, ...query } = call;
  return {
    ...query,
    ...(grouping !== "function" && { group_by: grouping }),
    before_tags: tagList(before_tags),
    before_labels: tagList(before_labels),
    after_tags: tagList(after_tags),
    after_labels: tagList(after_labels),
  };
}

function tagList(tags: CompareSearch["before_tags"]): string[] | undefined {
  return tags && Object.entries(tags).map(([name, value]) => `${name}:${value}`);
}

export function diffQuery(search: CompareSearch) {
  const query = diffCall(search);
  return queryOptions({
    queryKey: ["flame-graph-diff", query],
    queryFn: ({ signal }) => readDiff(query, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** The columns of a comparison, with all of its frames. */
async function readDiff(
  call: ReturnType<typeof diffCall>,
  further: { readonly signal?: AbortSignal; readonly stored_frames?: "true" },
): Promise<Uint8Array> {
  const { signal, ...fields } = further;
  const response = await callRaw(flameGraphDiff, {
    query: { ...call, ...fields, max_nodes: limits.flameGraphNodesMax },
    accept: flameGraphDiffContentType,
    ...(signal && { signal }),
  });
  return new Uint8Array(await response.arrayBuffer());
}

/** The comparison by stored frame, over the times that are on screen. */
export async function readStoredFrames(search: CompareSearch, meta: ComparisonMeta): Promise<CallTree> {
  const call = diffCall({ ...search, ...timesOf(search, meta) });
  return decodeComparison(await readDiff(call, { stored_frames: "true" })).tree;
}
