/** The text of a digest from the alerts of its time. Pure. */
import { type Alert, sinceText } from "@flamekeep/contract";
import type { Message } from "#alerts/channels/message.ts";
import { placeText, riseText } from "#alerts/channels/signal-text.ts";
import { minuteText } from "#alerts/channels/times.ts";
import { beginningOf } from "#alerts/incidents/present.ts";

export interface Period {
  readonly from: string;
  readonly to: string;
}

interface Incident {
  readonly id: string;
  readonly service: string;
  /** In the order in which they opened. */
  readonly signals: readonly Alert[];
  readonly isOpen: boolean;
  readonly openedAt: string;
  readonly resolvedAt: string | undefined;
}

interface Summary {
  readonly opened: readonly Incident[];
  readonly resolved: readonly Incident[];
  /** Those that opened before the period. */
  readonly stillOpen: readonly Incident[];
  /** The largest rises of all of them. */
  readonly largest: readonly Alert[];
}

const largestMax = 5;
/** A chat message is cut off after some thousand characters. */
const listedMax = 10;

/** Takes all alerts that opened before the end of the period and were not resolved before its beginning; muted ones do not count. */
export function summaryOf(alerts: readonly Alert[], { from, to }: Period): Summary {
  const audible = alerts.filter((alert) => !alert.is_muted);
  const incidents = [...Map.groupBy(audible, ({ incident_id: id }) => id)]
    .map(([id, signals]) => toIncident(id, signals, to))
    .toSorted((a, b) => a.openedAt.localeCompare(b.openedAt));
  const isWithin = (at: string | undefined) => at !== undefined && at >= from && at < to;
  const opened = incidents.filter(({ openedAt }) => isWithin(openedAt));
  const resolved = incidents.filter(({ isOpen, resolvedAt }) => !isOpen && isWithin(resolvedAt));
  const stillOpen = incidents.filter((incident) => incident.isOpen && !opened.includes(incident));
  const largest = [...opened, ...stillOpen]
    .flatMap(({ signals }) => signals)
    .toSorted((a, b) => b.increase - a.increase)
    .slice(0, largestMax);
  return { opened, resolved, stillOpen, largest };
}

function toIncident(id: string, signals: readonly Alert[], to: string): Incident {
  const ordered = signals.toSorted((a, b) => a.timestamp.localeCompare(b.timestamp));
  const [first] = ordered;
  if (first === undefined) throw new Error(`Incident ${id} has no signals`);
  const isOpen = ordered.some(({ resolved_at: at }) => at === null || at >= to);
  const resolvedAt = isOpen
    ? undefined
    : ordered
        .map(({ resolved_at: at }) => at ?? "")
        .sort()
        .at(-1);
  return { id, service: first.service, signals: ordered, isOpen, openedAt: first.timestamp, resolvedAt };
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
  const open = [...stillOpen, ...opened].filter(({ isOpen }) => isOpen).length;
  const counts = [
    `${opened.length} ${opened.length === 1 ? "incident" : "incidents"} opened`,
    `${resolved.length} resolved`,
    `${open} open`,
  ];
  const name = period.frequency === "daily" ? "Daily digest" : "Weekly digest";
  const text = [
    `From ${minuteText(period.from)} to ${minuteText(period.to)}.`,
    ...(isEmpty(summary) ? ["No incident opened, was resolved or is open."] : []),
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
function incidentText({ service, signals, isOpen, resolvedAt }: Incident): string {
  const since = sinceText({ ...beginningOf(signals), timestamp: signals[0]?.timestamp ?? "" }, minuteText);
  const end = isOpen || resolvedAt === undefined ? "open" : `over at ${minuteText(resolvedAt)}`;
  return `${service}: ${signals.map(riseText).join(", ")}, since ${since}, ${end}`;
}

function largestLines(alerts: readonly Alert[]): string[] {
  if (alerts.length === 0) return [];
  return [
    "",
    "Largest rises:",
    ...alerts.map((alert) => `- ${alert.service}: ${riseText(alert)}${causeText(alert)}`),
  ];
}

function causeText({ culprit }: Alert): string {
  if (culprit === undefined) return "";
  return `, ${Math.round(100 * culprit.share)}% of it in ${culprit.name}${placeText(culprit)}`;
}
