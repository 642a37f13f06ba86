import { profileTabOf } from "@flamekeep/contract";
import type { QueryClient } from "@tanstack/react-query";
import { importOnce } from "#api/import-page.ts";
import { loadFlameGraph } from "#flame-graph/load.ts";
import { savedRange } from "#time-range/saved-range.ts";
import { defaultRange, type RangeSearch, rangeOfSearch } from "#time-range/view-range.ts";
import type { ServiceSearch } from "./search.ts";
import { seriesOfPage } from "./series-of-page.ts";

interface OpenedPage {
  readonly context: { readonly queryClient: QueryClient };
  readonly params: { readonly serviceName: string; readonly type?: string };
  readonly search: ServiceSearch & RangeSearch;
}

export const loadTypeView = importOnce(async () => (await import("./type-view.tsx")).TypeView);

/** Asks for what the first view waits for while the code of the page is still on its way: its call, its parts. */
export function loadAhead(opened: OpenedPage): void {
  readSeries(opened);
  for (const load of opened.params.type === undefined ? [loadFlameGraph] : [loadFlameGraph, loadTypeView])
    void load().catch(console.warn);
}

function readSeries({ context, params: { serviceName, type }, search }: OpenedPage): void {
  const { sample_type: sampleType, group_by: groupBy, bucket, tags = {}, labels = {} } = search;
  void context.queryClient.prefetchQuery(
    seriesOfPage({
      service: serviceName,
      tab: profileTabOf(type),
      sampleType,
      groupBy,
      bucket,
      tags,
      labels,
      splitLabel: search.split_label,
      range: rangeOfSearch(search) ?? savedRange() ?? defaultRange,
    }),
  );
}
