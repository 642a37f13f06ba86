import type { GraphType, ProfileList } from "@flamekeep/contract";
import { Suspense, useDeferredValue } from "react";
import { lazyPart } from "#api/import-page.ts";
import { ProfileBrowser } from "#profile-list/browser.tsx";
import { countOf } from "#profile-list/model.ts";
import { BackToServices } from "#service-frame/service-frame.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { MergedFlame } from "./merged-flame.tsx";
import { TimelineCard } from "./timeline-card.tsx";
import type { Explore } from "./use-explore.ts";
import { useMarkers } from "./use-markers.ts";
import type { useSeries } from "./use-series.ts";

// Below the charts, which do not wait for these, or in place of them.
const NoServiceProfiles = lazyPart(async () => (await import("./no-service-profiles.tsx")).NoServiceProfiles);
const RangeLabels = lazyPart(async () => (await import("./range-labels.tsx")).RangeLabels);
const RangeTags = lazyPart(async () => (await import("./range-labels.tsx")).RangeTags);
const RangeAnalysis = lazyPart(async () => (await import("./range-analysis.tsx")).RangeAnalysis);

interface TypeViewProps {
  readonly explore: Explore;
  readonly series: ReturnType<typeof useSeries>;
  readonly list: ProfileList | undefined;
  readonly type: GraphType;
  /** Whether the list is of the current range. */
  readonly isCurrent: boolean;
  readonly label: string;
}

/** The timeline, the graph, advice and the profiles of one type. */
export function TypeView({ explore, series, list, type, isCurrent, label }: TypeViewProps) {
  const { service, selection, active, tags, open } = explore;
  // The charts come first: what is below them would delay them, and its place depends on their number.
  const hasCharts = useDeferredValue(!series.query.isPending || series.query.failureCount > 0, false);
  const markersOf = useMarkers(explore);
  const count = countOf(list?.counts_by_display_type, type);
  const rangeName = label.replace(/^Last/, "last");
  // The list says what is missing; an empty chart and graph would only say it again.
  const isEmpty = list !== undefined && isCurrent && selection === undefined && count === 0;
  return (
    <div className="flex flex-col gap-4">
      {!isEmpty && (
        <>
          <TimelineCard explore={explore} series={series} markers={markersOf(type)} />
          <MergedFlame
            {...{ explore, type }}
            profiles={list && count}
            isMean={series.query.data?.charts[0]?.aggregation === "mean"}
            label={rangeName}
          />
          <Suspense>
            <RangeLabels explore={explore} type={type} />
            <RangeTags explore={explore} type={type} />
          </Suspense>
        </>
      )}
      {hasCharts && !isEmpty && (
        <Suspense fallback={<Skeleton className="h-48 rounded-card!" />}>
          <RangeAnalysis explore={explore} type={type} label={rangeName} />
        </Suspense>
      )}
      {hasCharts && (
        <Suspense fallback={<Skeleton className="h-96 w-full" />}>
          <ProfileBrowser
            {...{ service, type, tags }}
            range={active}
            isWithoutMetrics
            errorActions={<BackToServices />}
            onAllTypes={() => open("all")}
            empty={
              <NoServiceProfiles service={service} tab={type} isFiltered={Object.keys(tags).length > 0} />
            }
          />
        </Suspense>
      )}
    </div>
  );
}
