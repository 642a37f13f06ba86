import type { Alert } from "@flamekeep/contract";
import { growthAmount, serviceChangeText, silenceText, timesText } from "@flamekeep/contract/alert-text";
import { shortFunctionName } from "@flamekeep/flame/without-graph";
import { coresMeasure, durationMeasure, type Measure, measureText, threeDigits } from "#format/measure.ts";
import { changeMeasure, percentText } from "#format/number.ts";
import { namedSampleMeasure } from "#format/sample-value.ts";
import { alertName } from "./model.ts";

const perSecond = " per second";
const nanosecondsPerCore = 1e9;
const nanosecondsPerSecond = 1e9;

/** The value that an alert compared, in a readable unit: CPU in cores, waiting per second, bytes, counts. */
export function alertMeasure(alert: Pick<Alert, "sample_type" | "unit" | "signal">, value: number): Measure {
  if (alert.signal === "http_p95") return durationMeasure(value * nanosecondsPerSecond);
  if (alert.signal === "http_error_rate") return { number: (100 * value).toFixed(1), unit: "%" };
  if (alert.signal === "silence") return { number: threeDigits(value), unit: "/h" };
  const isRate = alert.unit.endsWith(perSecond);
  const unit = isRate ? alert.unit.slice(0, -perSecond.length) : alert.unit;
  const name = alert.sample_type.split("/")[0] ?? "";
  if (isRate && name === "cpu" && unit === "nanoseconds") return coresMeasure(value / nanosecondsPerCore);
  // Counts are means of several profiles, but nobody counts in parts of a goroutine.
  const measure = namedSampleMeasure(unit === "count" ? Math.round(value) : value, name, unit);
  return isRate ? { number: measure.number, unit: `${measure.unit}/s` } : measure;
}

/** How much an alert's value rose: `+69.4%`. Where there was nothing before, the value itself. */
export function alertChange(
  alert: Pick<
    Alert,
    "sample_type" | "unit" | "signal" | "previous_value" | "current_value" | "percent_change"
  >,
): Measure {
  return alert.previous_value === 0
    ? alertMeasure(alert, alert.current_value)
    : changeMeasure(alert.percent_change);
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
  | "growth_per_hour"
  | "culprit"
  | "functions"
  | "service"
  | "service_increase"
  | "rule"
>;

/** For rules `In-use memory of catalog was above 2 GB: 2.4 GB.`, otherwise `In-use memory of catalog rose by 41.7%, from 5.1 MB to 7.2 MB; catalog.retain grew most.` */
export function alertSentence(alert: DescribedAlert): string {
  const before = alertMeasure(alert, alert.previous_value);
  const after = alertMeasure(alert, alert.current_value);
  const from = before.unit === after.unit ? before.number : measureText(before);
  const name = `${alertName(alert)} ${alert.signal === undefined ? "of" : "in"} ${alert.service}`;
  if (alert.signal === "silence") return `${alert.service} ${silenceText(alert)}.`;
  if (alert.signal === "function") return `${functionSentence(alert, from, measureText(after))}.`;
  if (alert.rule) return `${name} was ${alert.rule.condition}: ${measureText(after)}.`;
  const grown = alert.culprit ?? alert.functions[0];
  const cause = grown === undefined ? "" : `; ${shortFunctionName(grown.name)} grew most`;
  if (alert.previous_value === 0)
    return `${name}: ${measureText(after)}${cause.replace("grew most", "has most")}.`;
  const percent = percentText(alert.percent_change);
  return `${name} rose by ${percent}, from ${from} to ${measureText(after)}${growthText(alert)}${cause}.`;
}

/** `CPU time of pricing.Seal in checkout rose to 2.1 times the value before, from 0.12 to 0.25 cores, while checkout as a whole did not change` */
function functionSentence(alert: DescribedAlert, from: string, to: string): string {
  const { previous_value: before, current_value: after } = alert;
  const rise = `rose to ${timesText(after, before)} the value before, from ${from} to ${to}`;
  return `${alertName(alert)} in ${alert.service} ${rise}, ${serviceChangeText(alert)}`;
}

/** Empty if values rose once. */
function growthText(alert: DescribedAlert): string {
  const amount = growthAmount(alert, (value) => measureText(alertMeasure(alert, value)));
  return amount === undefined ? "" : `, and grows by ${amount}`;
}
