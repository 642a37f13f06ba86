import { useQuery } from "@tanstack/react-query";
import { AlertOnThis } from "#project/parts/alert-on-this.tsx";
import { ChartCard, Charts } from "#project/parts/charts.tsx";
import type { ProjectTime } from "#project/parts/project-time.ts";
import { httpTimelineQuery } from "#project/parts/queries.ts";
import type { RequestSignal } from "#project/parts/rule-fields.ts";
import { HttpChart, type HttpFigure } from "./http-chart.tsx";
import { errorSeries, latencySeries, rateSeries, statusSeries } from "./series.ts";

const intervalMin = 5;

interface RequestFigure extends HttpFigure {
  readonly detail: string;
  /** The signal of a rule about it. */
  readonly signal?: RequestSignal;
}

const figures: readonly RequestFigure[] = [
  {
    title: "Request Rate",
    detail: "Requests per second",
    unit: "perSecond",
    signal: "http_request_rate",
    series: (timeline) => [rateSeries(timeline)],
  },
  {
    title: "Response Time",
    detail: "Average and percentiles",
    unit: "milliseconds",
    signal: "http_p95",
    series: latencySeries,
  },
  {
    title: "Status Codes",
    detail: "Requests by status class",
    unit: "count",
    isStacked: true,
    series: statusSeries,
  },
  {
    title: "Error Rate",
    detail: "Requests with status 400 or above",
    unit: "percent",
    signal: "http_error_rate",
    series: (timeline) => [errorSeries(timeline)],
  },
];

/** Requests in buckets of five minutes, or wider ones where a range would have too many. */
export function RequestCharts({ time }: { readonly time: ProjectTime }) {
  const query = useQuery(httpTimelineQuery(time.scope, intervalMin));
  return (
    <Charts
      label="Requests"
      query={query}
      errorTitle="Failed to load HTTP metrics. Please try again later."
      isEmpty={({ summary }) => summary.total_requests === 0}
      emptyTitle="No HTTP metrics data available"
    >
      {(timeline) =>
        figures.map((figure) => (
          <ChartCard
            key={figure.title}
            title={figure.title}
            detail={`${figure.detail}, by ${timeline.interval_minutes} minutes`}
            actions={
              figure.signal && (
                <AlertOnThis
                  {...{ title: figure.title, signal: figure.signal, service: time.scope.service, timeline }}
                />
              )
            }
          >
            <HttpChart timeline={timeline} figure={figure} time={time} />
          </ChartCard>
        ))
      }
    </Charts>
  );
}
