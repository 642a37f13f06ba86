import type { MessageName } from "@flamekeep/contract/schemas";
import type { Context } from "#context";
import type { MessageOf } from "./wire/message-of.ts";

/** The organization that reads, and how. */
export interface Reading {
  readonly ctx: Context;
  readonly orgId: string;
  /** The codec of the request, in which the reply is sent, too. */
  readonly isJson: boolean;
}

/** A reply that the decoding thread has written already. */
export class WrittenMessage {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** Answers a call: with the fields of a message, or with its bytes. */
export type ReaderOperation<Q extends MessageName, R extends MessageName> = (
  reading: Reading,
  request: MessageOf<Q>,
) => Promise<MessageOf<R> | WrittenMessage> | MessageOf<R> | WrittenMessage;
