import { type ProfileTab, profileTabOf } from "@flamekeep/contract";
import type { QueryClient } from "@tanstack/react-query";
import { bucketFor } from "#profile-series/buckets.ts";
import { seriesQuery } from "#profile-series/series-query.ts";
import { savedRange } from "#time-range/saved-range.ts";
import {
  boundsOf,
  defaultRange,
  queryOfRange,
  type RangeSearch,
  rangeOfSearch,
  type ViewRange,
} from "#time-range/view-range.ts";
import type { ServiceSearch } from "./search.ts";

interface PageView {
  readonly service: string;
  readonly tab: ProfileTab;
  readonly range: ViewRange;
  readonly sampleType: string | undefined;
  readonly groupBy: string | undefined;
  readonly bucket: ServiceSearch["bucket"];
  readonly tags: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly splitLabel: string | undefined;
}

/** The call that the timelines of the page are drawn from. */
export function seriesOfPage({ range, groupBy, splitLabel, bucket, ...view }: PageView) {
  const { fromMs, toMs } = boundsOf(range, 0);
  return seriesQuery({
    ...view,
    range: queryOfRange(range),
    groupBy: view.tab === "all" || splitLabel !== undefined ? undefined : groupBy,
    splitLabel: view.tab === "all" ? undefined : splitLabel,
    bucket: bucket ?? bucketFor(toMs - fromMs),
  });
}

interface OpenedPage {
  readonly context: { readonly queryClient: QueryClient };
  readonly params: { readonly serviceName: string; readonly type?: string };
  readonly search: ServiceSearch & RangeSearch;
}

/** Makes the call while the code of the page is still on its way: a chart waits for both. */
export function readSeriesAhead({ context, params: { serviceName, type }, search }: OpenedPage): void {
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
