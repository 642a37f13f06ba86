import type { Alert } from "@flamekeep/contract";

type RuleAlert = Alert & { readonly rule: NonNullable<Alert["rule"]> };

export function isOfRule(alert: Alert): alert is RuleAlert {
  return alert.rule !== undefined;
}

/** The texts of values and times that all alerts share. */
interface Wording {
  readonly quantity: (value: number, alert: Alert) => string;
  readonly minute: (at: string) => string;
  readonly since: string;
}

/** `above 2 GB (rule "Heap too large")` */
export function conditionText({ rule }: RuleAlert): string {
  return `${rule.condition} (rule "${rule.name}")`;
}

/** `It is at 2.4 GB per instance, and has been above 2 GB since 2026-11-20 11:42 UTC.`, and the rule that says so. */
export function ruleLines(alert: RuleAlert, { quantity, minute, since }: Wording): string[] {
  const { rule, current_value: value, signal } = alert;
  const tags = Object.entries(rule.tags).map(([name, text]) => `${name}:${text}`);
  const minutes = rule.minutes === 1 ? "a minute" : `${rule.minutes} minutes`;
  return [
    `It is at ${quantity(value, alert)}${signal === undefined ? " per instance" : ""}, and has been ${rule.condition} since ${minute(since)}.`,
    `The rule "${rule.name}" allows that for less than ${minutes}.`,
    ...(tags.length === 0 ? [] : [`Only profiles with ${tags.join(", ")} count.`]),
  ];
}

const endings = {
  changed: "Somebody changed the rule, which ended this alert.",
  disabled: "Somebody switched the rule off, which ended this alert.",
  removed: "Somebody deleted the rule, which ended this alert.",
} as const;

/** `It was above 2 GB (rule "Heap too large") from ... to ...`, or what people did to the rule. */
export function ruleResolvedText(alert: RuleAlert, { minute, since }: Wording): string {
  const { rule, resolved_at, timestamp } = alert;
  const times = `from ${minute(since)} to ${minute(resolved_at ?? timestamp)}`;
  const text = `It was ${conditionText(alert)} ${times}.`;
  return rule.ended === undefined ? text : `${text} ${endings[rule.ended]}`;
}
