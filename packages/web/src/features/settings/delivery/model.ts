import {
  type AlertChannel,
  type AlertSettings,
  AlertSettingsChange,
  limits,
  type PagerDutyRegion,
} from "@flamekeep/contract";
import type { Problem } from "#ui/controls/form-problems.tsx";

export type SettingsChange = AlertSettingsChange;

/** How a channel is called at the beginning and within a sentence. */
export const channelNames: Record<AlertChannel, { readonly title: string; readonly inText: string }> = {
  webhook: { title: "Webhook", inText: "the webhook" },
  slack: { title: "Slack", inText: "Slack" },
  teams: { title: "Microsoft Teams", inText: "Microsoft Teams" },
  pagerduty: { title: "PagerDuty", inText: "PagerDuty" },
  email: { title: "E-mail", inText: "e-mail" },
};

/** PagerDuty's service regions, within a sentence. */
export const regionNames: Record<PagerDutyRegion, string> = { us: "US", eu: "EU" };

/** Channels that deliver to a URL. */
export type UrlChannel = "webhook" | "slack" | "teams";

/** The fields of a channel's form. */
export interface ChannelDraft {
  readonly url: string;
  readonly secret: string;
  readonly removesSecret: boolean;
  readonly routingKey: string;
  readonly region: PagerDutyRegion;
  readonly emails: string;
}

export function draftOf(settings: AlertSettings): ChannelDraft {
  return {
    url: "",
    secret: "",
    removesSecret: false,
    routingKey: "",
    region: settings.pagerduty.region,
    emails: settings.emails.join("\n"),
  };
}

export function isSetUp(channel: AlertChannel, settings: AlertSettings): boolean {
  return channel === "email" ? settings.emails.length > 0 : settings[channel].is_set;
}

/** The fields to change. An empty URL, key or secret keeps the stored one, because the server does not return it. */
export function changeOf(channel: AlertChannel, draft: ChannelDraft): SettingsChange {
  const url = draft.url.trim();
  if (channel === "email") return { emails: addressesOf(draft.emails) };
  if (channel === "slack") return url === "" ? {} : { slack_url: url };
  if (channel === "teams") return url === "" ? {} : { teams_url: url };
  if (channel === "pagerduty") return pagerDutyChange(draft);
  return {
    ...(url !== "" && { webhook_url: url }),
    ...(draft.removesSecret
      ? { webhook_secret: null }
      : draft.secret !== "" && { webhook_secret: draft.secret }),
  };
}

function pagerDutyChange({ routingKey, region }: ChannelDraft): SettingsChange {
  const key = routingKey.trim();
  return { pagerduty_region: region, ...(key !== "" && { pagerduty_routing_key: key }) };
}

export const removals: Record<AlertChannel, SettingsChange> = {
  webhook: { webhook_url: null, webhook_secret: null },
  slack: { slack_url: null },
  teams: { teams_url: null },
  pagerduty: { pagerduty_routing_key: null },
  email: { emails: [] },
};

function addressesOf(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((address) => address !== ""))];
}

/** Problems of a form, by the rules of the contract. */
export function problemsOf(channel: AlertChannel, draft: ChannelDraft, settings: AlertSettings): Problem[] {
  const missing = missingOf(channel, draft, settings);
  if (missing !== undefined) return [missing];
  const change = changeOf(channel, draft);
  const issues = AlertSettingsChange.safeParse(change).error?.issues ?? [];
  return issues.map(({ path: [field, index], message }) => problemOf(String(field), index, message, change));
}

/** The problem of a channel without its address or key. */
function missingOf(channel: AlertChannel, draft: ChannelDraft, settings: AlertSettings): Problem | undefined {
  if (channel === "email") {
    if (addressesOf(draft.emails).length > 0) return undefined;
    return { field: "emails", text: "Enter at least one address" };
  }
  if (settings[channel].is_set) return undefined;
  if (channel === "pagerduty") {
    return draft.routingKey.trim() === ""
      ? { field: "routingKey", text: "Enter the integration key" }
      : undefined;
  }
  return draft.url.trim() === "" ? { field: "url", text: "Enter the URL to send to" } : undefined;
}

function problemOf(
  field: string,
  index: PropertyKey | undefined,
  message: string,
  change: SettingsChange,
): Problem {
  if (field === "emails") {
    const address = typeof index === "number" ? change.emails?.[index] : undefined;
    const tooMany = `Enter at most ${limits.alertEmailsMax} addresses`;
    return { field, text: address === undefined ? tooMany : `${address} is not an e-mail address` };
  }
  if (field === "webhook_secret") {
    const isTooLong = !message.startsWith(field);
    return {
      field: "secret",
      text: isTooLong ? "The secret is too long" : message.replace(field, "The secret"),
    };
  }
  if (field === "pagerduty_routing_key") {
    return { field: "routingKey", text: "The integration key must be 32 letters and digits" };
  }
  return { field: "url", text: message.replace(field, "The URL") };
}
