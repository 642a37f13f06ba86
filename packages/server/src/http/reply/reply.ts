import type { Readable } from "node:stream";

export interface ReplyOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of the one of the contract. */
  readonly status?: number | undefined;
}

/** Returned by an operation whose JSON has headers or another status with it. */
export class Reply<T = unknown> {
  readonly body: T;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number | undefined;

  constructor(body: T, { headers = {}, status }: ReplyOptions = {}) {
    this.body = body;
    this.headers = headers;
    this.status = status;
  }
}

/** Returned by an operation that replies with bytes or a stream instead of JSON. */
export class FileReply extends Reply<Uint8Array | Readable> {
  readonly contentType: string;

  constructor(contentType: string, body: Uint8Array | Readable, options: ReplyOptions = {}) {
    super(body, options);
    this.contentType = contentType;
  }
}
