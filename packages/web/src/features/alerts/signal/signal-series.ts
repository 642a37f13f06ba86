import { type Alert, alertSpan, type ServiceSeries, spanMs } from "@flamekeep/contract";
import { sinceOf } from "@flamekeep/contract/alert-text";
import { minuteMs } from "@flamekeep/contract/durations";
import { highest, type Values } from "#charts/model/series.ts";
import { bucketFor, joinBuckets, joinFactor } from "#profile-series/buckets.ts";
import { isoText, type RangeQuery } from "#time-range/view-range.ts";

/** The chart is small: a third of the points that the page of a service shows are enough. */
const coarser = 3;
/** The end of an open alert moves in such steps: each is a request. */
const stepMs = 5 * minuteMs;

type AlertTimes = Pick<Alert, "timestamp" | "began_at" | "resolved_at" | "previous_range" | "current_range">;

/** The range of the chart and the width of its buckets. */
export function seriesRange(alert: AlertTimes, nowMs: number): RangeQuery & { readonly bucket: string } {
  const { timestamp, resolved_at: resolvedAt, began_at: beganAt, previous_range: before } = alert;
  const times = {
    beganMs: Date.parse(beganAt ?? alert.current_range.from),
    openedMs: Date.parse(timestamp),
    resolvedMs: resolvedAt === null ? null : Date.parse(resolvedAt),
    comparedFromMs: Date.parse(before.from),
  };
  const { fromMs, toMs } = alertSpan(times, Math.floor(nowMs / stepMs) * stepMs);
  return { from: isoText(fromMs), to: isoText(toMs), bucket: bucketFor(coarser * (toMs - fromMs)) };
}

/** A chart in parts of its width and height, with 0 at the left and at the top. */
export interface SignalPlot {
  readonly values: Values;
  /** The largest value of the scale, which begins at 0. */
  readonly top: number;
  /** Height of the level before. */
  readonly baselineY: number;
  /** Where the rise began, otherwise where the alert opened. */
  readonly changeX: number;
  readonly fromMs: number;
  readonly toMs: number;
}

export type PlottedAlert = Pick<Alert, "previous_value" | "current_value" | "began_at" | "timestamp">;

const perSecond = " per second";
const msPerSecond = 1000;

/** The series in the unit of the alert's values. Undefined if no profile of the range is stored any more. */
export function signalPlot(
  alert: PlottedAlert & Pick<Alert, "unit">,
  series: ServiceSeries,
): SignalPlot | undefined {
  const [chart] = series.charts;
  if (chart?.lines[0] === undefined) return undefined;
  const widthMs = spanMs(series.bucket)!;
  const [startMs, endMs] = [Date.parse(series.from), Date.parse(series.to)];
  const requested = { fromMs: startMs, widthMs, count: (endMs - startMs) / widthMs };
  const { buckets, charts } = joinBuckets(requested, [chart], joinFactor(requested, [chart]));
  const line = charts[0]!.lines[0]!;
  const isRate = alert.unit.endsWith(perSecond);
  const values = line.values.map((value, at) => {
    if (value === null || !isRate) return value;
    const durationMs = line.durations_ms[at] ?? 0;
    return durationMs === 0 ? null : (msPerSecond * value) / durationMs;
  });
  const fromMs = buckets.fromMs;
  return plotOf(alert, values, { fromMs, toMs: fromMs + buckets.count * buckets.widthMs });
}

/** @param values of equal parts of the range, in the unit of the alert's values */
export function plotOf(
  alert: PlottedAlert,
  values: Values,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): SignalPlot {
  const top = Math.max(highest([values]), alert.previous_value, alert.current_value) || 1;
  const changeX = (Date.parse(sinceOf(alert)) - fromMs) / (toMs - fromMs);
  return {
    values,
    top,
    baselineY: 1 - alert.previous_value / top,
    changeX: Math.min(1, Math.max(0, changeX)),
    fromMs,
    toMs,
  };
}
