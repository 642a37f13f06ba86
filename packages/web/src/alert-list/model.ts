import type { Alert } from "@flamekeep/contract";
import { coresMeasure, type Measure, measureText } from "#format/measure.ts";
import { shortFunctionName } from "#format/names.ts";
import { namedSampleMeasure, sampleTypeLabel } from "#format/sample-value.ts";
import { betweenRange, type RangeSearch, searchOfRange } from "#time-range/view-range.ts";

export type Severity = "critical" | "warning" | "info" | "resolved";

/** Severity by percentage, the same on every page. Changes below the lower threshold are `info`. */
export function severityOf(alert: Pick<Alert, "status" | "percent_change">): Severity {
  if (alert.status === "resolved") return "resolved";
  const percent = Math.abs(alert.percent_change);
  if (percent >= 50) return "critical";
  return percent >= 20 ? "warning" : "info";
}

type AlertTimes = Pick<Alert, "timestamp" | "previous_range" | "current_range">;

/** The page of the alert's service and profile type, over the two ranges that were compared. */
export function alertPage(alert: Pick<Alert, "service" | "profile_type"> & AlertTimes) {
  return {
    to: "/profiles/service/$serviceName/$type",
    params: { serviceName: alert.service, type: alert.profile_type },
    search: alertRange(alert),
  } as const;
}

function alertRange({ timestamp, previous_range: before, current_range: after }: AlertTimes): RangeSearch {
  const toMs = Math.max(Date.parse(after.to), Date.parse(timestamp));
  const range = betweenRange(Date.parse(before.from), toMs);
  return range === undefined ? {} : searchOfRange(range);
}

export function byIncrease(alerts: readonly Alert[]): Alert[] {
  return alerts.toSorted((a, b) => b.increase - a.increase);
}

const perSecond = " per second";
const nanosecondsPerCore = 1e9;

/** The value that an alert compared, in a readable unit: CPU in cores, waiting per second, bytes, counts. */
export function alertMeasure(alert: Pick<Alert, "sample_type" | "unit">, value: number): Measure {
  const isRate = alert.unit.endsWith(perSecond);
  const unit = isRate ? alert.unit.slice(0, -perSecond.length) : alert.unit;
  const name = alert.sample_type.split("/")[0] ?? "";
  if (isRate && name === "cpu" && unit === "nanoseconds") return coresMeasure(value / nanosecondsPerCore);
  const measure = namedSampleMeasure(value, name, unit);
  return isRate ? { number: measure.number, unit: `${measure.unit}/s` } : measure;
}

type DescribedAlert = Pick<
  Alert,
  "sample_type" | "unit" | "previous_value" | "current_value" | "percent_change" | "functions" | "service"
>;

/** `In-use memory of catalog rose by 41.7 %, from 5.1 MiB to 7.2 MiB; catalog.retain grew most.` */
export function alertSentence(alert: DescribedAlert): string {
  const before = alertMeasure(alert, alert.previous_value);
  const after = alertMeasure(alert, alert.current_value);
  const from = before.unit === after.unit ? before.number : measureText(before);
  const name = sampleTypeLabel(alert.sample_type.split("/")[0] ?? "");
  const percent = alert.percent_change.toFixed(1);
  const [grown] = alert.functions;
  const cause = grown === undefined ? "" : `; ${shortFunctionName(grown.name)} grew most`;
  return `${name} of ${alert.service} rose by ${percent}\u00a0%, from ${from} to ${measureText(after)}${cause}.`;
}
