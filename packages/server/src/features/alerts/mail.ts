import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import type { Context } from "#context";
import type { Sent } from "./post.ts";

export interface Mail {
  /** Also the name of its file in the outbox. */
  readonly id: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

const timeoutMs = 10_000;

/** Through SMTP_URL; without it into the folder `outbox` of the data folder, one file a mail. */
export async function sendMail({ config, log }: Context, mail: Mail): Promise<Sent> {
  const host = new URL(config.publicUrl).hostname;
  const content = {
    from: { name: "Flamekeep", address: `flamekeep@${host}` },
    to: [...mail.to],
    subject: mail.subject,
    text: mail.text,
    messageId: `<${mail.id}@${host}>`,
  };
  try {
    if (config.smtpUrl !== undefined) {
      const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
      await createTransport({ url: config.smtpUrl, ...timeouts }).sendMail(content);
      return { ok: true, message: "Handed to the mail server" };
    }
    const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(content);
    const outbox = join(config.dataDir, "outbox");
    await mkdir(outbox, { recursive: true, mode: 0o700 });
    await writeFile(join(outbox, `${mail.id}.eml`), message as Buffer, { mode: 0o600 });
    log.info({ mail: mail.id, recipients: mail.to.length }, "SMTP_URL is not set: mail put into the outbox");
    return { ok: true, message: "SMTP_URL is not set: the mail lies in the outbox of the data folder" };
  } catch (error) {
    // The error names the mail server, which is the operator's business and not an organization's.
    log.warn({ err: error, mail: mail.id }, "mail delivery failed");
    return { ok: false, message: "The mail server did not take the mail. The server's log says why." };
  }
}
