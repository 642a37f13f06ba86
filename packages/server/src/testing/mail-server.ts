import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

interface ReceivedMail {
  readonly to: readonly string[];
  /** Headers and text, decoded. */
  readonly source: string;
}

/** An SMTP server on this machine that keeps what it receives. */
export interface MailServer extends AsyncDisposable {
  /** For SMTP_URL. */
  readonly url: string;
  readonly mails: ReceivedMail[];
  /** Refuses this number of mails, one after the other. */
  refuse(count: number): void;
}

export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let refusals = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (refusals > 0) {
          refusals--;
          return done(new Error("try again later"));
        }
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ to, source: decoded(Buffer.concat(chunks).toString()) });
        done();
      });
    },
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse(count) {
      refusals = count;
    },
    [Symbol.asyncDispose]: () => new Promise<void>((closed) => server.close(() => closed())),
  };
}

/** Undoes quoted-printable for ASCII. */
function decoded(source: string): string {
  if (!source.includes("Content-Transfer-Encoding: quoted-printable")) return source;
  return source
    .replaceAll("=\r\n", "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The token of the link in a mail. */
export function tokenIn(source: string): string {
  const match = /\?token=([\w-]{43})\b/.exec(source);
  if (match === null) throw new Error(`no link with a token in: ${source}`);
  return match[1] as string;
}
