import { randomUUID } from "node:crypto";
import type { AlertSettings, ReplyOf, testAlertDelivery, updateAlertSettings } from "@flamekeep/contract";
import type { z } from "zod";
import type { Actor, Context } from "#context";
import { unprocessable } from "#failure";
import { requireRole } from "#http/actor.ts";
import { type Channel, channelsOf, keepTargets, type Targets, targetsOf } from "./delivery-queries.ts";
import { testMessage } from "./message.ts";
import { sendMessage } from "./send-message.ts";

type Change = z.output<(typeof updateAlertSettings)["body"]>;

export async function showSettings(ctx: Context, actor: Actor): Promise<AlertSettings> {
  requireRole(actor, "admin");
  return present(await targetsOf(ctx.rows, actor.orgId));
}

export async function changeSettings(ctx: Context, actor: Actor, change: Change): Promise<AlertSettings> {
  requireRole(actor, "admin");
  const { orgId, userId } = actor;
  const known = await targetsOf(ctx.rows, orgId);
  const targets: Targets = {
    webhookUrl: change.webhook_url === undefined ? known.webhookUrl : change.webhook_url,
    webhookSecret: change.webhook_secret === undefined ? known.webhookSecret : change.webhook_secret,
    slackUrl: change.slack_url === undefined ? known.slackUrl : change.slack_url,
    emails: change.emails ?? known.emails,
  };
  await keepTargets(ctx.rows, orgId, targets, ctx.now());
  ctx.log.info({ orgId, userId, channels: channelsOf(targets) }, "alert settings changed");
  return present(targets);
}

export async function testDelivery(
  ctx: Context,
  actor: Actor,
  channel: Channel,
): Promise<ReplyOf<typeof testAlertDelivery>> {
  requireRole(actor, "admin");
  const targets = await targetsOf(ctx.rows, actor.orgId);
  if (!channelsOf(targets).includes(channel)) throw unprocessable(`No ${channel} is set up to be tested`);
  const sent = await sendMessage(ctx, channel, targets, randomUUID(), testMessage(ctx.config.publicUrl));
  return { delivered: sent.ok, message: sent.message };
}

function present({ webhookUrl, webhookSecret, slackUrl, emails }: Targets): AlertSettings {
  return {
    webhook: { is_set: webhookUrl !== null, origin: originOf(webhookUrl), is_signed: webhookSecret !== null },
    slack: { is_set: slackUrl !== null, origin: originOf(slackUrl) },
    emails: [...emails],
  };
}

function originOf(url: string | null): string | null {
  return url === null ? null : new URL(url).origin;
}
