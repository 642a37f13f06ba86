import { createHmac } from "node:crypto";
import type { Context } from "#context";
import type { Channel, Targets } from "./delivery-queries.ts";
import { sendMail } from "./mail.ts";
import { type Message, slackText } from "./message.ts";
import { post, type Sent } from "./post.ts";

/** One attempt over one channel. `id` is the same at every attempt, so that a receiver can tell repetitions. */
export async function sendMessage(
  ctx: Context,
  channel: Channel,
  targets: Targets,
  id: string,
  message: Message,
): Promise<Sent> {
  const allowPrivate = ctx.config.alertWebhooksAllowPrivate;
  if (channel === "email") {
    if (targets.emails.length === 0) return notSet;
    const text = `${message.text}\n\n${message.link}\n`;
    return sendMail(ctx, { id, to: targets.emails, subject: message.title, text });
  }
  if (channel === "slack") {
    if (targets.slackUrl === null) return notSet;
    const body = JSON.stringify({ text: slackText(message) });
    return post({ url: targets.slackUrl, body, headers: { "idempotency-key": id }, allowPrivate });
  }
  if (targets.webhookUrl === null) return notSet;
  const body = JSON.stringify(message);
  const headers = signed(body, targets.webhookSecret, ctx.now());
  return post({
    url: targets.webhookUrl,
    body,
    headers: { ...headers, "idempotency-key": id },
    allowPrivate,
  });
}

const notSet: Sent = { ok: false, message: "This channel is not set up" };

/** The time is signed with the body, so that a receiver can refuse what somebody recorded and sends again. */
export function signed(body: string, secret: string | null, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  if (secret === null) return { "x-flamekeep-timestamp": timestamp };
  const mac = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  return { "x-flamekeep-timestamp": timestamp, "x-flamekeep-signature": `v1=${mac}` };
}
