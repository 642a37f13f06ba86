import { type Alert, isFault, listAlerts, sinceText } from "@flamekeep/contract";
import { z } from "zod";
import { measured, percent, quantity } from "#alert-text";
import { printableName } from "#mcp/text/names.ts";
import { fields, tool } from "./tool.ts";

export const listAlertsTool = tool({
  name: "list_alerts",
  title: "List alerts",
  description:
    "Performance regressions: which service and type rose, since when, by how much, and the functions that grew most, with both ranges for compare_ranges.",
  input: z.object({
    service: fields.service.optional(),
    status: z.enum(["open", "resolved", "all"]).default("open"),
    limit: z.int().min(1).max(50).default(20).describe("Most alerts to list."),
  }),
  async run(read, query) {
    const { alerts } = await read(listAlerts, { query });
    if (alerts.length === 0) return "No alerts.";
    return alerts.map(textOf).join("\n\n");
  },
});

const functionsShown = 5;
/** Functions with less of the increase are not named, as in messages. */
const shareMin = 0.05;

function textOf(alert: Alert): string {
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
    ...(culprit === undefined ? [] : [`${share(culprit)}, with what it calls`]),
    ...others.slice(0, functionsShown).map(share),
  ].join("\n");
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
