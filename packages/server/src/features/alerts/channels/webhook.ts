import { createHmac } from "node:crypto";
import { z } from "zod";
import type { Channel } from "./channel.ts";
import { originOf, post } from "./post.ts";

/** A POST of the message as JSON, signed if a secret is set. */
export const webhook: Channel<"url" | "secret"> = {
  name: "webhook",
  secrets: {
    url: { label: "The webhook's URL", isUrl: true },
    secret: { label: "The webhook's secret", isUrl: false },
  },
  settings: z.object({}),
  change: ({ webhook_url: url, webhook_secret: secret }) => ({ secrets: { url, secret } }),
  isSetUp: ({ secrets }) => secrets.url !== undefined,
  present: (stored, opened) => ({
    webhook: {
      is_set: stored.secrets.url !== undefined,
      origin: originOf(opened?.secrets.url),
      is_signed: stored.secrets.secret !== undefined,
    },
  }),
  send(ctx, { secrets: { url = "", secret } }, { id, message }) {
    const body = JSON.stringify(message);
    const headers = { ...signatureOf(body, secret, ctx.now()), "idempotency-key": id };
    return post({ url, body, headers, allowPrivate: ctx.config.alertWebhooksAllowPrivate });
  },
};

/** The time is signed with the body, so that a receiver can refuse a recorded request that is sent again. */
function signatureOf(body: string, secret: string | undefined, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  if (secret === undefined) return { "x-flamekeep-timestamp": timestamp };
  const mac = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  return { "x-flamekeep-timestamp": timestamp, "x-flamekeep-signature": `v1=${mac}` };
}
