import type { HttpRoute, HttpTimeline, RequestFigure } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { AddToDashboard } from "#add-to-dashboard/add-to-dashboard.tsx";
import { lanePanels } from "#add-to-dashboard/panel-names.ts";
import { HttpChart, type HttpFigure } from "#project/http/http-chart.tsx";
import { failureSeries, percentileSeries, rateSeries } from "#project/http/series.ts";
import { AlertOnThis } from "#project/parts/alert-on-this.tsx";
import { ChartCard } from "#project/parts/charts.tsx";
import { Empty } from "#project/parts/parts.tsx";
import type { ProjectTime } from "#project/parts/project-time.ts";
import { httpTimelineQuery } from "#project/parts/queries.ts";
import type { RequestSignal } from "#project/parts/rule-fields.ts";
import { intervalMinutes } from "#project/parts/timeline.ts";
import type { MarkedChart } from "#project/parts/use-markers.ts";
import { Card } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { isAboutRoute } from "./model.ts";

interface RouteFigure extends HttpFigure {
  readonly detail: string;
  /** The figure of a lane of dashboards. */
  readonly figure?: RequestFigure;
  /** The signal of a rule about it. */
  readonly signal: RequestSignal;
}

const figures: readonly RouteFigure[] = [
  {
    title: "Latency",
    detail: "p50, p95 and p99",
    unit: "milliseconds",
    figure: "p95",
    signal: "http_p95",
    series: percentileSeries,
  },
  {
    title: "Rate",
    detail: "Requests per second",
    unit: "perSecond",
    signal: "http_request_rate",
    series: (timeline) => [rateSeries(timeline)],
  },
  {
    title: "Errors",
    detail: "Share of 4xx and 5xx",
    unit: "percent",
    figure: "errors",
    signal: "http_error_rate",
    series: failureSeries,
  },
];

/** The first chart, which has three lines, is as wide as the other two. */
const gridClass =
  "grid gap-4 min-[1100px]:grid-cols-2 min-[1100px]:[&>:first-child]:col-span-2 min-[1400px]:grid-cols-4";

interface RouteChartsProps {
  readonly time: ProjectTime;
  readonly route: HttpRoute;
  /** The route as rules name it. */
  readonly name: string;
}

/** Latency, rate and errors of a route over time, with deploys and its alerts. */
export function RouteCharts({ time, route, name }: RouteChartsProps) {
  const { method, path } = route;
  const query = useQuery(httpTimelineQuery(time.scope, intervalMinutes(time.bucket), route));
  const marked = useMemo(
    (): MarkedChart => ({
      isAbout: (alert) => alert.signal !== undefined && isAboutRoute(alert.route, { method, path }),
      evidence: "cpu",
    }),
    [method, path],
  );
  return (
    <section aria-label="Requests over time">
      <Panel
        query={query}
        loading={
          <SkeletonBlocks
            label="Loading requests over time"
            count={3}
            className="h-74.5 rounded-card!"
            layoutClass={gridClass}
          />
        }
        errorTitle="Failed to load HTTP metrics. Please try again later."
        empty={({ summary }) =>
          summary.total_requests === 0 ? (
            <Card>
              <Empty title="No requests">
                <p>No request of this route was received in the selected time range. Choose a longer one.</p>
              </Empty>
            </Card>
          ) : null
        }
      >
        {(timeline) => (
          <div className={gridClass}>
            {figures.map((figure) => (
              <FigureCard key={figure.title} {...{ figure, timeline, time, marked, name }} />
            ))}
          </div>
        )}
      </Panel>
    </section>
  );
}

interface FigureCardProps extends Pick<RouteChartsProps, "time" | "name"> {
  readonly figure: RouteFigure;
  readonly timeline: HttpTimeline;
  readonly marked: MarkedChart;
}

function FigureCard({ figure, timeline, time, marked, name }: FigureCardProps) {
  const { title, detail, signal } = figure;
  const { service } = time.scope;
  const actions = (
    <div className="flex items-center gap-1">
      <AlertOnThis {...{ title, signal, service, timeline }} route={name} />
      {figure.figure && <AddToDashboard isIcon panels={lanePanels(service, [figure.figure], name)} />}
    </div>
  );
  return (
    <ChartCard title={title} detail={`${detail}, by ${timeline.interval_minutes} min`} actions={actions}>
      <HttpChart timeline={timeline} figure={figure} time={time} marked={marked} heightPx={180} />
    </ChartCard>
  );
}
