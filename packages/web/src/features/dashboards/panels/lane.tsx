import { type GraphType, httpRouteOf, isRequestFigure, type ServiceSeries } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { figureName } from "#add-to-dashboard/panel-names.ts";
import { alertMarker, deployMarker } from "#alert-list/chart-markers.ts";
import { deploysQuery, serviceAlertsQuery } from "#alert-list/marker-queries.ts";
import { type Lane, Lanes } from "#charts/lanes/lanes.tsx";
import type { ChartMarker } from "#charts/model/chart.ts";
import { bucketFor } from "#profile-series/buckets.ts";
import { httpLanes, profileLanes, wholeOf } from "#profile-series/lanes-of-service.ts";
import { httpLanesQuery, seriesQuery } from "#profile-series/series-query.ts";
import { timedCharts } from "#profile-series/timed-charts.ts";
import { noLabels } from "#sample-labels/model.ts";
import { refreshSteps } from "#time-range/refresh-steps.ts";
import { betweenRange, boundsOf } from "#time-range/view-range.ts";
import { Panel, type PanelQuery } from "#ui/content/panel.tsx";
import { NoData, type PanelProps, PanelSkeleton } from "./panel-parts.tsx";

/** A figure of a service over time, with its deploys and alerts. A drag sets the range of the dashboard. */
export function LanePanel(props: PanelProps<"lane">) {
  const { figure } = props.panel;
  return isRequestFigure(figure) ? <RequestLane {...props} /> : <ProfileLane {...props} type={figure} />;
}

function ProfileLane({ type, ...props }: PanelProps<"lane"> & { readonly type: GraphType }) {
  const { service, tags, time } = props;
  const { fromMs, toMs } = boundsOf(time.range, 0);
  const none = { sampleType: undefined, groupBy: undefined, splitLabel: undefined, labels: noLabels };
  // One call for all types: a dashboard often has several lanes of one service.
  const topic = {
    service,
    range: time.query,
    tab: "all",
    bucket: bucketFor(toMs - fromMs),
    tags,
    ...none,
  } as const;
  const query = useQuery({ ...seriesQuery(topic), refetchInterval: time.refreshMs(refreshSteps.graphMs) });
  const lanes = useMemo(() => query.data && profileLanes(chartsOf(query.data, type)), [query.data, type]);
  return <DrawnLane {...props} query={query} lane={lanes?.[0]} />;
}

function chartsOf(series: ServiceSeries, type: GraphType) {
  return timedCharts(series, { isStacked: false, isChosen: false }).filter((chart) => chart.type === type);
}

function RequestLane(props: PanelProps<"lane">) {
  const { service, time, panel } = props;
  const route = panel.route === undefined ? undefined : httpRouteOf(panel.route);
  const query = useQuery({
    ...httpLanesQuery({ service, range: time.query, route }),
    refetchInterval: time.refreshMs(refreshSteps.graphMs),
  });
  const lanes = useMemo(() => query.data && httpLanes(query.data), [query.data]);
  return <DrawnLane {...props} query={query} lane={lanes?.find(({ id }) => id === panel.figure)} />;
}

interface DrawnLaneProps extends PanelProps<"lane"> {
  readonly query: PanelQuery<unknown>;
  readonly lane: Lane | undefined;
}

function DrawnLane({ query, lane, ...props }: DrawnLaneProps) {
  const { service, panel } = props;
  const markers = useMarkers(props);
  return (
    <Panel
      query={query}
      loading={<PanelSkeleton className="h-16" />}
      errorTitle="Could not load the figure"
      empty={() =>
        lane === undefined ? (
          <NoData>
            No {nounOf(panel)} from {service} in this range.
          </NoData>
        ) : null
      }
    >
      {() => lane && <MarkedLane {...props} lane={lane} markers={markers} />}
    </Panel>
  );
}

function nounOf({ figure, route }: PanelProps<"lane">["panel"]): string {
  if (!isRequestFigure(figure)) return `${figureName(figure)} profiles`;
  return route === undefined ? "HTTP requests" : `requests of ${route}`;
}

/** Deploys and alerts, asked for together with the figure: on two cores, a later call would be the last one of the dashboard. */
function useMarkers({ service, time }: PanelProps<"lane">): readonly ChartMarker[] {
  const marked = { service, range: time.query, refetchInterval: time.refreshMs(refreshSteps.graphMs) };
  const { data: deploys } = useQuery(deploysQuery(marked));
  const { data: alerts } = useQuery(serviceAlertsQuery(marked));
  return useMemo(
    () => [...(deploys?.deploys ?? []).map(deployMarker), ...(alerts?.alerts ?? []).map(alertMarker)],
    [deploys, alerts],
  );
}

interface MarkedLaneProps extends PanelProps<"lane"> {
  readonly lane: Lane;
  readonly markers: readonly ChartMarker[];
}

function MarkedLane({ lane, markers, service, time, panel }: MarkedLaneProps) {
  const navigate = useNavigate();
  const lanes = useMemo(() => [lane], [lane]);
  const { whole, stepMs } = useMemo(() => wholeOf(lanes), [lanes]);
  return (
    <div className="pr-4 pb-2 pl-1">
      <Lanes
        label={`${lane.label} of ${service} over time`}
        {...{ lanes, whole, stepMs, markers }}
        zone={time.zone}
        selected={undefined}
        before={undefined}
        isMarkingBefore={false}
        onSelect={(_, span) => {
          const range = span && betweenRange(span.fromMs, Math.min(span.toMs, Date.now()));
          if (range !== undefined) time.change(range);
        }}
        chosen={undefined}
        onChoose={() =>
          void navigate({
            to: "/profiles/service/$serviceName/$type",
            params: { serviceName: service, type: isRequestFigure(panel.figure) ? "http" : panel.figure },
          })
        }
        columns={1}
      />
    </div>
  );
}
