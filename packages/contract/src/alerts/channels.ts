import { limits } from "#base/limits.ts";

/**
 * A field of a channel: of its form, its requests and its replies. `name` is its name in the request, `noun` names it within sentences.
 * `meta` documents it in requests.
 */
export type ChannelField = {
  readonly name: string;
  readonly label: string;
  readonly noun: string;
  readonly meta: { readonly example: string | readonly string[]; readonly description?: string };
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
      readonly pattern: RegExp;
      /** The pattern as it is named after "must be". */
      readonly format: string;
    }
  | {
      /** An optional secret, which can be removed alone. `stored` is the field of the reply that says whether it is set. */
      readonly kind: "secret";
      readonly hint: string;
      readonly lengthMin: number;
      readonly lengthMax: number;
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
      /** Email addresses. A channel with a list has no other field: the reply has the list under this name. */
      readonly kind: "list";
      readonly hint: string;
      readonly placeholder: string;
      readonly item: string;
      readonly itemsMax: number;
    }
);

/** A channel as pages show it, and as requests and replies have it. */
export interface ChannelForm {
  readonly title: string;
  /** The name within a sentence. */
  readonly inText: string;
  readonly purpose: string;
  readonly dialogTitle: string;
  readonly instruction: string;
  readonly fields: readonly ChannelField[];
  /** Whether it may get a digest. */
  readonly hasDigests: boolean;
  /** Whether it is set up in the example of a reply. */
  readonly isSetInExample: boolean;
}

const url = { label: "URL", noun: "URL", kind: "url" } as const;

/** Every way to deliver alerts, in the order in which pages and replies list them. */
export const channelForms = {
  webhook: {
    title: "Webhook",
    inText: "the webhook",
    purpose: "A JSON POST to your own address, signed if you set a secret.",
    dialogTitle: "Send alerts to a webhook",
    instruction:
      "Flamekeep sends a JSON POST when an alert opens and resolves, and retries until it is accepted.",
    fields: [
      {
        ...url,
        name: "webhook_url",
        placeholder: "https://hooks.example.com/flamekeep",
        meta: { example: "https://hooks.example.com/flamekeep" },
      },
      {
        kind: "secret",
        name: "webhook_secret",
        label: "Secret (optional)",
        noun: "secret",
        stored: "is_signed",
        hint: `Signs each message in X-Flamekeep-Signature. At least ${limits.webhookSecretLengthMin} characters.`,
        lengthMin: limits.webhookSecretLengthMin,
        lengthMax: 200,
        meta: { example: "whsec-7Kq2nB4xWm1D9vLc" },
        removal: "Stop signing and delete the secret",
        effects: ["signed with a secret", "not signed"],
      },
    ],
    hasDigests: true,
    isSetInExample: true,
  },
  slack: {
    title: "Slack",
    inText: "Slack",
    purpose: "A message through an incoming webhook of a Slack channel.",
    dialogTitle: "Send alerts to Slack",
    instruction: "Create an incoming webhook for the channel in Slack, and enter its URL here.",
    fields: [
      {
        ...url,
        name: "slack_url",
        placeholder: "https://hooks.slack.com/services/...",
        meta: { example: "https://hooks.slack.com/services/T000/B000/XXXX" },
      },
    ],
    hasDigests: true,
    isSetInExample: false,
  },
  teams: {
    title: "Microsoft Teams",
    inText: "Microsoft Teams",
    purpose: "A card in a channel or chat, through a workflow or an incoming webhook.",
    dialogTitle: "Send alerts to Microsoft Teams",
    instruction:
      "In Teams, set up the workflow for webhook alerts in the channel or chat, and enter its URL here. The URL of an incoming webhook works too.",
    fields: [
      {
        ...url,
        name: "teams_url",
        placeholder: "https://prod-00.westeurope.logic.azure.com/workflows/...",
        meta: {
          example:
            "https://prod-01.westeurope.logic.azure.com/workflows/0a1b/triggers/manual/paths/invoke?sig=XXXX",
          description: "URL of a workflow or an incoming webhook.",
        },
      },
    ],
    hasDigests: true,
    isSetInExample: false,
  },
  pagerduty: {
    title: "PagerDuty",
    inText: "PagerDuty",
    purpose: "One incident per alert, resolved with the alert.",
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
        pattern: /^[A-Za-z0-9]{32}$/,
        format: "32 letters and digits",
        meta: {
          description: "The integration key of an Events API v2 integration.",
          example: "e93facc04764012d7bfb002500d5d1a6",
        },
      },
      {
        kind: "choice",
        name: "pagerduty_region",
        label: "Service region",
        noun: "service region",
        stored: "region",
        meta: { example: "us" },
        options: [
          { value: "us", label: "US: app.pagerduty.com", text: "US service region" },
          { value: "eu", label: "EU: app.eu.pagerduty.com", text: "EU service region" },
        ],
      },
    ],
    // A summary needs nobody to act at once.
    hasDigests: false,
    isSetInExample: true,
  },
  email: {
    title: "Email",
    inText: "email",
    purpose: "An email to each address on a list.",
    dialogTitle: "Send alerts by email",
    instruction: `An email to each address, at most ${limits.alertEmailsMax}.`,
    fields: [
      {
        kind: "list",
        name: "emails",
        label: "Addresses",
        noun: "address",
        item: "an email address",
        itemsMax: limits.alertEmailsMax,
        hint: "One on each line, or separated by commas.",
        placeholder: "oncall@example.com",
        meta: { example: ["oncall@example.com"] },
      },
    ],
    hasDigests: true,
    isSetInExample: true,
  },
} as const satisfies Readonly<Record<string, ChannelForm>>;
export type AlertChannel = keyof typeof channelForms;
export type FormOf<C extends AlertChannel> = (typeof channelForms)[C];

export const alertChannels = Object.keys(channelForms) as [AlertChannel, ...AlertChannel[]];

export type DigestChannel = {
  [C in AlertChannel]: FormOf<C>["hasDigests"] extends true ? C : never;
}[AlertChannel];

export const digestChannels = alertChannels.filter((channel) => channelForms[channel].hasDigests) as [
  DigestChannel,
  ...DigestChannel[],
];

/** The field under which the reply has a channel: a list has the field's own name. */
export type ReplyField<C extends AlertChannel> = {
  [D in C]: FormOf<D>["fields"] extends readonly [{ kind: "list"; name: infer N extends string }] ? N : D;
}[C];

/** The part of a reply about one channel: whether it is set up, and the stored values of its fields. */
export type ChannelState = { readonly is_set: boolean } & Readonly<Record<string, unknown>>;

export function channelState(
  settings: Readonly<Record<ReplyField<AlertChannel>, ChannelState | readonly string[]>>,
  channel: AlertChannel,
): ChannelState {
  const field = replyField(channel);
  const state = settings[field];
  return "is_set" in state ? state : { is_set: state.length > 0, [field]: state };
}

export function replyField<C extends AlertChannel>(channel: C): ReplyField<C> {
  const { fields }: ChannelForm = channelForms[channel];
  return (fields.find(({ kind }) => kind === "list")?.name ?? channel) as ReplyField<C>;
}
