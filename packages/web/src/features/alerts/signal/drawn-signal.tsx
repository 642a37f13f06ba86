import { type Alert, serviceSeries } from "@flamekeep/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { alertName, sinceOf } from "#alert-list/model.ts";
import { alertMeasure } from "#alert-list/values.ts";
import { call } from "#api/call.ts";
import { sparklinePath } from "#charts/model/sparkline.ts";
import { measureText } from "#format/measure.ts";
import { clockTime } from "#format/time.ts";
import { useZone } from "#preferences/time-zone.ts";
import { tagQuery } from "#profile-series/series-query.ts";
import { ClockTime } from "#ui/content/values.tsx";
import { useMinute } from "#ui/hooks/use-now.ts";
import { type SignalPlot, seriesRange, signalPlot } from "./signal-series.ts";

interface DrawnSignalProps {
  readonly alert: Alert;
  readonly heightPx: number;
  /** Shows the times and the level before as text. */
  readonly hasAxis: boolean;
}

export function DrawnSignal({ alert, heightPx, hasAxis }: DrawnSignalProps) {
  const { service, profile_type: type, sample_type } = alert;
  const { from, to, bucket } = seriesRange(alert, useMinute());
  const { data } = useQuery({
    queryKey: ["signal-series", alert.id, from, to],
    queryFn: ({ signal }) =>
      call(serviceSeries, {
        params: { service, type },
        query: { from, to, bucket, sample_type, ...tagQuery(alert.rule?.tags ?? {}) },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const plot = data && signalPlot(alert, data);
  if (plot === undefined) {
    return data === undefined ? null : <p className="text-label text-muted">No profiles are stored</p>;
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
  const { line, area, dots } = sparklinePath(plot.values, width, heightPx, plot.top);
  const [before, after] = [alert.previous_value, alert.current_value].map((value) =>
    measureText(alertMeasure(alert, value)),
  );
  const reference = alert.rule ? `threshold ${before}` : `${before} before`;
  const label = `${alertName(alert)} of ${alert.service}: ${reference}, ${after} since ${clockTime(sinceOf(alert), nowMs, zone)}`;
  const ink = alert.status === "open" ? `var(--type-${alert.profile_type})` : "var(--muted)";
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

function beginningText({ rule, began_at: beganAt }: Alert): string {
  if (rule) return `${rule.comparison} it since`;
  return beganAt === null ? "alert opened" : "rise began";
}

/** Begin and end of the chart, and the meaning of its dashed and its vertical line. */
function Axis({ alert, plot }: { readonly alert: Alert; readonly plot: SignalPlot }) {
  const level = measureText(alertMeasure(alert, alert.previous_value));
  return (
    <p className="flex flex-wrap justify-between gap-x-4 text-label text-muted">
      <ClockTime at={new Date(plot.fromMs).toISOString()} />
      <span className="max-sm:order-last max-sm:basis-full">
        dashed: {alert.rule ? `threshold ${level}` : `${level} before`}; line: {beginningText(alert)}{" "}
        <ClockTime at={sinceOf(alert)} />
      </span>
      <ClockTime at={new Date(plot.toMs).toISOString()} />
    </p>
  );
}
