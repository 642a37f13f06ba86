import { flameGraphDiff, flameGraphDiffContentType } from "@flamekeep/contract";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { callRaw } from "#api/call.ts";
import type { CompareSearch } from "./search.ts";

/** The parameters of the call in the page's URL. */
export function diffCall(search: CompareSearch) {
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

type DiffCall = ReturnType<typeof diffCall> & {
  /** The frame to begin at; by default the whole comparison. */
  readonly root?: string;
};

/** The columns of a comparison. */
export async function readDiff(query: DiffCall, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const response = await callRaw(flameGraphDiff, { query, accept: flameGraphDiffContentType, signal });
  return new Uint8Array(await response.arrayBuffer());
}
