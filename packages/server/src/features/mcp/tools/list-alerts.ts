import { type Alert, listAlerts, sinceText } from "@flamekeep/contract";
import { z } from "zod";
import { printableName } from "#mcp/text/names.ts";
import { quantityText } from "#mcp/text/quantity.ts";
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

function textOf(alert: Alert): string {
  const { unit, previous_value: before, current_value: after, rule } = alert;
  const values = `${quantityText(before, unit)} -> ${quantityText(after, unit)}`;
  const grown = alert.functions
    .slice(0, functionsShown)
    .map((each) => `  ${printableName(each.name)}: ${Math.round(each.share * 100)}% of the increase`);
  return [
    `${alert.status} ${alert.severity}: ${alert.signal ?? alert.profile_type} of ${printableName(alert.service)} ${rule === undefined ? changeText(alert, values) : ruleText(rule, quantityText(after, unit))}, ${timesText(alert)}`,
    `  before ${alert.previous_range.from} to ${alert.previous_range.to}, after ${alert.current_range.from} to ${alert.current_range.to}, profile ${alert.profile_id}`,
    ...grown,
  ].join("\n");
}

function changeText({ percent_change: percent, previous_value: before }: Alert, values: string): string {
  if (before === 0) return `new (${values})`;
  return `${percent >= 0 ? "+" : ""}${percent.toFixed(1)}% (${values})`;
}

function ruleText({ name, condition }: NonNullable<Alert["rule"]>, value: string): string {
  return `${condition} by the rule ${printableName(name)} (${value} when it opened)`;
}

function timesText(alert: Alert): string {
  const opened = `alert opened ${alert.timestamp}`;
  return alert.began_at === null ? opened : `since ${sinceText(alert, (at) => at)} (${opened})`;
}
