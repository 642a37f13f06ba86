import { limits } from "@flamekeep/contract";
import type { CallTree } from "@flamekeep/flame";
import { type ComparisonMeta, decodeComparison } from "@flamekeep/flame/compare";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { readComparison } from "#flame-graph/decode/read-comparison.ts";
import { groupingOf } from "#flame-graph/toolbar/grouping-params.ts";
import type { CompareSearch } from "./search.ts";
import { timesOf } from "./shared-comparison.ts";

/** The parameters of the call in the page's URL. */
function diffCall(search: CompareSearch) {
  const { mode, layout, color, zoom, focus, callers, transforms, fn, q, pane, lines, generics, ...call } =
    search;
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

const allFrames = { max_nodes: limits.flameGraphNodesMax };

export function diffQuery(search: CompareSearch) {
  const query = diffCall(search);
  return queryOptions({
    queryKey: ["flame-graph-diff", query],
    queryFn: ({ signal }) => readComparison({ ...query, ...allFrames }, signal),
    placeholderData: keepPreviousData,
  });
}

/** The comparison by stored frame, over the times that are on screen. */
export async function readStoredFrames(search: CompareSearch, meta: ComparisonMeta): Promise<CallTree> {
  const call = diffCall({ ...search, ...timesOf(search, meta) });
  return decodeComparison(await readComparison({ ...call, ...allFrames, stored_frames: "true" })).tree;
}
