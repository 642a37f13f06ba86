import { type Alert, type HttpTimeline, type HttpTimelinePoint, spanMs } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { type PlottedAlert, plotOf, type SignalPlot } from "./signal-series.ts";

type HttpSignal = NonNullable<Alert["signal"]>;

/** The values of an alert about requests, in its unit: seconds, the fraction of requests with status 5xx, requests per second. */
const signalValue: Readonly<Record<HttpSignal, (point: HttpTimelinePoint) => number | null>> = {
  http_p95: ({ p95_duration_ms }) => (p95_duration_ms === null ? null : p95_duration_ms / 1000),
  http_error_rate: ({ request_count, status_counts }) =>
    request_count === 0 ? null : (status_counts?.["5xx"] ?? 0) / request_count,
  http_request_rate: ({ throughput_rps }) => throughput_rps,
};

/** An alert about one route compares values of ten minutes; a rule compares values of each minute. */
const minutesOfRoute = 10;

/** The length of an interval of the chart: at least the length of a value that the alert compares. */
export function intervalMinutes({ route }: Pick<Alert, "route">, bucket: string): number {
  return Math.max(spanMs(bucket)! / minuteMs, route === undefined ? 1 : minutesOfRoute);
}

/** Method and path of a route; nothing for alerts about all requests of a service. */
export function routeQuery({ route }: Pick<Alert, "route">): { method?: string; path?: string } {
  if (route === undefined) return {};
  const space = route.indexOf(" ");
  return { method: route.slice(0, space), path: route.slice(space + 1) };
}

/** Undefined if no request of the range is stored. The interval that is not over yet has no value. */
export function requestPlot(
  alert: PlottedAlert,
  signal: HttpSignal,
  { data_points, summary, interval_minutes, complete_to, ...span }: HttpTimeline,
): SignalPlot | undefined {
  if (summary.total_requests === 0) return undefined;
  const completeMs = Date.parse(complete_to) - interval_minutes * minuteMs;
  const values = data_points.map((point) =>
    Date.parse(point.timestamp) > completeMs ? null : signalValue[signal](point),
  );
  return plotOf(alert, values, { fromMs: Date.parse(span.from), toMs: Date.parse(span.to) });
}
