import type { Alert } from "@flamekeep/contract";
import { coresMeasure, durationMeasure, type Measure } from "#format/measure.ts";
import { namedSampleMeasure } from "#format/sample-value.ts";

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
