import { createHmac } from "node:crypto";
import { z } from "zod";
import type { Channel } from "./channel.ts";
import { post } from "./post.ts";

/** A POST of the message as JSON, signed if a secret is set. */
export const webhook: Channel<"url" | "secret"> = {
  name: "webhook",
  secrets: { url: "The webhook's URL", secret: "The webhook's secret" },
  settings: z.object({}),
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
