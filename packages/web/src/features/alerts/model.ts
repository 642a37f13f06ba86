import { type Alert, type Incident, type ProfileType, profileTypes } from "@flamekeep/contract";
import { sinceOf } from "@flamekeep/contract/alert-text";
import { byIncrease, severityOf } from "#alert-list/model.ts";
import { exactCount, plural } from "#format/number.ts";
import type { AlertSort } from "./search.ts";

/** A profile type, or `resolved` for resolved alerts. */
export type TypeFilter = ProfileType | "resolved";

export interface AlertFilter {
  readonly service?: string | undefined;
  readonly type?: TypeFilter | undefined;
}

export function filterAlerts(alerts: readonly Alert[], { service, type }: AlertFilter): Alert[] {
  return alerts.filter((alert) => {
    if (service !== undefined && alert.service !== service) return false;
    if (type === undefined) return true;
    return type === "resolved" ? alert.status === "resolved" : alert.profile_type === type;
  });
}

const severities = ["critical", "warning", "resolved"];

const comparisons: Record<AlertSort, (a: Alert, b: Alert) => number> = {
  // Of equal ones the highest increase is first, which is the order that they come in.
  increase: () => 0,
  severity: (a, b) => severities.indexOf(severityOf(a)) - severities.indexOf(severityOf(b)),
  service: (a, b) => a.service.localeCompare(b.service),
  type: (a, b) => profileTypes.indexOf(a.profile_type) - profileTypes.indexOf(b.profile_type),
  since: (a, b) => sinceOf(b).localeCompare(sinceOf(a)),
};

export function sortAlerts(alerts: readonly Alert[], sort: AlertSort, isReversed: boolean): Alert[] {
  const sorted = byIncrease(alerts).sort(comparisons[sort]);
  return isReversed ? sorted.reverse() : sorted;
}

/** An incident with the signals that a filter lets through, in the order of the list. */
export interface ShownIncident {
  readonly incident: Incident;
  readonly signals: readonly Alert[];
}

export interface ListOrder {
  readonly sort: AlertSort;
  readonly isReversed: boolean;
}

/** Each incident is at the place of its first signal in the order of all alerts. */
export function shownIncidents(
  incidents: readonly Incident[],
  filter: AlertFilter,
  { sort, isReversed }: ListOrder,
): ShownIncident[] {
  const byId = new Map(incidents.map((incident) => [incident.id, incident]));
  const alerts = filterAlerts(signalsOf(incidents), filter);
  const groups = Map.groupBy(sortAlerts(alerts, sort, isReversed), (alert) => alert.incident_id);
  return [...groups].flatMap(([id, signals]) => {
    const incident = byId.get(id);
    return incident === undefined ? [] : [{ incident, signals }];
  });
}

export function signalsOf(incidents: readonly Incident[]): Alert[] {
  return incidents.flatMap(({ signals }) => signals);
}

/** `3 signals`, or `1 of 3 signals` if a filter hides the others. Undefined for a single one. */
export function signalCountText({ incident, signals }: ShownIncident): string | undefined {
  const all = plural(incident.signals.length, "signal");
  if (signals.length < incident.signals.length) return `${exactCount(signals.length)} of ${all}`;
  return signals.length === 1 ? undefined : all;
}

/** `12 alerts in 5 incidents`, `2 of 12 alerts`: what the list shows of what was read. */
export function countText(
  incidents: readonly Incident[],
  shown: readonly ShownIncident[],
  isComplete: boolean,
): string {
  const count = signalsOf(incidents).length;
  const shownCount = shown.reduce((sum, { signals }) => sum + signals.length, 0);
  const loaded = isComplete ? plural(count, "alert") : `newest ${exactCount(count)} alerts`;
  if (shownCount < count) return `${exactCount(shownCount)} of ${loaded}`;
  return count === incidents.length ? loaded : `${loaded} in ${plural(incidents.length, "incident")}`;
}

/** Said after the number of alerts. */
export const alertSortTexts: Record<AlertSort, readonly [first: string, reversed: string]> = {
  increase: ["highest increase first", "lowest increase first"],
  severity: ["most severe first", "least severe first"],
  service: ["by service", "by service from Z"],
  type: ["by type", "by type, last first"],
  since: ["newest first", "oldest first"],
};

export interface FilterValues {
  readonly services: readonly string[];
  readonly types: readonly TypeFilter[];
}

/** Values to filter the loaded alerts by, including the chosen ones, which can come from a link. */
export function filterValues(alerts: readonly Alert[], chosen: AlertFilter): FilterValues {
  const services = new Set(alerts.map((alert) => alert.service));
  if (chosen.service !== undefined) services.add(chosen.service);
  const types = new Set<TypeFilter>(alerts.map((alert) => alert.profile_type));
  if (alerts.some((alert) => alert.status === "resolved")) types.add("resolved");
  if (chosen.type !== undefined) types.add(chosen.type);
  return {
    services: [...services].sort((a, b) => a.localeCompare(b)),
    types: [...profileTypes, "resolved" as const].filter((type) => types.has(type)),
  };
}

export interface AlertTally {
  readonly total: number;
  /** Open and not muted. */
  readonly open: number;
  readonly muted: number;
  readonly critical: readonly Alert[];
  readonly warnings: readonly Alert[];
  readonly resolved: readonly Alert[];
}

/** Muted alerts are not open: they count only in the total. */
export function tallyAlerts(alerts: readonly Alert[]): AlertTally {
  const open = alerts.filter((alert) => alert.status === "open" && !alert.is_muted);
  const resolved = alerts.filter((alert) => alert.status === "resolved");
  return {
    total: alerts.length,
    open: open.length,
    muted: alerts.length - open.length - resolved.length,
    critical: open.filter((alert) => severityOf(alert) === "critical"),
    warnings: open.filter((alert) => severityOf(alert) === "warning"),
    resolved,
  };
}

/** Time of the latest resolution. */
export function lastResolved(resolved: readonly Alert[]): string | undefined {
  return resolved
    .map((alert) => alert.resolved_at ?? "")
    .sort()
    .at(-1);
}
