import { type Alert, alertComparisonSearch } from "@flamekeep/contract";

/** The comparison of the range before with the worse one, in which the culprit is selected. Undefined without one. */
export function comparisonLink(alert: Alert, publicUrl: string): string | undefined {
  if (alert.culprit === undefined) return undefined;
  return `${publicUrl}/compare?${new URLSearchParams(alertComparisonSearch(alert))}`;
}

/** The incident with its signals, where it is acknowledged, assigned and commented on. */
export function incidentLink(id: string, publicUrl: string): string {
  return `${publicUrl}/alerts?${new URLSearchParams({ incident: id })}`;
}
