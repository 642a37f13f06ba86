import { type Alert, alertComparisonSearch, alertSpan } from "@flamekeep/contract";
import { hourMs } from "@flamekeep/contract/durations";

/** The comparison of the range before with the worse one, in which the culprit is selected. Undefined without one. */
export function comparisonLink(alert: Alert, publicUrl: string): string | undefined {
  if (alert.culprit === undefined) return undefined;
  return `${publicUrl}/compare?${new URLSearchParams(alertComparisonSearch(alert))}`;
}

/**
 * The page of the alert's service and profile type, over the time that shows the rise. It ends an hour after the alert
 * opened, because nobody opens the link at once.
 */
export function alertLink(alert: Alert, publicUrl: string): string {
  const { service, profile_type: type, previous_range: before, current_range: after } = alert;
  const openedMs = Date.parse(alert.timestamp);
  const resolvedMs = alert.resolved_at === null ? null : Date.parse(alert.resolved_at);
  const beganMs = Date.parse(alert.began_at ?? after.from);
  const times = { beganMs, openedMs, resolvedMs, comparedFromMs: Date.parse(before.from) };
  const { fromMs, toMs } = alertSpan(times, (resolvedMs ?? openedMs) + hourMs);
  const range = new URLSearchParams({
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    since: alert.began_at ?? alert.timestamp,
  });
  return `${publicUrl}/profiles/service/${encodeURIComponent(service)}/${type}?${range}`;
}
