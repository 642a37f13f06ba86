import { findProfileType, type ProfileList, type ProfileTab, profileTabs } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useDeferredValue, useState } from "react";
import { lazyPart } from "#api/import-page.ts";
import { spanText } from "#charts/model/time-ticks.ts";
import { profileTypeLabel } from "#format/names.ts";
import { countText } from "#format/number.ts";
import { usePageTitle } from "#layout/page-title.ts";
import { countOf } from "#profile-list/model.ts";
import { liveIntervalMs, profilesQuery, serviceExistsQuery } from "#profile-list/queries.ts";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { TabCount, Tabs } from "#ui/controls/tabs.tsx";
import { useLastError } from "#ui/hooks/use-last-error.ts";
import { ExploreToolbar } from "./explore-toolbar.tsx";
import { MergedFlame } from "./merged-flame.tsx";
import { BackToServices, profilesOf, ServiceHeader } from "./service-header.tsx";
import { TimelineCard } from "./timeline-card.tsx";
import { TypeCharts } from "./type-charts.tsx";
import { type Explore, useExplore } from "./use-explore.ts";
import { useMarkers } from "./use-markers.ts";
import { useSeries } from "./use-series.ts";

// Below the charts, which do not wait for these, or in place of them.
const NoServiceProfiles = lazyPart(async () => (await import("./no-service-profiles.tsx")).NoServiceProfiles);
const ServiceNotFound = lazyPart(async () => (await import("./no-service-profiles.tsx")).ServiceNotFound);
const DataReceived = lazyPart(
  async () => (await import("#profile-list/senders/data-received.tsx")).DataReceived,
);
const MetricBatches = lazyPart(async () => (await import("./metric-batches.tsx")).MetricBatches);
const RangeLabels = lazyPart(async () => (await import("./range-labels.tsx")).RangeLabels);
const RangeAnalysis = lazyPart(async () => (await import("./range-analysis.tsx")).RangeAnalysis);
const AnalysisOverview = lazyPart(async () => (await import("#ai-analysis/overview.tsx")).AnalysisOverview);
const ProfileBrowser = lazyPart(async () => (await import("#profile-list/browser.tsx")).ProfileBrowser);

/** The profiles of a service over time: choose a range on a timeline, read its merged flame graph, open a profile. */
export function ServicePage() {
  const explore = useExplore();
  const { service, tab, time, selection, active, tags, open } = explore;
  usePageTitle(`${service} Profiles`);
  const latest = useQuery({
    ...profilesQuery({ service, ...active, tags, isWithoutMetrics: true, limit: 1 }),
    refetchInterval: time.refreshMs(liveIntervalMs),
  });
  const failure = useLastError(latest);
  const list = useLastList(service, latest.data);
  const isEmpty = latest.data !== undefined && countOf(latest.data.counts_by_display_type, "all") === 0;
  const { data: exists } = useQuery({ ...serviceExistsQuery(service), enabled: isEmpty });
  if (isEmpty && exists === false)
    return (
      <Suspense>
        <ServiceNotFound service={service} />
      </Suspense>
    );
  const label = selection === undefined ? time.label : spanText(selection.fromMs, selection.toMs, time.zone);
  return (
    // Toolbars inside the page stick below the page's own.
    <div className="lg:[--sticky-top:7.25rem]">
      <ServiceHeader
        service={service}
        list={list}
        isFailed={failure !== null}
        label={label}
        isStale={latest.isPlaceholderData}
      />
      <Tabs label="Profile type" value={tab} items={tabItems(tab, list)} onChange={(next) => open(next)}>
        <TypeView
          key={service}
          explore={explore}
          list={list}
          isCurrent={!latest.isPlaceholderData}
          label={label}
        />
      </Tabs>
    </div>
  );
}

function tabItems(tab: Explore["tab"], list: ProfileList | undefined) {
  const counts = list?.counts_by_display_type;
  const isShown = (each: ProfileTab) =>
    findProfileType(each)?.isRare !== true || tab === each || countOf(counts, each) > 0;
  const tabs = profileTabs.filter(isShown);
  return tabs.map((value) => ({
    value,
    label: (
      <>
        {profileTypeLabel(value)}
        {list ? (
          <TabCount value={countText(value === "all" ? profilesOf(counts) : countOf(counts, value))} />
        ) : (
          <Skeleton className="h-4 w-6" />
        )}
      </>
    ),
  }));
}

interface TypeViewProps {
  readonly explore: Explore;
  readonly list: ProfileList | undefined;
  /** Whether the list is of the current range. */
  readonly isCurrent: boolean;
  readonly label: string;
}

function TypeView({ explore, list, isCurrent, label }: TypeViewProps) {
  const { tab, selection } = explore;
  const series = useSeries(explore);
  // The charts come first: what is below them would delay them, and its place depends on their number.
  const hasCharts = useDeferredValue(!series.query.isPending || series.query.failureCount > 0, false);
  const markersOf = useMarkers(explore);
  const counts = list?.counts_by_display_type;
  const rangeName = label.replace(/^Last/, "last");
  // The list says what is missing; an empty chart and graph would only say it again.
  const isEmpty =
    tab !== "all" && list !== undefined && isCurrent && selection === undefined && countOf(counts, tab) === 0;
  return (
    <>
      <ExploreToolbar explore={explore} chart={tab === "all" ? undefined : series.charts?.[0]} />
      {tab === "all" && <TypeCharts explore={explore} series={series} markersOf={markersOf} />}
      {tab !== "all" && !isEmpty && (
        <div className="flex flex-col gap-4">
          <TimelineCard explore={explore} series={series} markers={markersOf(tab)} />
          <MergedFlame
            explore={explore}
            type={tab}
            profiles={list && countOf(counts, tab)}
            isMean={series.query.data?.charts[0]?.aggregation === "mean"}
            label={rangeName}
          />
          <Suspense>
            <RangeLabels explore={explore} type={tab} />
          </Suspense>
        </div>
      )}
      {hasCharts && <BelowCharts {...{ explore, series, list, rangeName, isEmpty, label }} />}
    </>
  );
}

interface BelowChartsProps extends Omit<TypeViewProps, "isCurrent"> {
  readonly series: ReturnType<typeof useSeries>;
  readonly rangeName: string;
  readonly isEmpty: boolean;
}

/** Advice and the list of profiles. */
function BelowCharts({ explore, series, list, label, rangeName, isEmpty }: BelowChartsProps) {
  const { service, tab, active, tags, open } = explore;
  return (
    <>
      {!isEmpty && (
        <div className="mt-4">
          <Suspense fallback={<Skeleton className="h-48 rounded-card!" />}>
            {tab === "all" ? (
              <AnalysisOverview service={service} types={series.charts?.map(({ type }) => type) ?? []} />
            ) : (
              <RangeAnalysis explore={explore} type={tab} label={rangeName} />
            )}
          </Suspense>
        </div>
      )}
      <div className={isEmpty ? undefined : "mt-6"}>
        <Suspense fallback={<Skeleton className="h-96 w-full" />}>
          <ProfileBrowser
            service={service}
            type={tab === "all" ? undefined : tab}
            range={active}
            tags={tags}
            isWithoutMetrics
            errorActions={<BackToServices />}
            onAllTypes={() => open("all")}
            empty={
              <NoServiceProfiles service={service} tab={tab} isFiltered={Object.keys(tags).length > 0} />
            }
          />
        </Suspense>
      </div>
      <Suspense>
        {tab === "all" && (
          <>
            <MetricBatches
              explore={explore}
              label={label}
              isExpected={countOf(list?.counts_by_display_type, "metrics") > 0}
            />
            <div className="mt-4">
              <DataReceived service={service} />
            </div>
          </>
        )}
      </Suspense>
    </>
  );
}

/** The latest reply for the service. Kept while a refetch fails, so that the layout of the page does not change. */
function useLastList(service: string, data: ProfileList | undefined): ProfileList | undefined {
  const [last, setLast] = useState({ service, data });
  const isNew = service !== last.service || (data !== undefined && data !== last.data);
  if (isNew) setLast({ service, data });
  return isNew ? data : last.data;
}
