import { z } from "zod";
import type { Delivery } from "#mail/mailer.ts";
import type { Channel, Sent } from "./channel.ts";
import { labelledLinks } from "./message.ts";

/** The text for admins of the organization. The name of the mail server concerns the operator only: it is in the log. */
const results: Record<Delivery, Sent> = {
  sent: { ok: true, message: "Accepted by the mail server" },
  stored: {
    ok: true,
    message: "SMTP_URL is not set: the mail was written to the folder outbox of the data folder",
  },
  failed: { ok: false, message: "The mail server rejected the mail. Flamekeep's log has the reason." },
};

/** Mail through SMTP_URL; without it into the folder `outbox` of the data folder, one file for each mail. */
export const email: Channel<never, { addresses: string[] }> = {
  name: "email",
  secrets: {},
  settings: z.object({ addresses: z.array(z.string()).default([]) }),
  mailboxes: ({ settings }) => settings.addresses,
  async send({ mailer }, { settings: { addresses } }, { id, message }) {
    const links = labelledLinks(message).map(({ url, label }) => `${label}:\n${url}`);
    const text = `${message.text}\n\n${links.join("\n\n")}\n`;
    return results[await mailer.deliver({ id, to: addresses, subject: message.title, text })];
  },
};
