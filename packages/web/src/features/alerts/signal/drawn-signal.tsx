import {
  type Alert,
  type HttpTimeline,
  type HttpTimelinePoint,
  httpTimeline,
  serviceSeries,
  spanMs,
} from "@flamekeep/contract";
import { isFault, sinceText } from "@flamekeep/contract/alert-text";
import { minuteMs } from "@flamekeep/contract/durations";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { BeganTime } from "#alert-list/alert-parts.tsx";
import { alertName } from "#alert-list/model.ts";
import { alertMeasure } from "#alert-list/values.ts";
import { call } from "#api/call.ts";
import { typeColor } from "#charts/model/colours.ts";
import { sparklinePath } from "#charts/model/sparkline.ts";
import { measureText } from "#format/measure.ts";
import { clockTime } from "#format/time.ts";
import { useZone } from "#preferences/time-zone.ts";
import { tagQuery } from "#profile-series/series-query.ts";
import { ClockTime } from "#ui/content/values.tsx";
import { useMinute } from "#ui/hooks/use-now.ts";
import { type PlottedAlert, plotOf, type SignalPlot, seriesRange, signalPlot } from "./signal-series.ts";

interface DrawnSignalProps {
  readonly alert: Alert;
  readonly heightPx: number;
  /** Shows the times and the level before as text. */
  readonly hasAxis: boolean;
}

export function DrawnSignal({ alert, heightPx, hasAxis }: DrawnSignalProps) {
  const read = useSignalPlot(alert);
  if (read === undefined) return null;
  const { plot } = read;
  if (plot === undefined) {
    const missing = alert.signal === undefined ? "profiles" : "requests";
    return <p className="text-label text-muted">No {missing} are stored</p>;
  }
  return (
    <div className="flex flex-col gap-1">
      <Plot alert={alert} plot={plot} heightPx={heightPx} />
      {hasAxis && <Axis alert={alert} plot={plot} />}
    </div>
  );
}

const width = 100;

function Plot({ alert, plot, heightPx }: Omit<DrawnSignalProps, "hasAxis"> & { readonly plot: SignalPlot }) {
  const zone = useZone();
  const nowMs = useMinute();
  const { line, area, dots } = sparklinePath(plot.values, width, heightPx, { top: plot.top });
  const [before, after] = [alert.previous_value, alert.current_value].map((value) =>
    measureText(alertMeasure(alert, value)),
  );
  const reference = `${levelName(alert).toLowerCase()} ${before}`;
  const label = `${alertName(alert)} of ${alert.service}: ${reference}, ${after} since ${sinceText(alert, (at) => clockTime(at, nowMs, zone))}`;
  const type = alert.signal === undefined ? alert.profile_type : "metrics";
  const ink = alert.status === "open" ? `var(--${typeColor(type)})` : "var(--muted)";
  const changeX = width * plot.changeX;
  const baselineY = 1 + (heightPx - 2) * plot.baselineY;
  const sharp = { vectorEffect: "non-scaling-stroke" } as const;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${heightPx}`}
      preserveAspectRatio="none"
      className="block w-full"
      height={heightPx}
    >
      <title>{label}</title>
      <rect x={changeX} width={width - changeX} height={heightPx} className="fill-surface-2" />
      <path d={area} fill={ink} fillOpacity={0.12} />
      <path d={line} fill="none" stroke={ink} strokeWidth={1.5} strokeLinejoin="round" {...sharp} />
      <path d={dots} stroke={ink} strokeWidth={3} strokeLinecap="round" {...sharp} />
      <path
        data-part="baseline"
        d={`M0 ${baselineY}H${width}`}
        className="stroke-muted"
        strokeDasharray="3 3"
        {...sharp}
      />
      <path data-part="change" d={`M${changeX} 0V${heightPx}`} className="stroke-text" {...sharp} />
    </svg>
  );
}

function levelName({ rule }: Alert): "Threshold" | "Baseline" {
  return rule ? "Threshold" : "Baseline";
}

function changeName(alert: Alert): string {
  const { rule, began_at: beganAt } = alert;
  if (isFault(alert)) return "First seen";
  if (rule) return `${rule.comparison === "above" ? "Above" : "Below"} since`;
  return beganAt === null ? "Alert opened" : "Change at";
}

/** Start and end of the chart, and the legend of its dashed and its vertical line. */
function Axis({ alert, plot }: { readonly alert: Alert; readonly plot: SignalPlot }) {
  const level = measureText(alertMeasure(alert, alert.previous_value));
  return (
    <p className="flex flex-wrap justify-between gap-x-4 text-label text-muted">
      <ClockTime at={new Date(plot.fromMs).toISOString()} />
      <span className="flex flex-wrap gap-x-4 max-sm:order-last max-sm:basis-full">
        <span className="flex items-center gap-1.5">
          <i aria-hidden className="w-4 border-muted border-t-2 border-dashed" />
          {levelName(alert)} {level}
        </span>
        <span className="flex items-center gap-1.5">
          <i aria-hidden className="h-3 border-text border-l" />
          {changeName(alert)} <BeganTime alert={alert} />
        </span>
      </span>
      <ClockTime at={new Date(plot.toMs).toISOString()} />
    </p>
  );
}

/** Undefined while values are read; without a plot if none are stored. */
function useSignalPlot(alert: Alert): { readonly plot: SignalPlot | undefined } | undefined {
  const range = seriesRange(alert, useMinute());
  return useQuery({
    queryKey: ["signal-plot", alert.id, range.from, range.to],
    queryFn: async ({ signal }) => ({ plot: await plotIn(alert, range, signal) }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}

async function plotIn(
  alert: Alert,
  { from, to, bucket }: ReturnType<typeof seriesRange>,
  signal: AbortSignal,
): Promise<SignalPlot | undefined> {
  const { service, profile_type: type, sample_type } = alert;
  if (alert.signal === "silence" || alert.signal === "function") return undefined;
  if (alert.signal !== undefined) {
    const interval = intervalMinutes(alert, bucket);
    const include_statuses = String(alert.signal === "http_error_rate");
    const query = { from, to, interval, include_statuses, ...routeQuery(alert) };
    return requestPlot(alert, alert.signal, await call(httpTimeline, { params: { service }, query, signal }));
  }
  const query = { from, to, bucket, sample_type, ...tagQuery(alert.rule?.tags ?? {}) };
  return signalPlot(alert, await call(serviceSeries, { params: { service, type }, query, signal }));
}

type HttpSignal = Exclude<Alert["signal"], "silence" | "function" | undefined>;

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
function intervalMinutes({ route }: Pick<Alert, "route">, bucket: string): number {
  return Math.max(spanMs(bucket)! / minuteMs, route === undefined ? 1 : minutesOfRoute);
}

/** Method and path of a route; nothing for alerts about all requests of a service. */
function routeQuery({ route }: Pick<Alert, "route">): { method?: string; path?: string } {
  if (route === undefined) return {};
  const space = route.indexOf(" ");
  return { method: route.slice(0, space), path: route.slice(space + 1) };
}

/** Undefined if no request of the range is stored. The interval that is not over yet has no value. */
function requestPlot(
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
