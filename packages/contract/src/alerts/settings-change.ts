import { z } from "zod";
import { limits } from "#base/limits.ts";
import { pagerDutyRegions } from "./channels.ts";

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
