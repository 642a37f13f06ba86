import { type Alert, alertSpan } from "@flamekeep/contract";
import { coresMeasure, durationMeasure, type Measure, measureText } from "#format/measure.ts";
import { shortFunctionName } from "#format/names.ts";
import { percentText } from "#format/number.ts";
import { namedSampleMeasure, sampleTypeLabel } from "#format/sample-value.ts";
import { betweenRange, type RangeSearch, searchOfRange } from "#time-range/view-range.ts";

export type Severity = Alert["severity"] | "resolved";

/** The server's severity, or that it is over. */
export function severityOf({ status, severity }: Pick<Alert, "status" | "severity">): Severity {
  return status === "resolved" ? "resolved" : severity;
}

type AlertTimes = Pick<Alert, "timestamp" | "began_at" | "resolved_at" | "previous_range" | "current_range">;

/** The page of the alert's service and profile type, over the time that shows the rise. */
export function alertPage(alert: Pick<Alert, "service" | "profile_type"> & AlertTimes, nowMs: number) {
  return {
    to: "/profiles/service/$serviceName/$type",
    params: { serviceName: alert.service, type: alert.profile_type },
    search: { ...alertRange(alert, nowMs), since: sinceOf(alert) },
  } as const;
}

/** The comparison of the two ranges that an alert compared, in which its culprit is selected. */
export function alertComparison({
  service,
  profile_type: type,
  sample_type,
  culprit,
  previous_range: before,
  current_range: after,
}: Pick<Alert, "service" | "profile_type" | "sample_type" | "culprit" | "previous_range" | "current_range">) {
  const ranges = {
    before_from: before.from,
    before_to: before.to,
    after_from: after.from,
    after_to: after.to,
  };
  const selected = culprit && { fn: culprit.name };
  return { to: "/compare", search: { service, type, sample_type, ...ranges, ...selected } } as const;
}

/** When the rise began, otherwise when the alert opened. */
export function sinceOf({ began_at, timestamp }: Pick<Alert, "began_at" | "timestamp">): string {
  return began_at ?? timestamp;
}

function alertRange(alert: AlertTimes, nowMs: number): RangeSearch {
  const { timestamp, began_at, resolved_at, previous_range: before, current_range: after } = alert;
  const times = {
    beganMs: Date.parse(began_at ?? after.from),
    openedMs: Date.parse(timestamp),
    resolvedMs: resolved_at === null ? null : Date.parse(resolved_at),
    comparedFromMs: Date.parse(before.from),
  };
  const { fromMs, toMs } = alertSpan(times, nowMs);
  const range = betweenRange(fromMs, toMs);
  return range === undefined ? {} : searchOfRange(range);
}

export function byIncrease(alerts: readonly Alert[]): Alert[] {
  return alerts.toSorted((a, b) => b.increase - a.increase);
}

const perSecond = " per second";
const nanosecondsPerCore = 1e9;
const nanosecondsPerSecond = 1e9;

/** The value that an alert compared, in a readable unit: CPU in cores, waiting per second, bytes, counts. */
export function alertMeasure(alert: Pick<Alert, "sample_type" | "unit" | "signal">, value: number): Measure {
  if (alert.signal === "http_p95") return durationMeasure(value * nanosecondsPerSecond);
  if (alert.signal === "http_error_rate") return { number: (100 * value).toFixed(1), unit: "%" };
  const isRate = alert.unit.endsWith(perSecond);
  const unit = isRate ? alert.unit.slice(0, -perSecond.length) : alert.unit;
  const name = alert.sample_type.split("/")[0] ?? "";
  if (isRate && name === "cpu" && unit === "nanoseconds") return coresMeasure(value / nanosecondsPerCore);
  // Counts are means of several profiles, but nobody counts in parts of a goroutine.
  const measure = namedSampleMeasure(unit === "count" ? Math.round(value) : value, name, unit);
  return isRate ? { number: measure.number, unit: `${measure.unit}/s` } : measure;
}

type DescribedAlert = Pick<
  Alert,
  | "signal"
  | "route"
  | "sample_type"
  | "unit"
  | "previous_value"
  | "current_value"
  | "percent_change"
  | "culprit"
  | "functions"
  | "service"
>;

const signalNames = { http_p95: "p95", http_error_rate: "Error rate" } as const;

/** The name of the measured values: `CPU time`, or `p95 of GET /checkout`. */
export function alertName({ sample_type, signal, route }: Pick<Alert, "sample_type" | "signal" | "route">) {
  if (signal !== undefined) return `${signalNames[signal]} of ${route}`;
  return sampleTypeLabel(sample_type.split("/")[0] ?? "");
}

/** `In-use memory of catalog rose by 41.7%, from 5.1 MB to 7.2 MB; catalog.retain grew most.` */
export function alertSentence(alert: DescribedAlert): string {
  const before = alertMeasure(alert, alert.previous_value);
  const after = alertMeasure(alert, alert.current_value);
  const from = before.unit === after.unit ? before.number : measureText(before);
  const name = alertName(alert);
  const percent = percentText(alert.percent_change);
  const grown = alert.culprit ?? alert.functions[0];
  const cause = grown === undefined ? "" : `; ${shortFunctionName(grown.name)} grew most`;
  return `${name} ${alert.signal === undefined ? "of" : "in"} ${alert.service} rose by ${percent}, from ${from} to ${measureText(after)}${cause}.`;
}
