import type { AlertSettings, UrlChannel } from "@flamekeep/contract";
import { z } from "zod";
import type { Channel } from "./channel.ts";
import type { Message } from "./message.ts";
import { originOf, post } from "./post.ts";

interface Options {
  readonly name: UrlChannel;
  /** The beginning of a sentence about the URL. */
  readonly label: string;
  /** The message as the receiver reads it. */
  body(message: Message): object;
}

/** A channel that is one secret URL, which gets each message as JSON. */
export function urlChannel({ name, label, body }: Options): Channel<"url"> {
  return {
    name,
    secrets: { url: { label, isUrl: true } },
    settings: z.object({}),
    change: ({ [`${name}_url` as const]: url }) => ({ secrets: { url } }),
    isSetUp: ({ secrets }) => secrets.url !== undefined,
    present: ({ secrets }, opened) => {
      const state = { is_set: secrets.url !== undefined, origin: originOf(opened?.secrets.url) };
      return { [name]: state } as Partial<Pick<AlertSettings, UrlChannel>>;
    },
    send(ctx, { secrets: { url = "" } }, { id, message }) {
      const allowPrivate = ctx.config.alertWebhooksAllowPrivate;
      const headers = { "idempotency-key": id };
      return post({ url, body: JSON.stringify(body(message)), headers, allowPrivate });
    },
  };
}
