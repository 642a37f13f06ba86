import { labelledLinks, type Message } from "./message.ts";
import { urlChannel } from "./url-channel.ts";

/** The URL of a Teams workflow that posts what it receives, or of an incoming webhook. */
export const teams = urlChannel({ name: "teams", label: "The Teams URL", body: teamsMessage });

const schema = "http://adaptivecards.io/schemas/adaptive-card.json";

/** A message with one Adaptive Card. */
export function teamsMessage(message: Message) {
  const content = {
    type: "AdaptiveCard",
    $schema: schema,
    version: "1.4",
    msteams: { width: "Full" },
    fallbackText: message.title,
    body: [
      line(message.title, { size: "Medium", weight: "Bolder", color: colorOf(message) }),
      ...message.text.split("\n").map((text) => line(text)),
    ],
    actions: labelledLinks(message).map(({ url, label }) => ({ type: "Action.OpenUrl", title: label, url })),
  };
  const contentType = "application/vnd.microsoft.card.adaptive";
  return { type: "message", attachments: [{ contentType, contentUrl: null, content }] };
}

/** Senders choose the names of services and functions. A TextBlock would read them as Markdown, a TextRun does not. */
function line(text: string, style: Readonly<Record<string, string>> = {}) {
  return { type: "RichTextBlock", inlines: [{ type: "TextRun", text, ...style }] };
}

function colorOf({ event, alert }: Message): string {
  if (event === "resolved") return "Good";
  if (alert?.severity === "critical") return "Attention";
  return alert?.severity === "warning" ? "Warning" : "Default";
}
