import type { ProfileTab } from "@flamekeep/contract";
import { bucketFor } from "#profile-series/buckets.ts";
import { seriesQuery } from "#profile-series/series-query.ts";
import { boundsOf, queryOfRange, type ViewRange } from "#time-range/view-range.ts";
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
