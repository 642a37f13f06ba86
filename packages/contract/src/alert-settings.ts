import { z } from "zod";
import { alertChannels, pagerDutyRegions } from "./alert-channels.ts";
import { endpoint } from "./endpoint.ts";
import { limits } from "./limits.ts";

export const PagerDutyRegions = z.enum(pagerDutyRegions);

function deliveryUrl(name: string, example: string) {
  const error = `${name} must be an http or https URL without a name and password in it`;
  return z
    .url({ protocol: /^https?$/, error })
    .max(limits.deliveryUrlLengthMax)
    .refine((url) => !/^https?:[/\\]*[^/\\?#]*@/i.test(url), { error })
    .nullable()
    .optional()
    .meta({ example });
}

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

export const AlertSettingsChange = z.object({
  webhook_url: deliveryUrl("webhook_url", "https://hooks.example.com/flamekeep"),
  webhook_secret: z
    .string()
    .min(limits.webhookSecretLengthMin, {
      error: `webhook_secret must be at least ${limits.webhookSecretLengthMin} characters long`,
    })
    .max(200, { error: "webhook_secret must be at most 200 characters long" })
    .nullable()
    .optional()
    .meta({ example: "whsec-7Kq2nB4xWm1D9vLc" }),
  slack_url: deliveryUrl("slack_url", "https://hooks.slack.com/services/T000/B000/XXXX"),
  teams_url: deliveryUrl(
    "teams_url",
    "https://prod-01.westeurope.logic.azure.com/workflows/0a1b/triggers/manual/paths/invoke?sig=XXXX",
  ).meta({ description: "Of a workflow that posts what it receives, or an incoming webhook." }),
  pagerduty_routing_key: z
    .string()
    .regex(/^[A-Za-z0-9]{32}$/, {
      error: "pagerduty_routing_key must be 32 letters and digits",
    })
    .nullable()
    .optional()
    .meta({
      description: "The integration key of an Events API v2 integration.",
      example: "e93facc04764012d7bfb002500d5d1a6",
    }),
  pagerduty_region: PagerDutyRegions.optional().meta({ example: "us" }),
  emails: z
    .array(z.email().max(limits.emailLengthMax))
    .max(limits.alertEmailsMax)
    .optional()
    .meta({ example: ["oncall@example.com"] }),
});
export type AlertSettingsChange = z.input<typeof AlertSettingsChange>;

const area = "Alerts";
const path = "/api/v1/protected/alert-settings";

export const getAlertSettings = endpoint({
  method: "GET",
  path,
  area,
  summary: "Where alerts are delivered",
  auth: "session",
  roles: ["admin"],
  reply: AlertSettings,
});

export const updateAlertSettings = endpoint({
  method: "PUT",
  path,
  area,
  summary: "Change where alerts are delivered",
  description:
    "Fields that are left out stay as they are, null removes them. A webhook gets a POST with `X-Flamekeep-Timestamp` (Unix seconds), " +
    "`Idempotency-Key`, and with a secret `X-Flamekeep-Signature`: `v1=` and the hexadecimal HMAC-SHA256 of the " +
    "timestamp, a dot and the body.",
  auth: "session",
  roles: ["admin"],
  body: AlertSettingsChange,
  reply: AlertSettings,
});

export const testAlertDelivery = endpoint({
  method: "POST",
  path: `${path}/test`,
  area,
  summary: "Send a test message to one channel, now",
  auth: "session",
  roles: ["admin"],
  body: z.object({ channel: z.enum(alertChannels) }),
  reply: z.object({
    delivered: z.boolean().meta({ example: true }),
    message: z.string().meta({ description: "The result, for people.", example: "Answered 200" }),
  }),
  failures: ["unprocessable"],
});
