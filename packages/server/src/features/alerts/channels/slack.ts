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
    // Links are those that are marked as such: Slack makes none of names, and loads no page to show it.
    const plain = { parse: "none", link_names: false, unfurl_links: false, unfurl_media: false };
    const body = JSON.stringify({ text: slackText(message), ...plain });
    const allowPrivate = ctx.config.alertWebhooksAllowPrivate;
    return post({ url, body, headers: { "idempotency-key": id }, allowPrivate });
  },
};

/** The beginning of an address, with slashes or without: apps of Slack make a link of both. */
const scheme = /\b(https?|ftp|file|mailto|tel|slack|javascript|data):/gi;

/** Without links and with Slack's three reserved characters escaped: senders choose the names of services and functions. */
export function slackText(message: Message): string {
  const { title, text } = message;
  const escaped = `*${title}*\n${text}`.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const links = labelledLinks(message).map(({ url, label }) => `<${url}|${label}>`);
  return `${escaped.replace(scheme, "$1 :")}\n${links.join(" or ")}`;
}
