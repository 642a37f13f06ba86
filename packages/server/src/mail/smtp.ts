import { createTransport, type SendMailOptions } from "nodemailer";

const timeoutMs = 10_000;

/** One connection for each mail: there are few of them, and an idle connection would have to be kept alive. */
export function openSmtp(url: string) {
  const transport = createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // Mail has text only. Content that names a file or an address must not be read.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async deliver(_id: string, message: SendMailOptions): Promise<"sent"> {
      await transport.sendMail(message);
      return "sent";
    },
  };
}
