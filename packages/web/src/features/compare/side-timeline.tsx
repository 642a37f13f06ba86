import { isSeparate, type ProfileType } from "@flamekeep/contract";
import type { ComparisonMeta } from "@flamekeep/flame/compare";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { alertMarker, deployMarker } from "#alert-list/chart-markers.ts";
import { deploysQuery, serviceAlertsQuery } from "#alert-list/marker-queries.ts";
import type { ChartMarker } from "#charts/model/chart.ts";
import { TimeSeries } from "#charts/time-series.tsx";
import { bucketOf, type SideName, spanOfSide, type windowsOf } from "#comparison/model.ts";
import { seriesQuery } from "#profile-series/series-query.ts";
import { timedCharts } from "#profile-series/timed-charts.ts";
import { Panel } from "#ui/content/panel.tsx";
import { TimelineSkeleton } from "./timeline-skeleton.tsx";
import type { Compare } from "./use-compare.ts";

export interface SideProps {
  readonly name: SideName;
  readonly compare: Compare;
  readonly meta: ComparisonMeta;
  /** As `type/unit`. */
  readonly sampleType: string;
  readonly window: ReturnType<typeof windowsOf>[SideName];
}

const heightPx = 130;

/** The profiles around one side, with deploys and alerts. Dragging selects another range, or moves the range or its ends. */
export function SideTimeline({ name, compare, meta, sampleType, window }: SideProps) {
  const side = meta[name];
  const { type: chosen } = compare.search;
  const type = chosen !== undefined && isSeparate(chosen) ? chosen : (meta.type as ProfileType);
  const query = useQuery(
    seriesQuery({
      service: side.service,
      tab: type,
      sampleType: sampleType === "" ? undefined : sampleType,
      groupBy: undefined,
      bucket: bucketOf(window),
      tags: side.tags,
      labels: side.labels ?? {},
      splitLabel: undefined,
      range: { from: new Date(window.fromMs).toISOString(), to: new Date(window.toMs).toISOString() },
    }),
  );
  const chart = useMemo(
    () => query.data && timedCharts(query.data, { isStacked: false, isChosen: false })[0],
    [query.data],
  );
  const markers = useSideMarkers(side.service, type, window);
  return (
    <div className="px-3 pb-2">
      <Panel query={query} loading={<TimelineSkeleton />} errorTitle="Could not load the timeline">
        {() =>
          chart === undefined || chart.series.length === 0 ? (
            <p className="grid h-[162px] place-items-center text-center text-muted">
              No profiles around this time.
            </p>
          ) : (
            <TimeSeries
              label={`${chart.title}, range ${name}`}
              timesMs={chart.timesMs}
              bucketMs={chart.bucketMs}
              series={chart.series}
              unit={chart.unit}
              heightPx={heightPx}
              markers={markers}
              selected={spanOfSide(side)}
              onSelect={(span) =>
                span !== undefined &&
                compare.changeSide(name, {
                  from: new Date(span.fromMs).toISOString(),
                  to: new Date(span.toMs).toISOString(),
                })
              }
              zone={compare.zone}
            />
          )
        }
      </Panel>
    </div>
  );
}

/** The versions that the service started in the window, and the alerts of the profile type. */
function useSideMarkers(service: string, type: string, { fromMs, toMs }: SideProps["window"]): ChartMarker[] {
  const range = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
  const scope = { service, range, refetchInterval: false } as const;
  const { data: deploys } = useQuery(deploysQuery(scope));
  const { data: alerts } = useQuery(serviceAlertsQuery(scope));
  return useMemo(
    () => [
      ...(deploys?.deploys ?? []).map(deployMarker),
      ...(alerts?.alerts ?? []).filter((alert) => alert.profile_type === type).map(alertMarker),
    ],
    [deploys, alerts, type],
  );
}
