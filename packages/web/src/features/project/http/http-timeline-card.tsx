import { demoRequests, type HttpTimeline } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { useQuery } from "@tanstack/react-query";
import { unitMeasure } from "#charts/model/units.ts";
import { BlockSkeleton, Empty, type Tile, Tiles } from "#project/parts/parts.tsx";
import type { ProjectTime } from "#project/parts/project-time.ts";
import { httpTimelineQuery } from "#project/parts/queries.ts";
import { intervalMinutes, rangeBadge } from "#project/parts/timeline.ts";
import { useIsDemo } from "#session/session.ts";
import { Badge } from "#ui/content/badge.tsx";
import { PanelCard } from "#ui/content/panel.tsx";
import { Tabs } from "#ui/controls/tabs.tsx";
import { HttpChart, type HttpFigure } from "./http-chart.tsx";
import { countSeries, errorSeries, latencySeries, rateSeries } from "./series.ts";

const httpTabs = ["requests", "latency", "throughput", "errors"] as const;
export type HttpTab = (typeof httpTabs)[number];

const tabCharts: Record<HttpTab, HttpFigure> = {
  requests: {
    title: "Requests",
    unit: "count",
    series: (timeline) => [countSeries(timeline)],
  },
  latency: { title: "Latency", unit: "milliseconds", series: latencySeries },
  throughput: {
    title: "Throughput",
    unit: "perSecond",
    series: (timeline) => [rateSeries(timeline)],
  },
  errors: {
    title: "Errors",
    unit: "percent",
    series: (timeline) => [errorSeries(timeline)],
  },
};

interface HttpTimelineCardProps {
  readonly time: ProjectTime;
  readonly tab: HttpTab;
  readonly onTab: (tab: HttpTab) => void;
}

export function HttpTimelineCard({ time, tab, onTab }: HttpTimelineCardProps) {
  const query = useQuery(httpTimelineQuery(time.scope, intervalMinutes(time.bucket)));
  const badge = rangeBadge(time.scope.range.from) ?? time.label;
  return (
    <PanelCard
      className="min-w-0"
      title="HTTP Performance Timeline"
      detail="Requests of the service over time"
      // While old data is shown, the new range would be a wrong label.
      actions={<Badge>{query.isPlaceholderData ? "Loading" : badge}</Badge>}
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
          <DemoNote />
          {timeline.has_sent_histograms && <HistogramNote />}
          <div className="px-4 pt-1 pb-3">
            <Tabs
              label="HTTP performance"
              value={tab}
              items={httpTabs.map((value) => ({ value, label: tabCharts[value].title }))}
              onChange={onTab}
            >
              <HttpChart key={tab} timeline={timeline} figure={tabCharts[tab]} time={time} heightPx={240} />
            </Tabs>
          </div>
        </>
      )}
    </PanelCard>
  );
}

/** Without it, the rates seem to contradict a comparison, which only counts requests while the profiler ran. */
function DemoNote() {
  if (!useIsDemo()) return null;
  const { everyMs, recordedSeconds } = demoRequests;
  return (
    <p className="px-4 pt-3 text-label text-muted">
      Demo data holds {recordedSeconds} s of traffic per {everyMs / minuteMs} min, so rates look about{" "}
      {everyMs / 1000 / recordedSeconds} times too low.
    </p>
  );
}

function HistogramNote() {
  return (
    <p className="px-4 pt-3 text-label text-muted">
      Some requests arrived as histograms: their durations are only as exact as the buckets.
    </p>
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
      ...(summary.total_data_mb === null && { detail: "sizes not reported" }),
    },
  ];
}
