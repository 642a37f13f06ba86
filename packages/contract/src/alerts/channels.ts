import { limits } from "#base/limits.ts";

/** A field of a channel's form: `name` is its name in the request, `noun` names it within sentences. */
export type ChannelField = {
  readonly name: string;
  readonly label: string;
  readonly noun: string;
} & (
  | {
      /** An address that allows others to post: the reply has only its `origin`. */
      readonly kind: "url";
      readonly placeholder: string;
    }
  | {
      /** A required secret that identifies the receiver. Spaces around it are not part of it. */
      readonly kind: "key";
      readonly hint: string;
    }
  | {
      /** An optional secret, which can be removed alone. `stored` is the field of the reply that says whether it is set. */
      readonly kind: "secret";
      readonly hint: string;
      readonly stored: string;
      readonly removal: string;
      /** How a channel sends with and without it. */
      readonly effects: readonly [withSecret: string, without: string];
    }
  | {
      /** `stored` is the field of the reply that has the value. */
      readonly kind: "choice";
      readonly stored: string;
      readonly options: readonly { readonly value: string; readonly label: string; readonly text: string }[];
    }
  | {
      readonly kind: "list";
      readonly hint: string;
      readonly placeholder: string;
      readonly item: string;
      readonly itemsMax: number;
    }
);

/** All that a page needs to show a channel and to ask for its fields. */
export interface ChannelForm {
  readonly title: string;
  /** The name within a sentence. */
  readonly inText: string;
  readonly purpose: string;
  readonly dialogTitle: string;
  readonly instruction: string;
  readonly fields: readonly ChannelField[];
}

const url = { label: "URL", noun: "URL", kind: "url" } as const;

/** Every way to deliver alerts, in the order in which pages and replies list them. */
export const channelForms = {
  webhook: {
    title: "Webhook",
    inText: "the webhook",
    purpose: "A POST with JSON to an address of yours, signed if you set a secret.",
    dialogTitle: "Send alerts to a webhook",
    instruction:
      "Flamekeep sends a POST with JSON when an alert opens and when it is over, and repeats it until it is accepted.",
    fields: [
      { ...url, name: "webhook_url", placeholder: "https://hooks.example.com/flamekeep" },
      {
        kind: "secret",
        name: "webhook_secret",
        label: "Secret (optional)",
        noun: "secret",
        stored: "is_signed",
        hint: `Signs each message in X-Flamekeep-Signature. At least ${limits.webhookSecretLengthMin} characters.`,
        removal: "Stop signing and delete the secret",
        effects: ["signed with a secret", "not signed"],
      },
    ],
  },
  slack: {
    title: "Slack",
    inText: "Slack",
    purpose: "A message through an incoming webhook of a Slack channel.",
    dialogTitle: "Send alerts to Slack",
    instruction: "Create an incoming webhook for the channel in Slack, and enter its URL here.",
    fields: [{ ...url, name: "slack_url", placeholder: "https://hooks.slack.com/services/..." }],
  },
  teams: {
    title: "Microsoft Teams",
    inText: "Microsoft Teams",
    purpose: "A card in a channel or chat, through a workflow or an incoming webhook.",
    dialogTitle: "Send alerts to Microsoft Teams",
    instruction:
      "In Teams, set up the workflow for webhook alerts in the channel or chat, and enter its URL here. The URL of an incoming webhook works too.",
    fields: [
      { ...url, name: "teams_url", placeholder: "https://prod-00.westeurope.logic.azure.com/workflows/..." },
    ],
  },
  pagerduty: {
    title: "PagerDuty",
    inText: "PagerDuty",
    purpose: "An incident for each alert, resolved when the alert is over.",
    dialogTitle: "Send alerts to PagerDuty",
    instruction:
      "Add an Events API v2 integration to a service in PagerDuty, and enter its integration key here. A test opens an incident and resolves it at once.",
    fields: [
      {
        kind: "key",
        name: "pagerduty_routing_key",
        label: "Integration key",
        noun: "integration key",
        hint: "32 letters and digits.",
      },
      {
        kind: "choice",
        name: "pagerduty_region",
        label: "Service region",
        noun: "service region",
        stored: "region",
        options: [
          { value: "us", label: "US: app.pagerduty.com", text: "US service region" },
          { value: "eu", label: "EU: app.eu.pagerduty.com", text: "EU service region" },
        ],
      },
    ],
  },
  email: {
    title: "E-mail",
    inText: "e-mail",
    purpose: "A mail to each address of a list.",
    dialogTitle: "Send alerts by e-mail",
    instruction: `A mail to each address, at most ${limits.alertEmailsMax} of them.`,
    fields: [
      {
        kind: "list",
        name: "emails",
        label: "Addresses",
        noun: "address",
        item: "an e-mail address",
        itemsMax: limits.alertEmailsMax,
        hint: "One on each line, or separated by commas.",
        placeholder: "oncall@example.com",
      },
    ],
  },
} as const satisfies Readonly<Record<string, ChannelForm>>;
export type AlertChannel = keyof typeof channelForms;

export const alertChannels = Object.keys(channelForms) as [AlertChannel, ...AlertChannel[]];

/** PagerDuty's service regions: each has its own accounts and keys. */
export const pagerDutyRegions = ["us", "eu"] as const;
export type PagerDutyRegion = (typeof pagerDutyRegions)[number];

/** The part of a reply about one channel: whether it is set up, and the stored values of its fields. */
export type ChannelState = { readonly is_set: boolean } & Readonly<Record<string, unknown>>;

export function channelState(
  settings: Readonly<Record<Exclude<AlertChannel, "email">, ChannelState>> & {
    readonly emails: readonly string[];
  },
  channel: AlertChannel,
): ChannelState {
  if (channel !== "email") return settings[channel];
  return { is_set: settings.emails.length > 0, emails: settings.emails };
}
