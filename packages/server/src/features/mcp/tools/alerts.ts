import { type Alert, commentIncident, limits, listAlerts, readableLine } from "@flamekeep/contract";
import {
  growthSentences,
  isFault,
  rangeSentences,
  releaseText,
  returnedSentences,
  runSentences,
  serviceChangeText,
  sideBySideSentences,
  sinceText,
} from "@flamekeep/contract/alert-text";
import { z } from "zod";
import { incidentAddress, isOfCode, measured, percent, quantity } from "#alert-terms";
import { printableName } from "#mcp/text/quantity.ts";
import { fields, tool } from "./tool.ts";

export const listAlertsTool = tool({
  name: "list_alerts",
  title: "List alerts",
  description:
    "Performance regressions: which service and type rose, or which functions of a service that did not, since when, by how much, the function to change with its file and line, the release, and the functions that grew most, with both ranges for compare_ranges.",
  input: z.object({
    service: fields.service.optional(),
    status: z.enum(["open", "resolved", "all"]).default("open"),
    limit: z.int().min(1).max(50).default(20).describe("Most alerts to list."),
  }),
  async run(read, query) {
    const { alerts } = await read(listAlerts, { query });
    if (alerts.length === 0) return "No alerts.";
    return alerts.map((alert) => alertText(alert, read.publicUrl)).join("\n\n");
  },
});

const functionsShown = 5;
/** Functions with less of the increase are not named, as in messages. */
const shareMin = 0.05;

function alertText(alert: Alert, publicUrl: string): string {
  const [before, after] = [alert.previous_value, alert.current_value].map((value) => quantity(value, alert));
  const { previous_range: previous, current_range: current, rule } = alert;
  const change = rule === undefined ? changeText(alert, `${before} -> ${after}`) : ruleText(rule, `${after}`);
  return [
    `${alert.status} ${alert.severity}: ${subjectText(alert)} ${change}, ${timesText(alert)}`,
    `  type ${alert.profile_type}, before ${previous.from} to ${previous.to}, after ${current.from} to ${current.to}, profile ${alert.profile_id}`,
    ...(alert.signal === "function" ? risenLines(alert) : shareLines(alert)),
    ...howLines(alert),
    ...scopeLines(alert),
    `  incident ${alert.incident_id}: ${incidentAddress(alert.incident_id, publicUrl)}`,
  ].join("\n");
}

/** Sentences about the kind of rise: growth, noise, a long run, a return, two versions side by side. */
function howLines(alert: Alert): string[] {
  if (alert.rule !== undefined) return [];
  const format = { quantity: (value: number) => quantity(value, alert), time: (at: string) => at };
  const sentences = [
    ...growthSentences(alert, format),
    ...rangeSentences(alert),
    ...runSentences(alert),
    ...returnedSentences(alert, format),
    ...sideBySideSentences(alert, format),
  ];
  return sentences.map((sentence) => `  ${readableLine(sentence)}`);
}

/** The functions that grew most, with their parts of the increase. */
function shareLines(alert: Alert): string[] {
  const { culprit, functions } = alert;
  const part = isFault(alert) ? "of them" : "of the increase";
  const share = (each: { readonly name: string; readonly share: number }) =>
    `  ${printableName(each.name)}: ${percent(100 * each.share, 0)} ${part}`;
  const others = functions.filter(
    (each) => each.share >= shareMin && each.name !== culprit?.name && isOfCode(each.name),
  );
  return [
    ...(culprit === undefined ? [] : [`${share(culprit)}, with what it calls`, ...placeLines(culprit)]),
    ...others.slice(0, functionsShown).map(share),
  ];
}

/** The functions that rose in a service that did not. They have no parts of an increase, because the service has none. */
function risenLines(alert: Alert): string[] {
  const { culprit, functions } = alert;
  const others = functions.filter(({ name }) => name !== culprit?.name);
  return [
    ...(culprit === undefined ? [] : [`  ${printableName(culprit.name)}`, ...placeLines(culprit)]),
    ...others.slice(0, functionsShown).map((each) => {
      const [before, after] = [each.total_before, each.total_after].map((value) => quantity(value, alert));
      return `  also ${printableName(each.name)}: ${before} -> ${after}, with what it calls`;
    }),
  ];
}

/** Where the culprit is in the source, and how it is called. */
function placeLines({ name, file, line, path = [] }: NonNullable<Alert["culprit"]>): string[] {
  const callers = path.slice(0, -1).slice(-callersShown).map(printableName);
  return [
    ...(file === "" ? [] : [`    at ${printableName(file)}${line > 0 ? `:${line}` : ""}`]),
    ...(callers.length === 0 ? [] : [`    called by ${[...callers, printableName(name)].join(" > ")}`]),
  ];
}

const callersShown = 6;
const instancesShown = 5;

/** The release with which it began, and the instances that it is about. */
function scopeLines(alert: Alert): string[] {
  const { release, version, instances = [] } = alert;
  const shown = instances.slice(0, instancesShown).map(printableName).join(", ");
  const more = instances.length > instancesShown ? ` and ${instances.length - instancesShown} more` : "";
  return [
    ...(alert.signal === "function" ? [`  ${printableName(serviceChangeText(alert))}`] : []),
    ...(release === undefined ? [] : [`  ${readableLine(releaseText(release))}`]),
    ...(instances.length === 0
      ? []
      : [`  only on ${shown}${more}${version === undefined ? "" : `, version ${printableName(version)}`}`]),
  ];
}

function subjectText(alert: Alert): string {
  const name = `${isFault(alert) ? "leaked " : ""}${printableName(measured(alert))}`;
  return `${name} ${alert.signal === undefined ? "of" : "in"} ${printableName(alert.service)}`;
}

function changeText({ percent_change: change, previous_value: before }: Alert, values: string): string {
  if (before === 0) return `new (${values})`;
  return `${change >= 0 ? "+" : ""}${percent(change, 1)} (${values})`;
}

function ruleText({ name, condition }: NonNullable<Alert["rule"]>, value: string): string {
  return `${condition} by the rule ${printableName(name)} (${value} when it opened)`;
}

function timesText(alert: Alert): string {
  const opened = `alert opened ${alert.timestamp}`;
  return alert.began_at === null ? opened : `since ${sinceText(alert, (at) => at)} (${opened})`;
}

export const commentIncidentTool = tool({
  name: "comment_incident",
  title: "Comment on an incident",
  description:
    "Use it when you found the cause of an alert: opens the case for people, with the file and line, what you found and the change that you propose. Everybody who reads the incident sees the comment.",
  writes: commentIncident,
  input: z.object({
    incident: z.uuid().describe("Id of the incident, from list_alerts."),
    text: z.string().min(1).max(limits.incidentCommentLengthMax).describe("Plain text."),
  }),
  async run(read, { incident: id, text }) {
    const { incident } = await read.write(commentIncident, { params: { id }, body: { text } });
    return `Commented: ${incidentAddress(incident.id, read.publicUrl)}`;
  },
});
