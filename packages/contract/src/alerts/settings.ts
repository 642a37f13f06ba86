import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { Instant } from "#base/moments.ts";
import * as calls from "./calls.ts";
import { digestWeekdays } from "./calls.ts";
import {
  type AlertChannel,
  alertChannels,
  type ChannelForm,
  channelForms,
  digestChannels,
  type FormOf,
  type ReplyField,
  replyField,
} from "./channels.ts";
import { AlertSettingsChange, type OptionOf, optionOf } from "./settings-change.ts";

type StoredName<F> = F extends { kind: "url" }
  ? "origin"
  : F extends { stored: infer S extends string }
    ? S
    : never;

type StoredSchema<F> = F extends { kind: "url" }
  ? z.ZodNullable<z.ZodString>
  : F extends { kind: "choice" }
    ? OptionOf<F>
    : z.ZodBoolean;

type StateShape<F> = { readonly is_set: z.ZodBoolean } & {
  readonly [E in F as StoredName<E>]: StoredSchema<E>;
};

type ReplyShape = {
  readonly [C in AlertChannel as ReplyField<C>]: ReplyField<C> extends C
    ? z.ZodObject<StateShape<FormOf<C>["fields"][number]>>
    : z.ZodArray<z.ZodEmail>;
};

function stateOf({ fields, isSetInExample }: ChannelForm) {
  const isSet = z.boolean().meta({ example: isSetInExample });
  const shape: Record<string, z.ZodType> = { is_set: isSet };
  for (const field of fields) {
    const { example } = field.meta;
    if (field.kind === "list") return z.array(z.email()).meta({ example });
    if (field.kind === "secret") shape[field.stored] = isSet;
    if (field.kind === "choice") shape[field.stored] = optionOf(field).meta({ example });
    if (field.kind === "url") {
      const [origin] = /^https?:..[^/]+/.exec(String(example)) ?? [];
      shape["origin"] = z
        .string()
        .nullable()
        .meta({ example: isSetInExample ? origin : null });
    }
  }
  return z.object(shape);
}

const states = Object.fromEntries(
  alertChannels.map((channel) => [replyField(channel), stateOf(channelForms[channel])]),
) as unknown as ReplyShape;

export const AlertSettings = z
  .object({
    ...states,
    problem: z.string().nullable().meta({
      description: "Why messages cannot be delivered and what to do; null if there is no problem.",
      example: null,
    }),
  })
  .meta({
    id: "AlertSettings",
    description: "URLs, keys and secrets are never returned in full, because anyone who has them can post.",
  });
export type AlertSettings = z.output<typeof AlertSettings>;

const endpoint = endpointIn("Alerts");

export const settingsEndpoints = [
  endpoint(calls.getAlertSettings, {
    summary: "Where alerts are delivered",
    roles: ["admin"],
    reply: AlertSettings,
  }),
  endpoint(calls.updateAlertSettings, {
    summary: "Change where alerts are delivered",
    description:
      "Omitted fields stay unchanged, null removes them. A webhook gets a POST with `X-Flamekeep-Timestamp` (Unix seconds), " +
      "`Idempotency-Key`, and with a secret `X-Flamekeep-Signature`: `v1=` and the hexadecimal HMAC-SHA256 of the " +
      "timestamp, a dot and the body.",
    roles: ["admin"],
    body: AlertSettingsChange,
    reply: AlertSettings,
  }),
  endpoint(calls.testAlertDelivery, {
    summary: "Send a test message to one channel, now",
    roles: ["admin"],
    body: z.object({ channel: z.enum(alertChannels) }),
    reply: z.object({
      delivered: z.boolean().meta({ example: true }),
      message: z.string().meta({ description: "The result, for people.", example: "Answered 200" }),
    }),
    failures: ["unprocessable"],
  }),
] as const;

const Channel = z.enum(digestChannels);

const schedule = {
  frequency: z.enum(["off", "daily", "weekly"]).meta({ example: "daily" }),
  hour_utc: z.int().min(0).max(23).meta({ description: "The hour at which it is sent, in UTC.", example: 7 }),
  weekday: z
    .enum(digestWeekdays)
    .meta({ description: "The day of a weekly digest, in UTC.", example: "monday" }),
  channels: z
    .array(Channel)
    .max(digestChannels.length)
    .meta({ description: "Channels that are not set up are skipped.", example: ["email", "slack"] }),
  is_sent_when_empty: z.boolean().meta({
    description: "Whether to send it when there are no incidents.",
    example: false,
  }),
};

export const AlertDigest = z
  .object({
    ...schedule,
    next_at: Instant.nullable().meta({
      description: "When the next one is due; null if it is off.",
      example: "2026-11-21T07:00:00.000Z",
    }),
    last: z
      .object({
        to: Instant.meta({ description: "End of the covered time." }),
        deliveries: z.array(
          z.object({
            channel: Channel.meta({ example: "email" }),
            status: z.enum(["due", "delivered", "failed"]).meta({ example: "delivered" }),
            error: z.string().nullable().meta({ example: null }),
          }),
        ),
      })
      .nullable()
      .meta({ description: "The last digest that was sent or is due; null before the first." }),
  })
  .meta({ id: "AlertDigest" });
export type AlertDigest = z.output<typeof AlertDigest>;

export const AlertDigestChange = z.object({
  frequency: schedule.frequency,
  hour_utc: schedule.hour_utc.default(7),
  weekday: schedule.weekday.default("monday"),
  channels: schedule.channels.default(["email"]),
  is_sent_when_empty: schedule.is_sent_when_empty.default(false),
});

export const digestEndpoints = [
  endpoint(calls.getAlertDigest, {
    summary: "Schedule and channels of the digest of incidents",
    roles: ["admin"],
    reply: AlertDigest,
  }),
  endpoint(calls.updateAlertDigest, {
    summary: "Change the schedule and channels of the digest",
    description:
      "A digest lists opened, resolved and open incidents since the previous digest, and the largest increases with their " +
      "functions. Muted alerts are excluded. Failed deliveries are retried for two days.",
    roles: ["admin"],
    body: AlertDigestChange,
    reply: AlertDigest,
  }),
] as const;
