import type { AlertChannel } from "@flamekeep/contract";
import type { Channel } from "./channel.ts";
import { email } from "./email.ts";
import { pagerDuty } from "./pagerduty.ts";
import { slack } from "./slack.ts";
import { teams } from "./teams.ts";
import { webhook } from "./webhook.ts";

/** Every channel, in the order in which replies and log lines list them. */
export const channels: Readonly<Record<AlertChannel, Channel>> = {
  webhook,
  slack,
  teams,
  pagerduty: pagerDuty,
  email,
};
