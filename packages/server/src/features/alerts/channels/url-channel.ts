import type { AlertChannel } from "@flamekeep/contract";
import { z } from "zod";
import type { Channel } from "./channel.ts";
import type { Message } from "./message.ts";
import { post } from "./post.ts";

interface Options {
  readonly name: AlertChannel;
  /** The beginning of a sentence about the URL. */
  readonly label: string;
  /** The message as the receiver reads it. */
  body(message: Message): object;
}

/** A channel that is one secret URL, which gets each message as JSON. */
export function urlChannel({ name, label, body }: Options): Channel<"url"> {
  return {
    name,
    secrets: { url: label },
    settings: z.object({}),
    send(ctx, { secrets: { url = "" } }, { id, message }) {
      const allowPrivate = ctx.config.alertWebhooksAllowPrivate;
      const headers = { "idempotency-key": id };
      return post({ url, body: JSON.stringify(body(message)), headers, allowPrivate });
    },
  };
}
