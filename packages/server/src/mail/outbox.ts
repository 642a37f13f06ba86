import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport, type SendMailOptions } from "nodemailer";
import type { StoreLog } from "#store/log.ts";

/** Writes each mail into a file that only the server's user can read, for an operator to hand over. */
export function openOutbox(dataDir: string, log: StoreLog) {
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
