import { labelledLinks, type Message } from "./message.ts";
import { urlChannel } from "./url-channel.ts";

/** An incoming webhook of Slack. */
export const slack = urlChannel({
  name: "slack",
  label: "The Slack URL",
  body: (message) => ({
    text: slackText(message),
    // Links are those that are marked as such: Slack makes none of names, and loads no page to show it.
    parse: "none",
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
  }),
});

/** The beginning of an address, with slashes or without: apps of Slack make a link of both. */
const scheme = /\b(https?|ftp|file|mailto|tel|slack|javascript|data):/gi;

/** Without links and with Slack's three reserved characters escaped: senders choose the names of services and functions. */
export function slackText(message: Message): string {
  const { title, text } = message;
  const escaped = `*${title}*\n${text}`.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const links = labelledLinks(message).map(({ url, label }) => `<${url}|${label}>`);
  return `${escaped.replace(scheme, "$1 :")}\n${links.join(" or ")}`;
}
