import {
  type Alert,
  type Analysis,
  latestAnalyses,
  listAlerts,
  listProfiles,
  listServiceAnalyses,
  listServices,
  type Profile,
  type Recommendation,
  readableLine,
  type ServiceTotals,
} from "@flamekeep/contract";
import { isFault, releaseText, sinceText } from "@flamekeep/contract/alert-text";
import { z } from "zod";
import { incidentAddress, measured, percent, quantity } from "#alert-text";
import { Failure } from "#failure";
import { printableName, quantityText } from "#mcp/text/quantity.ts";
import { fields, type Read, tagQuery, tool } from "./tool.ts";

export const listServicesTool = tool({
  name: "list_services",
  title: "List services",
  description:
    "Services that sent profiles, with the number of profiles of each type and the time of the latest.",
  input: z.object({ from: fields.from.default("24h"), to: fields.to }),
  async run(read, range) {
    const { services } = await read(listServices, { query: { ...range, include_totals: "true" } });
    if (services.length === 0) return "No service sent profiles in this range.";
    return services.map(serviceLine).join("\n");
  },
});

function serviceLine({
  name,
  last_activity: last,
  profiles_by_display_type: counts = {},
}: ServiceTotals): string {
  const types = Object.entries(counts).map(([type, count]) => `${type} ${count}`);
  return `${printableName(name)}: ${types.join(", ")}; latest ${last}`;
}

export const listProfilesTool = tool({
  name: "list_profiles",
  title: "List profiles",
  description: "Single profiles of a service, newest first, with their ids, times, tags and totals.",
  input: z.object({
    service: fields.service,
    type: fields.type.optional(),
    from: fields.from,
    to: fields.to,
    tags: fields.tags,
    limit: z.int().min(1).max(50).default(20).describe("Most profiles to list."),
  }),
  async run(read, { tags, type, ...query }) {
    const { profiles } = await read(listProfiles, {
      query: { ...query, ...(type && { display_type: type }), ...tagQuery(tags), include_metrics: "false" },
    });
    if (profiles.length === 0) return "No profile of this service in this range.";
    return profiles.map(profileLine).join("\n");
  },
});

function profileLine({ profile_id: id, display_type: type, timestamp, tags, sample_types }: Profile): string {
  const labels = Object.entries(tags).map(
    ([name, value]) => `${printableName(name)}=${printableName(value)}`,
  );
  const totals = sample_types.map(
    (each) => `${printableName(each.type)} ${quantityText(each.total, each.unit)}`,
  );
  return `${id} ${type} ${timestamp} [${labels.join(" ")}] ${totals.join(", ")}`;
}

export const listAlertsTool = tool({
  name: "list_alerts",
  title: "List alerts",
  description:
    "Performance regressions: which service and type rose, since when, by how much, the function to change with its file and line, the release, and the functions that grew most, with both ranges for compare_ranges.",
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
  const { previous_range: previous, current_range: current, culprit, rule } = alert;
  const change = rule === undefined ? changeText(alert, `${before} -> ${after}`) : ruleText(rule, `${after}`);
  const part = isFault(alert) ? "of them" : "of the increase";
  const share = (each: { readonly name: string; readonly share: number }) =>
    `  ${printableName(each.name)}: ${percent(100 * each.share, 0)} ${part}`;
  const others = alert.functions.filter((each) => each.share >= shareMin && each.name !== culprit?.name);
  return [
    `${alert.status} ${alert.severity}: ${subjectText(alert)} ${change}, ${timesText(alert)}`,
    `  type ${alert.profile_type}, before ${previous.from} to ${previous.to}, after ${current.from} to ${current.to}, profile ${alert.profile_id}`,
    ...(culprit === undefined ? [] : [`${share(culprit)}, with what it calls`, ...placeLines(culprit)]),
    ...others.slice(0, functionsShown).map(share),
    ...scopeLines(alert),
    `  incident ${alert.incident_id}: ${incidentAddress(alert.incident_id, publicUrl)}`,
  ].join("\n");
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
function scopeLines({ release, version, instances = [] }: Alert): string[] {
  const shown = instances.slice(0, instancesShown).map(printableName).join(", ");
  const more = instances.length > instancesShown ? ` and ${instances.length - instancesShown} more` : "";
  return [
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

/** Analyses of ranges, the newest ones. */
const rangesMax = 5;

export const latestAnalysesTool = tool({
  name: "latest_analyses",
  title: "Latest analyses",
  description:
    "The latest analysis of each type of profile of a service, and the latest of its ranges: improvements or changes, their functions, the solution, and user feedback.",
  input: z.object({ service: fields.service }),
  async run(read, { service }) {
    const [latest, { analyses: ofRanges }] = await Promise.all([
      readLatest(read, service),
      read(listServiceAnalyses, { params: { service }, query: { limit: rangesMax } }),
    ]);
    const texts = [...latest, ...ofRanges].map(analysisText);
    return texts.length === 0 ? "No analysis of this service. Start one in the app." : texts.join("\n\n");
  },
});

async function readLatest(read: Read, service: string): Promise<Analysis[]> {
  try {
    const { latest_analyses: latest } = await read(latestAnalyses, { params: { service } });
    return Object.values(latest).filter((analysis) => analysis !== undefined);
  } catch (error) {
    if (error instanceof Failure && error.code === "not_found") return [];
    throw error;
  }
}

function analysisText(analysis: Analysis): string {
  const { display_type: type, status, created_at: at, recommendations } = analysis;
  const advice = recommendations.map(adviceText);
  const subject = `${type}${rangeText(analysis)}, ${at}, ${status}:`;
  return [subject, ...(advice.length === 0 ? ["nothing to improve"] : advice)].join("\n");
}

function rangeText({ range, baseline }: Analysis): string {
  if (range === null) return "";
  const span = `${range.from} to ${range.to}`;
  return baseline === null
    ? ` from ${span}`
    : ` from ${span} compared with ${baseline.from} to ${baseline.to}`;
}

function adviceText(recommendation: Recommendation): string {
  const { priority, issue, impact, solution, evidence } = recommendation;
  const names = evidence.functions.map(({ name, file, line }) => {
    const place = file === "" ? "" : ` (${printableName(file)}:${line})`;
    return `${printableName(name)}${place}`;
  });
  // The texts contain names of the profiled program.
  const [first, second, third] = [issue, impact, solution].map(readableLine);
  return `- ${priority}${feedbackText(recommendation)}: ${first} ${second}\n  ${names.join(", ")}\n  ${third}`;
}

/** `, dismissed: Runs once a day`, so that an agent does not propose it again. */
function feedbackText({ feedback }: Recommendation): string {
  if (feedback === null) return "";
  if (feedback.state === "dismissed") return `, dismissed: ${readableLine(feedback.reason ?? "")}`;
  return `, done${feedback.effect === null ? "" : `, ${feedback.effect.status}`}`;
}
