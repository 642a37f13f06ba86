import type { Alert } from "@flamekeep/contract";
import { AlertSettings } from "@flamekeep/contract/schemas";
import { z } from "zod";
import type { Context } from "#context";
import type { Channel, Outgoing, Sent } from "./channel.ts";
import { labelledLinks, type Message } from "./message.ts";
import { post } from "./post.ts";

type Region = AlertSettings["pagerduty"]["region"];

/** Each service region has its server, which knows only its keys. */
const servers: Readonly<Record<Region, string>> = {
  us: "https://events.pagerduty.com",
  eu: "https://events.eu.pagerduty.com",
};

/** Longer summaries are cut off by PagerDuty. */
const summaryLengthMax = 1024;

type PagerDuty = Channel<"key", { region: Region }>;

/** The Events API v2 of PagerDuty: an incident here is one there, under the same id, until it resolves. */
export function pagerDutyAt(origins: Readonly<Record<Region, string>>): PagerDuty {
  return {
    name: "pagerduty",
    secrets: { key: "The PagerDuty routing key" },
    settings: z.object({ region: AlertSettings.shape.pagerduty.shape.region.default("us") }),
    async send(ctx, { secrets: { key = "" }, settings: { region } }, outgoing) {
      const url = `${origins[region]}/v2/enqueue`;
      let sent: Sent = { ok: false, message: "No message was sent" };
      for (const event of eventsOf(outgoing, ctx)) {
        const body = JSON.stringify({ routing_key: key, ...event });
        const headers = { "idempotency-key": outgoing.id };
        sent = await post({ url, body, headers, allowPrivate: ctx.config.alertWebhooksAllowPrivate });
        if (!sent.ok) break;
      }
      return sent;
    },
  };
}

export const pagerDuty = pagerDutyAt(servers);

/** A test wakes nobody for long: its incident is resolved at once. */
function eventsOf({ id, message }: Outgoing, { config: { publicUrl } }: Pick<Context, "config">): object[] {
  const key = { dedup_key: `flamekeep-${message.incident?.id ?? id}` };
  const resolve = { event_action: "resolve", ...key };
  if (message.event === "resolved") return [resolve];
  const trigger = {
    event_action: "trigger",
    ...key,
    client: "Flamekeep",
    client_url: publicUrl,
    links: labelledLinks(message).map(({ url, label }) => ({ href: url, text: label })),
    payload: payloadOf(message),
  };
  return message.event === "test" ? [trigger, resolve] : [trigger];
}

function payloadOf({ title, text, alert, incident }: Message) {
  const summary = title.slice(0, summaryLengthMax);
  if (alert === null) {
    return { summary, source: "Flamekeep", severity: "info", custom_details: { description: text } };
  }
  return {
    summary,
    source: alert.service,
    component: alert.service,
    class: alert.profile_type,
    severity: alert.severity,
    timestamp: alert.timestamp,
    custom_details: { description: text, signals: incident?.signals.map(detailsOf) },
  };
}

function detailsOf(alert: Alert) {
  return {
    service: alert.service,
    profile_type: alert.profile_type,
    began_at: alert.began_at,
    began_error_seconds: alert.began_error_seconds,
    previous_value: alert.previous_value,
    current_value: alert.current_value,
    unit: alert.unit,
    percent_change: alert.percent_change,
    instances: alert.instances,
    version: alert.version,
    functions: alert.functions.map(({ name, share }) => ({ name, share })),
  };
}
