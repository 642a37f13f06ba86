import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport, type SendMailOptions } from "nodemailer";
import type { Config } from "#config";
import type { StoreLog } from "#store/log.ts";

export interface Mail {
  /** The same at every attempt, so that a mailbox recognises repetitions. */
  readonly id: string;
  readonly to: readonly string[];
  readonly subject: string;
  /** Plain text. It must not repeat names that people choose as they are: a stranger could write a message with them. */
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

/** Writes each mail into a file that only the server's user can read, for an operator to hand over. */
function openOutbox(dataDir: string, log: StoreLog) {
  const folder = join(dataDir, "outbox");
  const transport = createTransport({ streamTransport: true, buffer: true });
  return {
    async deliver(id: string, message: SendMailOptions): Promise<"stored"> {
      const { message: bytes } = await transport.sendMail(message);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const readable = withoutEncoding((bytes as Buffer).toString(), String(message.text));
      await writeFile(join(folder, `${id}.eml`), readable, { mode: 0o600 });
      log.warn(
        { file: `outbox/${id}.eml`, subject: message.subject },
        "SMTP_URL is not set: mail was written to the outbox folder instead of being sent",
      );
      return "stored";
    },
    async waiting(): Promise<number> {
      try {
        return (await readdir(folder)).filter((name) => name.endsWith(".eml")).length;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return 0;
        throw error;
      }
    },
  };
}

/** The same mail with its text as it is: quoted-printable breaks links into lines, and people read this file. */
function withoutEncoding(source: string, text: string): string {
  const headers = source.slice(0, source.indexOf("\r\n\r\n"));
  const unencoded = headers.replace(/^Content-Transfer-Encoding: .*$/m, "Content-Transfer-Encoding: 8bit");
  return `${unencoded}\r\n\r\n${text.replaceAll("\n", "\r\n")}`;
}

const timeoutMs = 10_000;

/** One connection for each mail: there are few of them, and an idle connection would have to be kept alive. */
function openSmtp(url: string) {
  const transport = smtpTransport(url);
  return {
    async deliver(_id: string, message: SendMailOptions): Promise<"sent"> {
      await transport.sendMail(message);
      return "sent";
    },
  };
}

/** Connects and signs in, and sends nothing. Throws the error of the mail server. */
export async function trySmtp(url: string): Promise<void> {
  const transport = smtpTransport(url);
  await transport.verify().finally(() => transport.close());
}

function smtpTransport(url: string) {
  return createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // Mail has text only. Content that names a file or an address must not be read.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
