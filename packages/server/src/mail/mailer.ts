import type { Config } from "#config";
import type { StoreLog } from "#store/log.ts";
import { openOutbox } from "./outbox.ts";
import { openSmtp } from "./smtp.ts";

export interface Mail {
  /** The same at every attempt, so that a mailbox recognises repetitions. */
  readonly id: string;
  readonly to: readonly string[];
  readonly subject: string;
  /** Plain text. It must not repeat names that people choose: a stranger could write a message with them. */
  readonly text: string;
}

/** `stored`: it is a file in the outbox. The log says why a mail failed. */
export type Delivery = "sent" | "stored" | "failed";

/** Sends mail through SMTP_URL, or without it writes it into the folder `outbox` of the data folder. */
export interface Mailer {
  /** Whether mail leaves the server. */
  readonly isSending: boolean;
  /** One attempt. */
  deliver(mail: Mail): Promise<Delivery>;
  /** The number of mails that wait in the outbox for an operator. */
  waiting(): Promise<number>;
}

export function openMailer(config: Config, log: StoreLog): Mailer {
  const from = { name: "Flamekeep", address: config.mailFrom };
  const toMessage = ({ id, to, subject, text }: Mail) => ({
    from,
    // As objects: a text would be read as a list, and an address may contain a comma.
    to: to.map((address) => ({ name: "", address })),
    subject,
    text,
    messageId: `<${id}@${new URL(config.publicUrl).hostname}>`,
    headers: { "Auto-Submitted": "auto-generated" },
  });
  const outbox = openOutbox(config.dataDir, log);
  const transport = config.smtpUrl === undefined ? outbox : openSmtp(config.smtpUrl);
  return {
    isSending: config.smtpUrl !== undefined,
    waiting: outbox.waiting,
    async deliver(mail) {
      try {
        return await transport.deliver(mail.id, toMessage(mail));
      } catch (error) {
        log.warn({ err: error, mail: mail.id }, "mail delivery failed");
        return "failed";
      }
    },
  };
}
