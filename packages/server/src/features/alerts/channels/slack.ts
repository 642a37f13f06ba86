import { z } from "zod";
import type { Channel } from "./channel.ts";
import { labelledLinks, type Message } from "./message.ts";
import { originOf, post } from "./post.ts";

/** An incoming webhook of Slack. */
export const slack: Channel<"url"> = {
  name: "slack",
  secrets: { url: { label: "The Slack URL", isUrl: true } },
  settings: z.object({}),
  change: ({ slack_url: url }) => ({ secrets: { url } }),
  isSetUp: ({ secrets }) => secrets.url !== undefined,
  present: (stored, opened) => ({
    slack: { is_set: stored.secrets.url !== undefined, origin: originOf(opened?.secrets.url) },
  }),
  send(ctx, { secrets: { url = "" } }, { id, message }) {
    const body = JSON.stringify({ text: slackText(message) });
    const allowPrivate = ctx.config.alertWebhooksAllowPrivate;
    return post({ url, body, headers: { "idempotency-key": id }, allowPrivate });
  },
};

/** Escapes Slack's three reserved characters, because senders choose the names of services and functions. */
export function slackText(message: Message): string {
  const { title, text } = message;
  const escaped = `*${title}*\n${text}`.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const links = labelledLinks(message).map(({ url, label }) => `<${url}|${label}>`);
  return `${escaped}\n${links.join(" or ")}`;
}
