/** How messages and coding agents read what an alert is about. */
import { type Alert, profileTypeEntry } from "@flamekeep/contract";
import { risenFunction } from "@flamekeep/contract/alert-text";
import { formatValue } from "@flamekeep/flame/format-value";
import { categoryOf, deferWrapper } from "@flamekeep/profile";

const signalNames = {
  http_p95: "p95",
  http_error_rate: "error rate",
  http_request_rate: "request rate",
  silence: "uploads",
} as const;

/** `CPU`, `p95 of GET /checkout`, `CPU of main.priceCart` */
export function measured(alert: Alert): string {
  const { profile_type: type, sample_type: sampleType, signal, route } = alert;
  if (signal === "function") return `${measured({ ...alert, signal: undefined })} of ${risenFunction(alert)}`;
  if (signal !== undefined) return signalNames[signal] + (route === undefined ? "" : ` of ${route}`);
  const { alerts = [] } = profileTypeEntry(type);
  const watched = alerts.find((each) => each.sampleType === sampleType)?.name ?? alerts[0]?.name;
  return watched ?? nameOf(sampleType);
}

/** Programs name their own types like `shop/open_carts/count`. */
function nameOf(sampleType: string): string {
  return sampleType.slice(0, sampleType.lastIndexOf("/")).replaceAll("_", " ");
}

const perSecond = " per second";

/** A value of an alert with its unit: `1.2 cores`, `17.6 ms`, `12 goroutines`. */
export function quantity(
  value: number,
  { profile_type: type, unit, signal }: Pick<Alert, "profile_type" | "unit" | "signal">,
): string {
  if (signal === "http_p95") return formatValue(value * 1e9, "nanoseconds");
  if (signal === "http_error_rate") return percent(100 * value, 1);
  if (signal === "http_request_rate") return `${formatValue(value, "count")} requests each second`;
  if (signal === "silence") return `${formatValue(value, "count")} uploads an hour`;
  if (type === "cpu") {
    const cores = formatValue(value / 1e9, "count");
    return `${cores} ${cores === "1" ? "core" : "cores"}`;
  }
  const { kind, sample } = profileTypeEntry(type);
  if (kind === "gauge") return `${formatValue(value, "count")} ${value === 1 ? sample : `${sample}s`}`;
  if (!unit.endsWith(perSecond)) return formatValue(value, unit);
  return `${formatValue(value, unit.slice(0, -perSecond.length))} each second`;
}

/** Functions that nobody can change tell nothing next to those that call them. */
export function isOfCode(name: string): boolean {
  return categoryOf(name) !== "runtime" && !deferWrapper.test(name);
}

/** Where an incident is handled. */
export function incidentAddress(id: string, publicUrl: string): string {
  return `${publicUrl}/alerts?${new URLSearchParams({ incident: id })}`;
}

export function percent(value: number, decimals: number): string {
  return `${value.toFixed(decimals)}%`;
}
