import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import type {
  ByteRange,
  ObjectLocation,
  ObjectStorageConfig,
  ObjectStore,
  StreamedContent,
} from "./object-store.ts";
import { isMissing, isTransient, objectFailure } from "./s3-failure.ts";

/** Larger objects are sent in parts. A part is in memory while it is sent. */
const partBytesMin = 8 * 1024 * 1024;
/** A limit of S3. */
const partsMax = 10_000;
const attemptsMax = 6;
/** Connections that break in a row, without a byte. */
const breaksMax = 5;
const connectMsMax = 10_000;
const silentMsMax = 60_000;

export function openS3(config: ObjectStorageConfig, { bucket, prefix }: ObjectLocation): ObjectStore {
  const client = clientOf(config);
  const place = { bucket, endpoint: config.endpoint, url: `s3://${bucket}/${prefix}`.replace(/\/$/, "") };
  const named = (key: string) => ({ Bucket: bucket, Key: prefix + key });
  const all = { Bucket: bucket, Prefix: prefix };
  const rethrow = (action: string) => (cause: unknown) => {
    throw objectFailure(place, action, cause);
  };
  const attempt = <T>(action: string, calling: Promise<T>): Promise<T> => calling.catch(rethrow(action));
  const attempted = async function* <T>(action: string, items: AsyncIterable<T>): AsyncGenerator<T> {
    const next = items[Symbol.asyncIterator]();
    for (;;) {
      const { done, value } = await attempt(action, next.next());
      if (done) return;
      yield value;
    }
  };

  return {
    url: place.url,
    put: (key, content) =>
      attempt(
        "s3:PutObject",
        content instanceof Uint8Array
          ? putWhole(client, named(key), content)
          : putStreamed(client, named(key), content),
      ),
    async get(key, range) {
      const ask = (at: number, etag?: string) =>
        client.send(
          new GetObjectCommand({ ...named(key), ...rangeFrom(at, range), ...(etag && { IfMatch: etag }) }),
        );
      if (range?.bytes === 0) return nothing();
      const reply = await attempt("s3:GetObject", ask(0).catch(undefinedIfMissing));
      return reply && resuming(reply, ask, rethrow("s3:GetObject"));
    },
    async head(key) {
      const asking = client.send(new HeadObjectCommand(named(key))).catch(undefinedIfMissing);
      const reply = await attempt("s3:GetObject", asking);
      return reply && { key, bytes: reply.ContentLength ?? 0, changedMs: timeOf(reply.LastModified) };
    },
    async *list(below) {
      const pages = paginateListObjectsV2({ client }, { ...all, Prefix: prefix + below });
      for await (const { Contents = [] } of attempted("s3:ListBucket", pages))
        for (const { Key = "", Size = 0, LastModified } of Contents)
          yield { key: Key.slice(prefix.length), bytes: Size, changedMs: timeOf(LastModified) };
    },
    async remove(key) {
      await attempt("s3:DeleteObject", client.send(new DeleteObjectCommand(named(key))));
    },
    async removeUnfinished() {
      for await (const upload of attempted("s3:ListBucketMultipartUploads", unfinishedUploads(client, all)))
        await attempt("s3:AbortMultipartUpload", client.send(new AbortMultipartUploadCommand(upload)));
    },
    [Symbol.dispose]: () => client.destroy(),
  };
}

function clientOf(config: ObjectStorageConfig): S3Client {
  const { endpoint, region, credentials } = config;
  return new S3Client({
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    ...(credentials !== undefined && { credentials }),
    forcePathStyle: config.isPathStyle,
    maxAttempts: attemptsMax,
    // Readers compare the SHA-256 of the whole, which also covers an object that arrives in several pieces.
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: connectMsMax, socketTimeout: silentMsMax },
  });
}

async function* unfinishedUploads(
  client: S3Client,
  all: { readonly Bucket: string; readonly Prefix: string },
) {
  let page: Partial<ListMultipartUploadsCommandOutput> = {};
  do {
    const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
    page = await client.send(new ListMultipartUploadsCommand({ ...all, KeyMarker, UploadIdMarker }));
    for (const { Key, UploadId } of page.Uploads ?? []) yield { Bucket: all.Bucket, Key, UploadId };
  } while (page.IsTruncated);
}

interface Named {
  readonly Bucket: string;
  readonly Key: string;
}

/** The storage refuses bytes with another sum. */
const sumOf = (content: Uint8Array) => ({
  Body: content,
  ChecksumSHA256: createHash("sha256").update(content).digest("base64"),
});

async function putWhole(client: S3Client, named: Named, content: Uint8Array): Promise<void> {
  await retryDamaged(() => client.send(new PutObjectCommand({ ...named, ...sumOf(content) })));
}

/** Bytes that were changed on their way: the client library does not send them again. */
async function retryDamaged<T>(send: () => Promise<T>, attempts = 3): Promise<T> {
  try {
    return await send();
  } catch (error) {
    const isDamaged = /^(BadDigest|XAmzContent(SHA256|Checksum)Mismatch)$/.test((error as Error).name);
    if (!isDamaged || attempts === 1) throw error;
    return retryDamaged(send, attempts - 1);
  }
}

async function putStreamed(
  client: S3Client,
  named: Named,
  { bytes, chunks }: StreamedContent,
): Promise<void> {
  const partBytes = Math.max(partBytesMin, Math.ceil(bytes / partsMax));
  const parts = partsOf(chunks, bytes, partBytes);
  if (bytes <= partBytes) {
    for await (const part of parts) await putWhole(client, named, part);
    return;
  }
  const create = new CreateMultipartUploadCommand({ ...named, ChecksumAlgorithm: "SHA256" });
  const { UploadId } = await client.send(create);
  try {
    const Parts: CompletedPart[] = [];
    for await (const part of parts) {
      const PartNumber = Parts.length + 1;
      const sent = { ...named, UploadId, PartNumber, ...sumOf(part) };
      const { ETag } = await retryDamaged(() => client.send(new UploadPartCommand(sent)));
      Parts.push({ PartNumber, ETag, ChecksumSHA256: sent.ChecksumSHA256 });
    }
    await client.send(new CompleteMultipartUploadCommand({ ...named, UploadId, MultipartUpload: { Parts } }));
  } catch (error) {
    // The first error counts. The next backup, or the bucket's lifecycle, removes parts that stay.
    await client.send(new AbortMultipartUploadCommand({ ...named, UploadId })).catch(() => {});
    throw error;
  }
}

/**
 * Parts of this size, the last one smaller, and one empty part of nothing. Asks for the end of the chunks before it yields the last part.
 * The memory of a part is used again once the next one is asked for. Throws for more or fewer bytes than announced.
 */
async function* partsOf(
  chunks: AsyncIterable<Uint8Array>,
  bytes: number,
  partBytes: number,
): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(bytes, partBytes));
  let filled = 0;
  let left = bytes;
  for await (const chunk of chunks) {
    if (chunk.length > left) throw new Error(`The object has more than the ${bytes} bytes announced.`);
    left -= chunk.length;
    for (let at = 0; at < chunk.length; ) {
      if (filled === partBytes) {
        yield buffer;
        filled = 0;
      }
      const piece = chunk.subarray(at, at + partBytes - filled);
      buffer.set(piece, filled);
      filled += piece.length;
      at += piece.length;
    }
  }
  if (left > 0) throw new Error(`The object has ${left} bytes fewer than the ${bytes} announced.`);
  yield buffer.subarray(0, filled);
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

function rangeFrom(at: number, range: ByteRange | undefined): { readonly Range?: string } {
  if (range !== undefined) return { Range: `bytes=${range.from + at}-${range.from + range.bytes - 1}` };
  return at === 0 ? {} : { Range: `bytes=${at}-` };
}

/** The bytes of a reply, and of further ones where it breaks off. */
async function* resuming(
  first: GetObjectCommandOutput,
  ask: (at: number, etag?: string) => Promise<GetObjectCommandOutput>,
  rethrown: (cause: unknown) => never,
): AsyncGenerator<Uint8Array> {
  const bytes = first.ContentLength ?? 0;
  let reply = first;
  let breaks = 0;
  let lastCause: unknown;
  for (let at = 0; at < bytes; ) {
    if (at > 0 || breaks > 0) reply = await ask(at, first.ETag).catch(rethrown);
    try {
      for await (const chunk of reply.Body as Readable) {
        at += chunk.length;
        breaks = 0;
        yield chunk;
      }
    } catch (cause) {
      if (!isTransient(cause)) rethrown(cause);
      lastCause = cause;
    }
    if (at < bytes && ++breaks > breaksMax) rethrown(lastCause);
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

const timeOf = (changed: Date | undefined) => changed?.getTime() ?? 0;
