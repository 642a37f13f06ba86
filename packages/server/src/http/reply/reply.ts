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

/** Returned by an operation that was asked for the present state: the audit log gets no entry. */
export class Unchanged<T = unknown> extends Reply<T> {}

/** The reply to a change, which may have changed nothing. */
export function replyTo<T>(isChanged: boolean, body: T): T | Unchanged<T> {
  return isChanged ? body : new Unchanged(body);
}

/** Returned by an operation that replies with bytes or a stream instead of JSON. */
export class FileReply extends Reply<Uint8Array | Readable> {
  readonly contentType: string;

  constructor(contentType: string, body: Uint8Array | Readable, options: ReplyOptions = {}) {
    super(body, options);
    this.contentType = contentType;
  }
}

/** The quality of a media type: the `q` of the most specific range in `Accept` that contains it (RFC 9110, 12.5.1). */
export function acceptedQuality(accept: string, mediaType: string): { quality: number; isNamed: boolean } {
  const ranges = accept.split(",").map(rangeOf);
  const named = ranges.find(({ range }) => range === mediaType);
  const type = ranges.find(({ range }) => range === `${mediaType.split("/")[0]}/*`);
  const any = ranges.find(({ range }) => range === "*/*");
  return { quality: (named ?? type ?? any)?.quality ?? 0, isNamed: named !== undefined };
}

function rangeOf(text: string): { readonly range: string; readonly quality: number } {
  const [range = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  const quality = q === undefined ? 1 : Number(q);
  return { range, quality: Number.isFinite(quality) ? quality : 0 };
}

/** Whether `If-None-Match` matches the entity tag, by weak comparison (RFC 9110, 13.1.2); `*` matches every tag. */
export function isNamed(tag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  const named: readonly string[] = ifNoneMatch.match(/"[^"]*"/g) ?? [];
  return named.includes(tag.replace(/^W\//, ""));
}
