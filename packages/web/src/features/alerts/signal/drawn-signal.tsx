import { type Alert, isFault, sinceText } from "@flamekeep/contract";
import { BeganTime } from "#alert-list/alert-parts.tsx";
import { alertName } from "#alert-list/model.ts";
import { alertMeasure } from "#alert-list/values.ts";
import { typeColor } from "#charts/colours.ts";
import { sparklinePath } from "#charts/model/sparkline.ts";
import { measureText } from "#format/measure.ts";
import { clockTime } from "#format/time.ts";
import { useZone } from "#preferences/time-zone.ts";
import { ClockTime } from "#ui/content/values.tsx";
import { useMinute } from "#ui/hooks/use-now.ts";
import type { SignalPlot } from "./signal-series.ts";
import { useSignalPlot } from "./use-signal-plot.ts";

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
  const { line, area, dots } = sparklinePath(plot.values, width, heightPx, plot.top);
  const [before, after] = [alert.previous_value, alert.current_value].map((value) =>
    measureText(alertMeasure(alert, value)),
  );
  const reference = alert.rule ? `threshold ${before}` : `${before} before`;
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

function beginningText(alert: Alert): string {
  const { rule, began_at: beganAt } = alert;
  if (isFault(alert)) return "first seen";
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
        <BeganTime alert={alert} />
      </span>
      <ClockTime at={new Date(plot.toMs).toISOString()} />
    </p>
  );
}
