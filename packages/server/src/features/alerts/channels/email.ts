import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { z } from "zod";
import type { Channel } from "./channel.ts";

const timeoutMs = 10_000;

/** Mail through SMTP_URL; without it into the folder `outbox` of the data folder, one file for each mail. */
export const email: Channel<never, { addresses: string[] }> = {
  name: "email",
  secrets: {},
  settings: z.object({ addresses: z.array(z.string()).default([]) }),
  change: ({ emails }) => ({
    secrets: {},
    settings: emails === undefined ? undefined : { addresses: emails },
  }),
  isSetUp: ({ settings }) => settings.addresses.length > 0,
  present: ({ settings }) => ({ emails: [...settings.addresses] }),
  async send({ config, log }, { settings: { addresses } }, { id, message }) {
    const host = new URL(config.publicUrl).hostname;
    const content = {
      from: { name: "Flamekeep", address: `flamekeep@${host}` },
      to: [...addresses],
      subject: message.title,
      text: `${message.text}\n\n${message.link}\n`,
      messageId: `<${id}@${host}>`,
    };
    try {
      if (config.smtpUrl !== undefined) {
        const timeouts = {
          connectionTimeout: timeoutMs,
          greetingTimeout: timeoutMs,
          socketTimeout: timeoutMs,
        };
        await createTransport({ url: config.smtpUrl, ...timeouts }).sendMail(content);
        return { ok: true, message: "Handed to the mail server" };
      }
      const mail = await createTransport({ streamTransport: true, buffer: true }).sendMail(content);
      const outbox = join(config.dataDir, "outbox");
      await mkdir(outbox, { recursive: true, mode: 0o700 });
      await writeFile(join(outbox, `${id}.eml`), mail.message as Buffer, { mode: 0o600 });
      log.info({ mail: id, recipients: addresses.length }, "SMTP_URL is not set: mail put into the outbox");
      return { ok: true, message: "SMTP_URL is not set: the mail lies in the outbox of the data folder" };
    } catch (error) {
      // The error names the mail server, which concerns the operator and not the organization.
      log.warn({ err: error, mail: id }, "mail delivery failed");
      return { ok: false, message: "The mail server did not take the mail. The server's log says why." };
    }
  },
};
