import type { HttpTimeline } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ChartSeries } from "#charts/chart.ts";
import { type ChartUnit, unitMeasure } from "#charts/model/units.ts";
import { TimeSeries } from "#charts/time-series.tsx";
import { httpSeries, intervalMinutes, rangeBadge, timesOf } from "#project/model.ts";
import { BlockSkeleton, Empty } from "#project/parts.tsx";
import type { ProjectTime } from "#project/project-time.ts";
import { httpTimelineQuery } from "#project/queries.ts";
import { syncGroup } from "#project/sections/timelines.tsx";
import { Badge } from "#ui/content/badge.tsx";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Tabs } from "#ui/controls/tabs.tsx";
import { type Tile, Tiles } from "./tiles.tsx";

const httpTabs = ["requests", "latency", "throughput", "errors"] as const;
export type HttpTab = (typeof httpTabs)[number];

type Points = HttpTimeline["data_points"];
interface TabChart {
  readonly label: string;
  readonly unit: ChartUnit;
  readonly series: (points: Points) => readonly ChartSeries[];
}

/** Latency has one hue: the higher the percentile, the lighter. */
export function latencySeries(points: Points): ChartSeries[] {
  return [
    { ...httpSeries("avg", "Average", points, (point) => point.avg_duration_ms), color: "latency-avg" },
    { ...httpSeries("p95", "p95", points, (point) => point.p95_duration_ms), color: "latency-p95" },
    { ...httpSeries("p99", "p99", points, (point) => point.p99_duration_ms), color: "latency-p99" },
  ];
}

const tabCharts: Record<HttpTab, TabChart> = {
  requests: {
    label: "Requests",
    unit: "count",
    series: (points) => [
      { ...httpSeries("requests", "Requests", points, (point) => point.request_count), color: "series-2" },
    ],
  },
  latency: { label: "Latency", unit: "milliseconds", series: latencySeries },
  throughput: {
    label: "Throughput",
    unit: "perSecond",
    series: (points) => [
      {
        ...httpSeries("rps", "Requests per second", points, (point) => point.throughput_rps),
        color: "series-3",
      },
    ],
  },
  errors: {
    label: "Errors",
    unit: "percent",
    series: (points) => [errorSeries(points)],
  },
};

export function errorSeries(points: Points): ChartSeries {
  const percent = ({ error_rate }: Points[number]) => (error_rate === null ? null : error_rate * 100);
  return { ...httpSeries("errors", "Error rate", points, percent), color: "critical" };
}

interface HttpTimelineCardProps {
  readonly time: ProjectTime;
  readonly tab: HttpTab;
  readonly onTab: (tab: HttpTab) => void;
}

export function HttpTimelineCard({ time, tab, onTab }: HttpTimelineCardProps) {
  const query = useQuery(httpTimelineQuery(time.scope, intervalMinutes(time.bucket)));
  const badge = rangeBadge(time.scope.range.from) ?? time.label;
  return (
    <Card className="min-w-0">
      <CardHeader
        title="HTTP Performance Timeline"
        detail="Requests of the service over time"
        // While old data is shown, the new range would be a wrong label.
        actions={<Badge>{query.isPlaceholderData ? "Loading" : badge}</Badge>}
      />
      <Panel
        query={query}
        loading={<BlockSkeleton label="Loading HTTP timeline" className="h-113" />}
        errorTitle="Failed to load HTTP timeline data"
        empty={({ summary }) =>
          summary.total_requests === 0 ? <Empty title="No HTTP timeline data available" /> : null
        }
      >
        {(timeline) => (
          <>
            <Tiles tiles={tilesOf(timeline)} />
            <div className="px-4 pt-1 pb-3">
              <Tabs
                label="HTTP performance"
                value={tab}
                items={httpTabs.map((value) => ({ value, label: tabCharts[value].label }))}
                onChange={onTab}
              >
                <HttpChart key={tab} timeline={timeline} chart={tabCharts[tab]} time={time} />
              </Tabs>
            </div>
          </>
        )}
      </Panel>
    </Card>
  );
}

function tilesOf({ summary }: HttpTimeline): Tile[] {
  const errorRate = summary.overall_error_rate;
  return [
    { label: "Total Requests", value: unitMeasure(summary.total_requests, "count") },
    { label: "Avg Duration", value: unitMeasure(summary.avg_duration_ms, "milliseconds") },
    { label: "P95 Duration", value: unitMeasure(summary.p95_duration_ms, "milliseconds") },
    { label: "Peak RPS", value: unitMeasure(summary.peak_throughput_rps, "perSecond") },
    { label: "Error Rate", value: unitMeasure(errorRate === null ? null : errorRate * 100, "percent") },
    {
      label: "Total Data",
      value: unitMeasure(summary.total_data_mb === null ? null : summary.total_data_mb * 2 ** 20, "bytes"),
      ...(summary.total_data_mb === null && { detail: "sizes are not sent" }),
    },
  ];
}

interface HttpChartProps {
  readonly timeline: HttpTimeline;
  readonly chart: TabChart;
  readonly time: ProjectTime;
}

function HttpChart({ timeline, chart, time }: HttpChartProps) {
  const points = timeline.data_points;
  const timesMs = useMemo(() => timesOf(points), [points]);
  const series = useMemo(() => chart.series(points), [chart, points]);
  return (
    <TimeSeries
      label={chart.label}
      timesMs={timesMs}
      bucketMs={timeline.interval_minutes * minuteMs}
      series={series}
      unit={chart.unit}
      heightPx={240}
      syncGroup={syncGroup}
      zone={time.zone}
      onSelect={time.zoomTo}
    />
  );
}
