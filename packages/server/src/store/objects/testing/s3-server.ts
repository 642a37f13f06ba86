import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { type Keys, signatureFault } from "./signature.ts";

/*
 * A small server with the S3 API of ours, in memory. It checks signatures and sums as S3 does, and can fail on demand. s3rver, the one in the
 * registry, was not taken: it ignores checksums, and its dependencies are years old.
 */

interface S3Request {
  /** As S3 calls it: `PutObject`, `UploadPart`... */
  readonly operation: string;
  readonly key: string;
}

/**
 * `error`, answered instead of the operation; `cut`, the connection ends without an answer; `cut-body`, in the middle of the answer;
 * `cut-after`, once it was done; `flip-upload`, a bit of the received bytes changes.
 */
export type S3Fault =
  | { readonly kind: "error"; readonly status: number; readonly code: string }
  | { readonly kind: "cut" | "cut-body" | "cut-after" | "flip-upload" };

interface StoredObject {
  readonly bytes: Buffer;
  readonly etag: string;
  changedMs: number;
}

export interface S3Server extends AsyncDisposable {
  readonly endpoint: string;
  readonly keys: Keys;
  readonly objects: Map<string, StoredObject>;
  /** Multipart uploads that were neither completed nor aborted, by id. */
  readonly uploads: Map<string, { readonly key: string; readonly parts: Map<number, StoredObject> }>;
  readonly requests: S3Request[];
  /** Called before each operation; it may wait. */
  onRequest: (request: S3Request) => S3Fault | undefined | Promise<S3Fault | undefined>;
  now: () => number;
  /** Objects on a page of a list. */
  pageSize: number;
}

export const testBucket = "profiles";
const keysDefault: Keys = { accessKeyId: "AKIATEST", secretAccessKey: "a secret of the tests" };
const partBytesMin = 5 * 1024 * 1024;

/** On a free port of this machine, with one bucket. */
export async function startS3Server(keys = keysDefault): Promise<S3Server> {
  const http = createServer((request, reply) => {
    answer(server, request, reply).catch((cause: unknown) => reply.destroy(cause as Error));
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const server: S3Server = {
    endpoint: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    keys,
    objects: new Map(),
    uploads: new Map(),
    requests: [],
    onRequest: () => undefined,
    now: Date.now,
    pageSize: 1000,
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
  return server;
}

interface Call extends S3Request {
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: Buffer | string;
}

async function answer(server: S3Server, request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const body = await buffer(request);
  const { pathname, searchParams: query } = new URL(request.url ?? "", server.endpoint);
  const [, bucket = "", ...path] = decodeURIComponent(pathname).split("/");
  const key = path.join("/");
  const operation = operationOf(request.method ?? "", key, query);
  server.requests.push({ operation, key });
  const fault = await server.onRequest({ operation, key });
  if (fault?.kind === "cut") return void request.socket.destroy();
  if (fault?.kind === "flip-upload" && body.length > 0) body[body.length >> 1]! ^= 1;
  const refusal =
    fault?.kind === "error" ? fault.code : signatureFault(request, body, server.keys, server.now());
  const call = { operation, key, query, headers: request.headers, body };
  const {
    status,
    headers,
    body: sent = "",
  } = fault?.kind === "error"
    ? failed(fault.code, fault.status)
    : refusal !== undefined
      ? failed(refusal)
      : bucket === testBucket
        ? perform(server, call)
        : failed("NoSuchBucket");
  if (fault?.kind === "cut-after") return void request.socket.destroy();
  const length = { "content-length": Buffer.byteLength(sent) };
  reply.writeHead(status, { date: new Date(server.now()).toUTCString(), ...length, ...headers });
  if (fault?.kind !== "cut-body") return void reply.end(request.method === "HEAD" ? "" : sent);
  reply.write(Buffer.from(sent).subarray(0, sent.length >> 1), () => request.socket.destroy());
}

function operationOf(method: string, key: string, query: URLSearchParams): string {
  const has = (name: string) => query.has(name);
  if (method === "GET" && has("uploads")) return "ListMultipartUploads";
  if (method === "GET" && key === "") return "ListObjectsV2";
  if (method === "POST") return has("uploads") ? "CreateMultipartUpload" : "CompleteMultipartUpload";
  if (has("uploadId")) return method === "PUT" ? "UploadPart" : "AbortMultipartUpload";
  return { GET: "GetObject", HEAD: "HeadObject", PUT: "PutObject", DELETE: "DeleteObject" }[method] ?? method;
}

const statuses: Readonly<Record<string, number>> = {
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NoSuchUpload: 404,
  AccessDenied: 403,
  InvalidAccessKeyId: 403,
  SignatureDoesNotMatch: 403,
  RequestTimeTooSkewed: 403,
  PreconditionFailed: 412,
  InvalidRange: 416,
  NotImplemented: 501,
};

function failed(code: string, status = statuses[code] ?? 400): Reply {
  return { status, body: xml("Error", `<Code>${code}</Code><Message>${code} of the test</Message>`) };
}

function perform(server: S3Server, call: Call): Reply {
  const perform = operations[call.operation];
  return perform === undefined ? failed("NotImplemented") : perform(server, call);
}

const operations: Readonly<Record<string, (server: S3Server, call: Call) => Reply>> = {
  PutObject(server, call) {
    const { key, headers } = call;
    if (headers["if-none-match"] === "*" && server.objects.has(key)) return failed("PreconditionFailed");
    return received(server, call, (object) => server.objects.set(key, object));
  },

  GetObject: read,
  HeadObject: read,

  DeleteObject({ objects }, { key }) {
    objects.delete(key);
    return { status: 204 };
  },

  ListObjectsV2({ objects, pageSize }, { query }) {
    const prefix = query.get("prefix") ?? "";
    const after = query.get("continuation-token") ?? "";
    const found = [...objects].filter(([key]) => key.startsWith(prefix) && key > after);
    const page = found.toSorted(([a], [b]) => (a < b ? -1 : 1)).slice(0, pageSize);
    const isTruncated = found.length > page.length;
    const items = page.map(
      ([key, { bytes, changedMs, etag }]) =>
        `<Contents><Key>${escaped(key)}</Key><Size>${bytes.length}</Size><ETag>${etag}</ETag><LastModified>${new Date(changedMs).toISOString()}</LastModified></Contents>`,
    );
    const next = isTruncated
      ? `<NextContinuationToken>${escaped(page.at(-1)![0])}</NextContinuationToken>`
      : "";
    const text = `<IsTruncated>${isTruncated}</IsTruncated>${next}${items.join("")}`;
    return { status: 200, body: xml("ListBucketResult", text) };
  },

  CreateMultipartUpload({ uploads }, { key }) {
    const id = `upload-${uploads.size}-${key.length}-${performance.now()}`;
    uploads.set(id, { key, parts: new Map() });
    return { status: 200, body: xml("InitiateMultipartUploadResult", `<UploadId>${id}</UploadId>`) };
  },

  UploadPart(server, call) {
    const upload = server.uploads.get(call.query.get("uploadId")!);
    if (upload === undefined) return failed("NoSuchUpload");
    return received(server, call, (part) => upload.parts.set(Number(call.query.get("partNumber")), part));
  },

  CompleteMultipartUpload(server, { key, query, body, headers }) {
    const id = query.get("uploadId")!;
    const upload = server.uploads.get(id);
    if (upload === undefined) return failed("NoSuchUpload");
    if (headers["if-none-match"] === "*" && server.objects.has(key)) return failed("PreconditionFailed");
    const named = [...body.toString().matchAll(/<Part>.*?<\/Part>/gs)].map(([text]) => ({
      part: upload.parts.get(Number(/<PartNumber>(\d+)</.exec(text)?.[1])),
      etag: /<ETag>(.*?)<\/ETag>/.exec(text)?.[1]?.replaceAll("&quot;", '"'),
    }));
    if (named.length === 0 || named.some(({ part, etag }) => part === undefined || part.etag !== etag))
      return failed("InvalidPart");
    const bytes = named.map(({ part }) => part!.bytes);
    if (bytes.slice(0, -1).some(({ length }) => length < partBytesMin)) return failed("EntityTooSmall");
    const object = stored(server, Buffer.concat(bytes));
    server.objects.set(key, object);
    server.uploads.delete(id);
    return { status: 200, body: xml("CompleteMultipartUploadResult", `<ETag>${object.etag}</ETag>`) };
  },

  AbortMultipartUpload({ uploads }, { query }) {
    return uploads.delete(query.get("uploadId")!) ? { status: 204 } : failed("NoSuchUpload");
  },

  ListMultipartUploads({ uploads }, { query }) {
    const found = [...uploads].filter(([, { key }]) => key.startsWith(query.get("prefix") ?? ""));
    const items = found.map(
      ([id, { key }]) => `<Upload><Key>${escaped(key)}</Key><UploadId>${id}</UploadId></Upload>`,
    );
    return { status: 200, body: xml("ListMultipartUploadsResult", items.join("")) };
  },
};

function received(server: S3Server, { headers, body }: Call, keep: (object: StoredObject) => void): Reply {
  // S3 can store without one; nothing of ours may.
  const sum = headers["x-amz-checksum-sha256"];
  if (sum === undefined) return failed("InvalidRequest");
  if (sum !== createHash("sha256").update(body).digest("base64")) return failed("BadDigest");
  const object = stored(server, body);
  keep(object);
  return { status: 200, headers: { etag: object.etag } };
}

function stored(server: S3Server, bytes: Buffer): StoredObject {
  const etag = `"${createHash("md5").update(bytes).digest("hex")}"`;
  return { bytes, etag, changedMs: server.now() };
}

function read({ objects }: S3Server, { key, headers }: Call): Reply {
  const object = objects.get(key);
  if (object === undefined) return failed("NoSuchKey");
  const { bytes, etag, changedMs } = object;
  if (headers["if-match"] !== undefined && headers["if-match"] !== etag) return failed("PreconditionFailed");
  const about = { etag, "last-modified": new Date(changedMs).toUTCString() };
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? "") ?? [];
  if (from === undefined) return { status: 200, headers: about, body: bytes };
  if (Number(from) >= bytes.length) return failed("InvalidRange");
  const part = bytes.subarray(Number(from), to ? Number(to) + 1 : bytes.length);
  const place = `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`;
  return { status: 206, headers: { ...about, "content-range": place }, body: part };
}

const xml = (name: string, content: string) => `<?xml version="1.0"?><${name}>${content}</${name}>`;
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
