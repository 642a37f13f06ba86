import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type * as calls from "@flamekeep/contract";
import type { AlertSettings } from "@flamekeep/contract";
import { hourMs } from "@flamekeep/contract/durations";
import { takeMailAllowance } from "#auth/sign-in-limits/mail-limits.ts";
import type { Actor, Context, UserActor } from "#context";
import { rateLimited, unprocessable } from "#failure";
import type { Operation } from "#http/endpoint/serve.ts";
import { replyTo, type Unchanged } from "#http/reply/reply.ts";
import type { StoredTargets } from "#store/row/delivery-targets.ts";
import { lockedTransaction } from "#store/row/organization-lock.ts";
import { takeTokens } from "#store/row/token-bucket.ts";
import { limitRefusals } from "#telemetry/metrics.ts";
import type { SettingsChange } from "./channels/channel.ts";
import { testMessage } from "./channels/message.ts";
import { channels } from "./channels/table.ts";
import {
  changeTargets,
  channelsOf,
  getTargets,
  sendMessage,
  storedTarget,
  storeTargets,
} from "./channels/targets.ts";
import { splitPage, toPage } from "./row/paging.ts";
import { shownAlerts } from "./store/handling.ts";
import { presentSettings } from "./store/present.ts";
import { alertPage, unmutedAlerts } from "./store/queries.ts";

export const listAlerts: Operation<typeof calls.listAlerts> = async (ctx, { orgId }, query) => {
  const [found, open] = await Promise.all([
    alertPage(ctx.rows, orgId, toPage(query, ctx.now())),
    unmutedAlerts(ctx.rows, orgId, ctx.now()),
  ]);
  const { page, next_cursor } = splitPage(found, query.limit);
  return { alerts: await shownAlerts(ctx, orgId, page), next_cursor, open_count: open.length };
};

export async function getAlertSettings(ctx: Context, { orgId }: Actor): Promise<AlertSettings> {
  return presentSettings(await getTargets(ctx.rows, orgId), { seal: ctx.seal, orgId });
}

export async function updateAlertSettings(
  ctx: Context,
  { orgId, userId }: UserActor,
  change: SettingsChange,
): Promise<AlertSettings | Unchanged<AlertSettings>> {
  const sealing = { seal: ctx.seal, orgId };
  const { isChanged, targets } = await lockedTransaction(ctx.rows, orgId, async (rows) => {
    // Two changes at the same time change different fields: each must see what the other stored.
    const stored = await getTargets(rows, orgId);
    const checks = { ...sealing, allowPrivate: ctx.config.alertWebhooksAllowPrivate };
    const targets = changeTargets(stored, change, checks);
    const isChanged = !isDeepStrictEqual(targets, changeTargets(stored, {}, checks));
    if (isChanged) await storeTargets(rows, orgId, targets, ctx.now());
    return { isChanged, targets };
  });
  if (isChanged) ctx.log.info({ orgId, userId, channels: channelsOf(targets) }, "alert settings changed");
  return replyTo(isChanged, presentSettings(targets, sealing));
}

export const testAlertDelivery: Operation<typeof calls.testAlertDelivery> = async (
  ctx,
  { orgId },
  { channel },
) => {
  const stored: StoredTargets = await getTargets(ctx.rows, orgId);
  if (!channelsOf(stored).includes(channel)) throw unprocessable(`The channel ${channel} is not set up`);
  await countTestMessage(ctx, orgId);
  const { mailboxes } = channels[channel];
  await countTestMails(ctx, mailboxes?.(storedTarget(stored, channels[channel])) ?? []);
  const outgoing = { id: randomUUID(), message: testMessage(ctx.config.publicUrl) };
  const sent = await sendMessage(ctx, { orgId, stored, channel: channels[channel] }, outgoing);
  return { delivered: sent.ok, message: sent.message };
};

/** Anybody may enter the address of a stranger: a mailbox gets no more test messages than other mail that others cause. */
async function countTestMails(ctx: Context, addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    if (await takeMailAllowance(ctx, "alert test", address.trim().toLowerCase())) continue;
    throw rateLimited(`${address} received three test messages. Try again in 20 min.`, 20 * 60);
  }
}

/** Limits test messages, because they make this server send requests to addresses that anybody can enter. */
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
    `Your organization has reached the limit of ${capacity} test messages per hour (ORG_TEST_MESSAGES_PER_HOUR). Try again in ${seconds} s.`,
    seconds,
  );
}
