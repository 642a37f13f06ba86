import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import * as calls from "./calls.ts";
import { alertChannels } from "./channels.ts";
import { AlertSettingsChange, PagerDutyRegions } from "./settings-change.ts";

export const AlertSettings = z
  .object({
    webhook: z.object({
      is_set: z.boolean().meta({ example: true }),
      origin: z.string().nullable().meta({ example: "https://hooks.example.com" }),
      is_signed: z.boolean().meta({ example: true }),
    }),
    slack: z.object({
      is_set: z.boolean().meta({ example: false }),
      origin: z.string().nullable().meta({ example: null }),
    }),
    teams: z.object({
      is_set: z.boolean().meta({ example: false }),
      origin: z.string().nullable().meta({ example: null }),
    }),
    pagerduty: z.object({
      is_set: z.boolean().meta({ example: true }),
      region: PagerDutyRegions.meta({ example: "us" }),
    }),
    emails: z.array(z.email()).meta({ example: ["oncall@example.com"] }),
    problem: z.string().nullable().meta({
      description: "Why messages cannot be delivered and what to do; null if there is no problem.",
      example: null,
    }),
  })
  .meta({
    id: "AlertSettings",
    description: "URLs, keys and secrets are never returned in full, because they allow others to post.",
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
      "Fields that are left out stay as they are, null removes them. A webhook gets a POST with `X-Flamekeep-Timestamp` (Unix seconds), " +
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
