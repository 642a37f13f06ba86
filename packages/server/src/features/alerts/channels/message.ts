import { type Alert, alertComparisonSearch, worstSignal } from "@flamekeep/contract";
import { isFault, sinceOf, sinceText } from "@flamekeep/contract/alert-text";
import { incidentAddress, measured } from "#alert-terms";
import { beginningOf } from "#alerts/incidents/present.ts";
import {
  circumstanceLines,
  growingText,
  minuteText,
  ownName,
  resolvedText,
  riseText,
  signalLines,
} from "./signal-text.ts";

/** An incident with its signals, in the order in which they opened; at least one. */
export interface Incident {
  readonly id: string;
  readonly signals: readonly Alert[];
}

/** The text of an incident or of a test, the same for all channels. */
export interface Message {
  readonly event: "opened" | "updated" | "resolved" | "digest" | "test";
  readonly title: string;
  readonly text: string;
  /** Where to look first: the comparison, or the incident if no function is known, and after it resolves. */
  readonly link: string;
  /** null for a digest and a test. */
  readonly incident_link: string | null;
  /** The signal that rose most; null for a digest and a test. */
  readonly alert: Alert | null;
  /** null for a digest and a test. */
  readonly incident: Incident | null;
}

export function incidentMessage(
  event: "opened" | "updated" | "resolved",
  incident: Incident,
  publicUrl: string,
): Message {
  const signals = latestOfSeries(incident.signals);
  const alert = worstSignal(signals);
  const incident_link = incidentAddress(incident.id, publicUrl);
  if (event === "resolved") {
    const { title, text } = resolvedTexts(signals, alert);
    return { event, title, text, link: incident_link, incident_link, alert, incident };
  }
  const link = comparisonLink(alert, publicUrl) ?? incident_link;
  const title = `${event === "updated" ? "Update: " : ""}${risenTitle(signals, alert)}`;
  return { event, title, text: risenText(signals, alert), link, incident_link, alert, incident };
}

/** The signals without those that returned since: each series, or rule, once. */
function latestOfSeries(signals: readonly Alert[]): readonly Alert[] {
  const keyOf = ({ service, profile_type, sample_type, signal, route, rule }: Alert) =>
    JSON.stringify([service, profile_type, sample_type, signal, route, rule?.id]);
  return [...new Map(signals.map((signal) => [keyOf(signal), signal])).values()];
}

const severities = ["critical", "warning", "info"] as const;

function risenTitle(signals: readonly Alert[], alert: Alert): string {
  const severity = severities.find((each) => signals.some((signal) => signal.severity === each)) ?? "info";
  const label = `${severity.charAt(0).toUpperCase()}${severity.slice(1)}`;
  const [only, ...others] = signals;
  if (only === undefined || others.length === 0) {
    if (alert.signal === "silence")
      return `${label}: ${alert.service} ${riseText(alert)} at ${minuteText(sinceOf(alert))}`;
    return `${label}: ${isFault(alert) ? `${riseText(alert)} in ${alert.service}` : `${subjectOf(alert)} ${riseText(alert).slice(measured(alert).length + 1)}${growingText(alert)}`}`;
  }
  return `${label}: ${signals.length} signals of ${alert.service}: ${signals.map(riseText).join(", ")}`;
}

function risenText(signals: readonly Alert[], alert: Alert): string {
  const [first, ...others] = signals;
  if (first === undefined || others.length === 0) {
    return [...signalLines(alert), ...circumstanceLines(alert), ...nextLines(alert)].join("\n");
  }
  const withRelease = signals.find(({ release }) => release !== undefined) ?? alert;
  return [
    `These started together at ${sinceText({ ...beginningOf(signals), timestamp: alert.timestamp }, minuteText)}.`,
    ...circumstanceLines(withRelease),
    ...signals.flatMap((signal) => {
      const over = signal.status === "resolved" ? " (over)" : "";
      const [values = "", ...lines] = signalLines(signal);
      return [`${riseText(signal)}${over}: ${values.charAt(0).toLowerCase()}${values.slice(1)}`, ...lines];
    }),
    ...nextLines(alert),
  ].join("\n");
}

/** The first thing to do. Nothing is added if no function is known: the link leads to the chart. */
function nextLines({ culprit, release }: Alert): string[] {
  if (culprit === undefined) return [];
  const change = release === undefined ? "" : `, and check what ${release.after} changed in it`;
  return [`Next: open the before/after comparison with ${ownName(culprit.name)} selected${change}.`];
}

function subjectOf(alert: Alert): string {
  return `${measured(alert)} ${alert.signal === undefined ? "of" : "in"} ${alert.service}`;
}

function resolvedTexts(signals: readonly Alert[], alert: Alert): { title: string; text: string } {
  const [first, ...others] = signals;
  if (first === undefined || others.length === 0) {
    if (alert.signal === "silence")
      return { title: `Resolved: ${alert.service} sends again`, text: resolvedText(alert) };
    return { title: `Resolved: ${subjectOf(alert)}`, text: resolvedText(alert) };
  }
  const text = signals.map((signal) => `${measured(signal)}: ${resolvedText(signal)}`).join("\n");
  return { title: `Resolved: all ${signals.length} signals of ${alert.service}`, text };
}

export function testMessage(publicUrl: string): Message {
  return {
    event: "test",
    title: "Flamekeep test notification",
    text: "This is a test. Alerts about your services arrive here.",
    link: `${publicUrl}/alerts`,
    incident_link: null,
    alert: null,
    incident: null,
  };
}

/** The links of a message with their labels, the one to look at first at the top. Each address is there once. */
export function labelledLinks({ link, incident_link: incident }: Message): { url: string; label: string }[] {
  if (incident === null) return [{ url: link, label: "Open in Flamekeep" }];
  const opened = { url: incident, label: "Open the incident" };
  return link === incident ? [opened] : [{ url: link, label: "Compare before and after" }, opened];
}

/** The comparison of the range before with the worse one, in which the culprit is selected. Undefined without one. */
function comparisonLink(alert: Alert, publicUrl: string): string | undefined {
  if (alert.culprit === undefined) return undefined;
  return `${publicUrl}/compare?${new URLSearchParams(alertComparisonSearch(alert))}`;
}
