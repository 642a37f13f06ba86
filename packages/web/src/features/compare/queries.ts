import { flameGraphDiff, flameGraphDiffContentType, limits } from "@flamekeep/contract";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { callRaw } from "#api/call.ts";
import type { CompareSearch } from "./search.ts";

/** The parameters of the call in the page's URL. */
function diffCall(search: CompareSearch) {
  const { mode, layout, zoom, focus, callers, transforms, fn, q, pane, ...call } = search;
  const { before_tags, after_tags, before_labels, after_labels, ...query } = call;
  return {
    ...query,
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
    queryFn: ({ signal }) => readDiff(query, signal),
    placeholderData: keepPreviousData,
  });
}

/** The columns of a comparison, with all of its frames. */
async function readDiff(call: ReturnType<typeof diffCall>, signal: AbortSignal): Promise<Uint8Array> {
  const query = { ...call, max_nodes: limits.flameGraphNodesMax };
  const response = await callRaw(flameGraphDiff, { query, accept: flameGraphDiffContentType, signal });
  return new Uint8Array(await response.arrayBuffer());
}
