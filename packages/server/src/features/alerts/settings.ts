import { randomUUID } from "node:crypto";
import type { AlertSettings, ReplyOf, testAlertDelivery, updateAlertSettings } from "@flamekeep/contract";
import { hourMs } from "@flamekeep/contract/durations";
import type { z } from "zod";
import type { Actor, Context, UserActor } from "#context";
import { rateLimited, unprocessable } from "#failure";
import { takeTokens } from "#store/row/token-bucket.ts";
import { limitRefusals } from "#telemetry/metrics.ts";
import {
  type Channel,
  channelsOf,
  keepTargets,
  openTargets,
  type SealedTargets,
  targetsOf,
} from "./delivery-queries.ts";
import { testMessage } from "./message.ts";
import { sendMessage } from "./send-message.ts";

type Change = z.output<(typeof updateAlertSettings)["body"]>;

export async function showSettings(ctx: Context, actor: Actor): Promise<AlertSettings> {
  return present(ctx, actor.orgId, await targetsOf(ctx.rows, actor.orgId));
}

export async function changeSettings(ctx: Context, actor: UserActor, change: Change): Promise<AlertSettings> {
  const { orgId, userId } = actor;
  const stored = await targetsOf(ctx.rows, orgId);
  // What was not sent stays as it is stored, even where it cannot be decrypted.
  const sealed = (column: string, text: string | null | undefined, before: string | null) => {
    if (text === undefined) return before;
    return text === null ? null : ctx.seal.seal(text, { orgId, column });
  };
  const targets: SealedTargets = {
    webhookUrl: sealed("webhookUrl", change.webhook_url, stored.webhookUrl),
    webhookSecret: sealed("webhookSecret", change.webhook_secret, stored.webhookSecret),
    slackUrl: sealed("slackUrl", change.slack_url, stored.slackUrl),
    emails: change.emails ?? stored.emails,
  };
  await keepTargets(ctx.rows, orgId, targets, ctx.now());
  ctx.log.info({ orgId, userId, channels: channelsOf(targets) }, "alert settings changed");
  return present(ctx, orgId, targets);
}

export async function testDelivery(
  ctx: Context,
  actor: UserActor,
  channel: Channel,
): Promise<ReplyOf<typeof testAlertDelivery>> {
  const { orgId } = actor;
  const stored = await targetsOf(ctx.rows, orgId);
  if (!channelsOf(stored).includes(channel)) throw unprocessable(`No ${channel} is set up to be tested`);
  await countTestMessage(ctx, orgId);
  const opened = openTargets(ctx.seal, orgId, stored, channel);
  if (!opened.ok) return { delivered: false, message: opened.message };
  const message = testMessage(ctx.config.publicUrl);
  const sent = await sendMessage(ctx, channel, opened.targets, randomUUID(), message);
  return { delivered: sent.ok, message: sent.message };
}

/** Test messages make this server call out, to addresses that anybody can enter. */
async function countTestMessage(ctx: Context, orgId: string): Promise<void> {
  const capacity = ctx.config.organization.testMessagesPerHour;
  // A bucket for each setting: what was used under a lower limit must not delay messages after it was raised.
  const subject = `test messages:${capacity}:${orgId}`;
  const bucket = { subject, capacity, refillMs: Math.ceil(hourMs / capacity) };
  const waitMs = await takeTokens(ctx.rows, [bucket], ctx.now());
  if (waitMs === 0) return;
  ctx.metrics.count(limitRefusals.name, limitRefusals.help, { limit: "test_messages" });
  const seconds = Math.ceil(waitMs / 1000);
  throw rateLimited(
    `Your organization sent ${capacity} test messages within an hour, the most this server allows (ORG_TEST_MESSAGES_PER_HOUR). Try again in ${seconds} s.`,
    seconds,
  );
}

function present(ctx: Context, orgId: string, stored: SealedTargets): AlertSettings {
  const webhook = openTargets(ctx.seal, orgId, stored, "webhook");
  const slack = openTargets(ctx.seal, orgId, stored, "slack");
  const problems = [webhook, slack].flatMap((opened) => (opened.ok ? [] : [opened.message]));
  return {
    webhook: {
      is_set: stored.webhookUrl !== null,
      origin: webhook.ok ? originOf(webhook.targets.webhookUrl) : null,
      is_signed: stored.webhookSecret !== null,
    },
    slack: { is_set: stored.slackUrl !== null, origin: slack.ok ? originOf(slack.targets.slackUrl) : null },
    emails: [...stored.emails],
    problem: problems.length === 0 ? null : problems.join(" "),
  };
}

function originOf(url: string | null): string | null {
  return url === null ? null : new URL(url).origin;
}
