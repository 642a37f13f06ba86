import type { Readable } from "node:stream";

/** A file that an operation returns instead of JSON. */
export class FileReply {
  readonly contentType: string;
  readonly body: Uint8Array | Readable;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    contentType: string,
    body: Uint8Array | Readable,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.contentType = contentType;
    this.body = body;
    this.headers = headers;
  }
}
