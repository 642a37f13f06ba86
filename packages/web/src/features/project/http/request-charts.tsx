import type { HttpTimeline } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ChartSeries } from "#charts/chart.ts";
import type { ChartUnit } from "#charts/model/units.ts";
import { TimeSeries } from "#charts/time-series.tsx";
import { httpSeries, statusSeries, timesOf } from "#project/model.ts";
import { CardsSkeleton, ChartCard, chartGridClass, Empty } from "#project/parts.tsx";
import type { ProjectTime } from "#project/project-time.ts";
import { httpTimelineQuery } from "#project/queries.ts";
import { syncGroup } from "#project/sections/timelines.tsx";
import { Card } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { errorSeries, latencySeries } from "./http-timeline-card.tsx";

const intervalMin = 5;

interface RequestChart {
  readonly title: string;
  readonly detail: string;
  readonly unit: ChartUnit;
  readonly isStacked?: boolean;
  readonly series: (points: HttpTimeline["data_points"]) => readonly ChartSeries[];
}

const charts: readonly RequestChart[] = [
  {
    title: "Request Rate",
    detail: "Requests per second",
    unit: "perSecond",
    series: (points) => [
      {
        ...httpSeries("rate", "Requests per second", points, (point) => point.throughput_rps),
        color: "series-2",
      },
    ],
  },
  {
    title: "Response Time",
    detail: "Average and percentiles",
    unit: "milliseconds",
    series: latencySeries,
  },
  {
    title: "Status Codes",
    detail: "Requests by class of status",
    unit: "count",
    isStacked: true,
    series: statusSeries,
  },
  {
    title: "Error Rate",
    detail: "Requests with status 400 or above",
    unit: "percent",
    series: (points) => [errorSeries(points)],
  },
];

/** Requests in buckets of five minutes, or wider ones where a range would have too many. */
export function RequestCharts({ time }: { readonly time: ProjectTime }) {
  const query = useQuery(httpTimelineQuery(time.scope, intervalMin));
  return (
    <section aria-label="Requests">
      <Panel
        query={query}
        loading={<CardsSkeleton label="Loading requests" count={4} className="h-78.5 rounded-card!" />}
        errorTitle="Failed to load HTTP metrics. Please try again later."
        empty={({ summary }) =>
          summary.total_requests === 0 ? (
            <Card>
              <Empty title="No HTTP metrics data available" />
            </Card>
          ) : null
        }
      >
        {(timeline) => (
          <div className={chartGridClass}>
            {charts.map((chart) => (
              <RequestCard key={chart.title} chart={chart} timeline={timeline} time={time} />
            ))}
          </div>
        )}
      </Panel>
    </section>
  );
}

interface RequestCardProps {
  readonly chart: RequestChart;
  readonly timeline: HttpTimeline;
  readonly time: ProjectTime;
}

function RequestCard({ chart, timeline, time }: RequestCardProps) {
  const points = timeline.data_points;
  const timesMs = useMemo(() => timesOf(points), [points]);
  const series = useMemo(() => chart.series(points), [chart, points]);
  return (
    <ChartCard title={chart.title} detail={`${chart.detail}, by ${timeline.interval_minutes} minutes`}>
      <TimeSeries
        label={chart.title}
        timesMs={timesMs}
        bucketMs={timeline.interval_minutes * minuteMs}
        series={series}
        unit={chart.unit}
        isStacked={chart.isStacked ?? false}
        syncGroup={syncGroup}
        zone={time.zone}
        onSelect={time.zoomTo}
      />
    </ChartCard>
  );
}
