import { type Alert, alertComparisonSearch, alertSpan, httpRouteOf } from "@flamekeep/contract";
import { risenFunction, silenceText, sinceOf } from "@flamekeep/contract/alert-text";
import { shortFunctionName } from "@flamekeep/flame/without-graph";
import { capitalized } from "#format/names.ts";
import { sampleTypeLabel } from "#format/sample-value.ts";
import { betweenRange, type RangeSearch, searchOfRange } from "#time-range/view-range.ts";

export type Severity = Alert["severity"] | "resolved";

/** The server's severity, or that it is over. */
export function severityOf({ status, severity }: Pick<Alert, "status" | "severity">): Severity {
  return status === "resolved" ? "resolved" : severity;
}

type AlertTimes = Pick<Alert, "timestamp" | "began_at" | "resolved_at" | "previous_range" | "current_range">;

/** The requests that an alert is about, over the time that shows the rise: those of its route, or all of the service. */
export function alertRequests(alert: Pick<Alert, "service" | "route"> & AlertTimes, nowMs: number) {
  const params = { projectId: alert.service };
  const range = alertRange(alert, nowMs);
  if (alert.route === undefined)
    return { to: "/projects/$projectId", params, search: range, hash: "http" } as const;
  const { method, path } = httpRouteOf(alert.route);
  const search = { ...range, path, ...(method !== "" && { method }) };
  return { to: "/projects/$projectId/route", params, search } as const;
}

/** The page of the alert's service and profile type, or of its route, over the time that shows the rise. */
export function alertPage(
  alert: Pick<Alert, "service" | "profile_type" | "signal" | "route"> & AlertTimes,
  nowMs: number,
) {
  if (alert.signal === "silence") return { to: "/senders", search: { service: alert.service } } as const;
  if (isOfRequests(alert)) return alertRequests(alert, nowMs);
  return {
    to: "/profiles/service/$serviceName/$type",
    params: { serviceName: alert.service, type: alert.profile_type },
    search: { ...alertRange(alert, nowMs), since: sinceOf(alert) },
  } as const;
}

/** The comparison of the two ranges that an alert compared, in which its culprit is selected. */
export function alertComparison(alert: Parameters<typeof alertComparisonSearch>[0]) {
  return { to: "/compare", search: alertComparisonSearch(alert) } as const;
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

const signalNames = {
  http_p95: "p95",
  http_error_rate: "Error rate",
  http_request_rate: "Request rate",
} as const;

type NamedAlert = Pick<Alert, "sample_type" | "signal" | "route"> &
  Partial<Pick<Alert, "culprit" | "functions">>;

/** The name of the measured values: `CPU time`, `p95 of GET /checkout`, or `CPU time of pricing.Seal`. */
export function alertName(alert: NamedAlert): string {
  const { sample_type, signal, route } = alert;
  if (signal === "silence") return capitalized(silenceText({ sample_type }));
  const values = sampleTypeLabel(sample_type.split("/")[0] ?? "");
  if (signal === "function") return `${values} of ${shortFunctionName(risenFunction(alert))}`;
  if (signal !== undefined) return signalNames[signal] + (route ? ` of ${route}` : "");
  return values;
}

/** Whether the values of an alert are of profiles: of a whole series, or of functions. */
export function isOfProfiles({ signal }: Pick<Alert, "signal">): boolean {
  return signal === undefined || signal === "function";
}

/** Whether the values of an alert are of HTTP requests. */
export function isOfRequests({ signal }: Pick<Alert, "signal">): boolean {
  return signal !== "silence" && !isOfProfiles({ signal });
}
