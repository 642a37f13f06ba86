/** The text of a digest from the alerts of its time. Pure. */
import type { Alert, Incident } from "@flamekeep/contract";
import { sinceText } from "@flamekeep/contract/alert-text";
import type { Message } from "#alerts/channels/message.ts";
import { minuteText, placeText, riseText } from "#alerts/channels/signal-text.ts";
import { toIncident } from "#alerts/incidents/present.ts";

interface Period {
  readonly from: string;
  readonly to: string;
}

interface Summary {
  readonly opened: readonly Incident[];
  readonly resolved: readonly Incident[];
  /** Alerts that opened before the period. */
  readonly stillOpen: readonly Incident[];
  /** The largest rises of all of them. */
  readonly largest: readonly Alert[];
}

const largestMax = 5;
/** A chat message is cut off after some thousand characters. */
const listedMax = 10;

/**
 * Takes all alerts that opened before the end of the period and were not resolved before its beginning, in the order in which they
 * opened; muted ones do not count.
 */
export function summaryOf(alerts: readonly Alert[], { from, to }: Period): Summary {
  const audible = alerts.filter((alert) => !alert.is_muted).map((alert) => asOf(to, alert));
  const incidents = [...Map.groupBy(audible, ({ incident_id: id }) => id)].map(([id, signals]) =>
    toIncident(id, signals, { assignee: undefined, commentCount: 0 }),
  );
  const isWithin = (at: string | null) => at !== null && at >= from && at < to;
  const opened = incidents.filter(({ timestamp }) => isWithin(timestamp));
  const resolved = incidents.filter(({ resolved_at: at }) => isWithin(at));
  const stillOpen = incidents.filter((incident) => isOpen(incident) && !opened.includes(incident));
  const largest = [...opened, ...stillOpen]
    .flatMap(({ signals }) => signals)
    .toSorted((a, b) => b.increase - a.increase)
    .slice(0, largestMax);
  return { opened, resolved, stillOpen, largest };
}

/** An alert that was resolved later was open at this time. */
function asOf(at: string, alert: Alert): Alert {
  if (alert.resolved_at !== null && alert.resolved_at < at) return alert;
  return { ...alert, status: "open", resolved_at: null };
}

function isOpen({ status }: Incident): boolean {
  return status === "open";
}

/** Whether no incident opened, was resolved or is open. */
export function isEmpty({ opened, resolved, stillOpen }: Summary): boolean {
  return opened.length + resolved.length + stillOpen.length === 0;
}

export function digestMessage(
  summary: Summary,
  period: Period & { readonly frequency: "daily" | "weekly" },
  publicUrl: string,
): Message {
  const { opened, resolved, stillOpen } = summary;
  const open = [...stillOpen, ...opened].filter(isOpen).length;
  const counts = [
    `${opened.length} ${opened.length === 1 ? "incident" : "incidents"} opened`,
    `${resolved.length} resolved`,
    `${open} open`,
  ];
  const name = period.frequency === "daily" ? "Daily digest" : "Weekly digest";
  const text = [
    `From ${minuteText(period.from)} to ${minuteText(period.to)}.`,
    ...(isEmpty(summary) ? ["No incidents opened, resolved or still open."] : []),
    ...listed("Opened", opened),
    ...listed("Resolved", resolved),
    ...listed("Still open", stillOpen),
    ...largestLines(summary.largest),
  ].join("\n");
  return {
    event: "digest",
    title: `${name}: ${counts.join(", ")}`,
    text,
    link: `${publicUrl}/alerts`,
    incident_link: null,
    alert: null,
    incident: null,
  };
}

function listed(title: string, incidents: readonly Incident[]): string[] {
  if (incidents.length === 0) return [];
  const more = incidents.length - listedMax;
  return [
    "",
    `${title} (${incidents.length}):`,
    ...incidents.slice(0, listedMax).map((incident) => `- ${incidentText(incident)}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ];
}

/** `checkout: CPU up 42.0%, memory in use up 95.0%, since 2026-11-20 12:00 UTC, open` */
function incidentText(incident: Incident): string {
  const { service, signals, resolved_at: at } = incident;
  const end = at === null ? "open" : `resolved at ${minuteText(at)}`;
  return `${service}: ${signals.map(riseText).join(", ")}, since ${sinceText(incident, minuteText)}, ${end}`;
}

function largestLines(alerts: readonly Alert[]): string[] {
  if (alerts.length === 0) return [];
  return [
    "",
    "Largest increases:",
    ...alerts.map((alert) => `- ${alert.service}: ${riseText(alert)}${causeText(alert)}`),
  ];
}

function causeText({ culprit, signal }: Alert): string {
  if (culprit === undefined || signal === "function") return "";
  return `, ${Math.round(100 * culprit.share)}% of it in ${culprit.name}${placeText(culprit)}`;
}
