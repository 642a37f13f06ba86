import { type GraphType, laneFigures, type ProfileList } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useMemo } from "react";
import { lazyPart } from "#api/import-page.ts";
import { type Lane, Lanes } from "#charts/lanes/lanes.tsx";
import { ProfileBrowser } from "#profile-list/browser.tsx";
import { countOf } from "#profile-list/model.ts";
import { DataReceived } from "#profile-list/senders/data-received.tsx";
import { httpLanes, laneType, profileLanes, wholeOf } from "#profile-series/lanes-of-service.ts";
import { httpLanesQuery } from "#profile-series/series-query.ts";
import { BackToServices } from "#service-frame/service-frame.tsx";
import { Card } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton, SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { useIsWide } from "#ui/hooks/use-media.ts";
import { MergedFlame } from "./merged-flame.tsx";
import { MetricBatches } from "./metric-batches.tsx";
import type { Explore } from "./use-explore.ts";
import { useMarkers } from "./use-markers.ts";
import type { useSeries } from "./use-series.ts";

const ComparedInPlace = lazyPart(async () => (await import("./compared-in-place.tsx")).ComparedInPlace);
const NoServiceProfiles = lazyPart(async () => (await import("./no-service-profiles.tsx")).NoServiceProfiles);

interface OverviewProps {
  readonly explore: Explore;
  readonly series: ReturnType<typeof useSeries>;
  readonly list: ProfileList | undefined;
  readonly label: string;
}

/** All figures of the service on one time axis, the flame graph of the chosen one, and its profiles. */
export function Overview({ explore, series, list, label }: OverviewProps) {
  const { service, active, tags, selection } = explore;
  const { lanes, isComplete } = useLanes(explore, series);
  const chosen = chosenType(lanes, explore.lane);
  const chart = series.query.data?.charts.find(({ type }) => type === chosen);
  const isEmpty = series.query.data?.charts.length === 0 && selection === undefined;
  return (
    <div className="-mt-4 flex flex-col gap-1.5">
      <Panel query={series.query} loading={loadingLanes} errorTitle="Could not load the timelines">
        {() => {
          if (!isComplete) return loadingLanes;
          return lanes.length > 0 && <ServiceLanes explore={explore} lanes={lanes} chosen={chosen} />;
        }}
      </Panel>
      {chosen !== undefined && selection !== undefined && explore.before !== undefined ? (
        <Suspense fallback={<Skeleton className="h-[40rem] rounded-card!" />}>
          <ComparedInPlace explore={explore} type={chosen} before={explore.before} after={selection} />
        </Suspense>
      ) : (
        chosen !== undefined && (
          <MergedFlame
            explore={{ ...explore, tab: chosen }}
            type={chosen}
            profiles={list && countOf(list.counts_by_display_type, chosen)}
            isMean={chart?.aggregation === "mean"}
            figures={laneFigures.filter((each) => each !== chosen && lanes.some(({ id }) => id === each))}
            label={label.replace(/^Last/, "last")}
            isCompact
          />
        )
      )}
      {chosen === undefined && !isEmpty && <Skeleton className="h-[40rem] rounded-card!" />}
      <Suspense fallback={<Skeleton className="h-96 w-full" />}>
        <ProfileBrowser
          {...{ service, tags }}
          range={active}
          type={undefined}
          isWithoutMetrics
          errorActions={<BackToServices />}
          onAllTypes={() => explore.open("all")}
          empty={<NoServiceProfiles service={service} tab="all" isFiltered={Object.keys(tags).length > 0} />}
        />
      </Suspense>
      <Suspense>
        <MetricBatches
          explore={explore}
          label={label}
          isExpected={countOf(list?.counts_by_display_type, "metrics") > 0}
        />
        <DataReceived service={service} />
      </Suspense>
    </div>
  );
}

const loadingLanes = (
  <SkeletonBlocks label="Loading the timelines" count={1} className="h-40 rounded-card!" />
);

/** The lanes that are read, and whether those of requests are among them: they add a row, which would move the flame graph. */
function useLanes({ service, time }: Explore, { query, charts }: OverviewProps["series"]) {
  const http = useQuery({
    ...httpLanesQuery({ service, range: time.query }),
    refetchInterval: time.refreshMs(60_000),
  });
  const ofProfiles = useMemo(() => profileLanes(charts ?? []), [charts]);
  const ofRequests = useMemo(() => (http.data ? httpLanes(http.data) : []), [http.data]);
  const lanes = useMemo(
    (): readonly Lane[] => (query.data === undefined ? [] : [...ofProfiles, ...ofRequests]),
    [query.data, ofProfiles, ofRequests],
  );
  return { lanes, isComplete: !http.isPending };
}

/** The type whose graph is shown: the chosen lane's, else that of the first lane with profiles. */
function chosenType(lanes: readonly Lane[], chosen: string | undefined): GraphType | undefined {
  const types = lanes.map(({ id }) => laneType(id)).filter((type) => type !== undefined);
  return types.find((type) => type === chosen) ?? types[0];
}

interface ServiceLanesProps {
  readonly explore: Explore;
  readonly lanes: readonly Lane[];
  readonly chosen: GraphType | undefined;
}

function ServiceLanes({ explore, lanes, chosen }: ServiceLanesProps) {
  const { service, time, selection, before, isMarking, select, markBefore, change, open } = explore;
  const markersOf = useMarkers(explore);
  const columns = useIsWide() ? 3 : 1;
  const { whole, stepMs } = useMemo(() => wholeOf(lanes), [lanes]);
  return (
    <Card className="min-w-0 px-1">
      <Lanes
        label={`Figures of ${service} over time`}
        {...{ lanes, whole, stepMs, before, chosen, columns }}
        zone={time.zone}
        markers={markersOf("all")}
        selected={selection}
        isMarkingBefore={isMarking}
        onSelect={(kind, span) => (kind === "before" ? markBefore(span) : select(span))}
        onChoose={(id) => {
          const type = laneType(id);
          if (type === undefined) open("http");
          else change({ lane: type }, true);
        }}
      />
    </Card>
  );
}
