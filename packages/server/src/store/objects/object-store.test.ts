import { randomBytes } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { StoreRefused, StoreUnavailable } from "#store/unavailable.ts";
import type { ObjectStorageConfig, ObjectStore } from "./object-store.ts";
import { openObjects, parseObjectUrl } from "./open-objects.ts";
import { type S3Fault, type S3Server, startS3Server, testBucket } from "./testing/s3-server.ts";
import { sha256 } from "./testing/signature.ts";

let server: S3Server;
let store: ObjectStore;
const configOf = (changes: Partial<ObjectStorageConfig> = {}): ObjectStorageConfig => ({
  endpoint: server.endpoint,
  region: "eu-central-1",
  isPathStyle: true,
  credentials: server.keys,
  ...changes,
});
const location = { bucket: testBucket, prefix: "a/b c/" };
beforeEach(async () => {
  server = await startS3Server();
  store = await openObjects(configOf(), location);
});
afterEach(async () => {
  store[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

const MiB = 1024 * 1024;
const error = (status: number, code: string): S3Fault => ({ kind: "error", status, code });

/** The fault at the first calls of the operation, which are counted. */
function failing(operation: string, fault: S3Fault, times = Number.POSITIVE_INFINITY): () => number {
  let count = 0;
  server.onRequest = (request) => (request.operation === operation && ++count <= times ? fault : undefined);
  return () => count;
}

async function* inChunks(content: Buffer, chunkBytes = 700_001): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += chunkBytes) yield content.subarray(at, at + chunkBytes);
}

const putStreamed = (key: string, content: Buffer) =>
  store.put(key, { bytes: content.length, chunks: inChunks(content) });

async function read(key: string, range?: { from: number; bytes: number }): Promise<Buffer | undefined> {
  const chunks = await store.get(key, range);
  return chunks && buffer(chunks);
}

async function keysBelow(prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys;
}

const operations = () => server.requests.map(({ operation }) => operation);

describe("objects", () => {
  test("are read as they were put, whole and in ranges, and are gone once removed", async () => {
    const content = randomBytes(100_000);
    await store.put("x/ä + é&.bin", content);
    expect([...server.objects.keys()]).toEqual(["a/b c/x/ä + é&.bin"]);
    expect(await read("x/ä + é&.bin")).toEqual(content);
    expect(await read("x/ä + é&.bin", { from: 99_000, bytes: 500 })).toEqual(
      content.subarray(99_000, 99_500),
    );
    expect(await read("x/ä + é&.bin", { from: 5, bytes: 0 })).toEqual(Buffer.alloc(0));
    expect(await store.head("x/ä + é&.bin")).toMatchObject({ bytes: 100_000, key: "x/ä + é&.bin" });
    expect(await keysBelow("x/")).toEqual(["x/ä + é&.bin"]);
    await store.remove("x/ä + é&.bin");
    await store.remove("x/ä + é&.bin");
    expect(await read("x/ä + é&.bin")).toBeUndefined();
    expect(await store.head("x/ä + é&.bin")).toBeUndefined();
  });

  test.each([
    ["nothing", 0, ["PutObject"]],
    ["one part", 8 * MiB, ["PutObject"]],
    [
      "several parts",
      17 * MiB + 1,
      ["CreateMultipartUpload", "UploadPart", "UploadPart", "UploadPart", "CompleteMultipartUpload"],
    ],
    [
      "whole parts",
      16 * MiB,
      ["CreateMultipartUpload", "UploadPart", "UploadPart", "CompleteMultipartUpload"],
    ],
  ])("of %s can be streamed", async (_name, bytes, expected) => {
    const content = randomBytes(bytes);
    await putStreamed("large", content);
    expect(operations()).toEqual(expected);
    expect(sha256((await read("large"))!)).toBe(sha256(content));
    expect(server.uploads.size).toBe(0);
  });

  test("are listed below the prefix alone, page by page", async () => {
    const other = await openObjects(configOf(), { ...location, prefix: "a/" });
    await other.put("other", Buffer.from("1"));
    for (const name of ["list/2", "list/1", "list/3", "list", "listed"])
      await store.put(name, Buffer.from(name));
    server.pageSize = 2;
    expect(await keysBelow("list/")).toEqual(["list/1", "list/2", "list/3"]);
    expect(await keysBelow("")).toEqual(["list", "list/1", "list/2", "list/3", "listed"]);
    expect(operations().filter((operation) => operation === "ListObjectsV2")).toHaveLength(2 + 3);
    other[Symbol.dispose]();
  });

  test("with an error in their stream, or of another size than announced, are not stored", async () => {
    const content = randomBytes(9 * MiB);
    const wrong = [content.length + 1, content.length - 1, 3];
    for (const bytes of wrong)
      await expect(store.put("x", { bytes, chunks: inChunks(content) })).rejects.toThrow(/bytes/);
    const breaking = async function* () {
      yield content;
      throw new Error("the file changed");
    };
    for (const bytes of [content.length, content.length + 1])
      await expect(store.put("x", { bytes, chunks: breaking() })).rejects.toThrow("the file changed");
    expect([server.objects.size, server.uploads.size]).toEqual([0, 0]);
  });

  test("left in parts by a killed process are removed", async () => {
    server.onRequest = ({ operation }) =>
      /^(Complete|Abort)/.test(operation) ? error(400, "MalformedXML") : undefined;
    await expect(putStreamed("x", randomBytes(9 * MiB))).rejects.toThrow();
    expect(server.uploads.size).toBe(1);
    server.onRequest = () => undefined;
    await store.removeUnfinished();
    expect(server.uploads.size).toBe(0);
  });
});

describe("brief faults", () => {
  test.each([
    ["a 500", error(500, "InternalError")],
    ["a 503", error(503, "SlowDown")],
    ["a cut connection", { kind: "cut" }],
    ["a lost answer", { kind: "cut-after" }],
    ["changed bytes", { kind: "flip-upload" }],
  ] as const)("as %s do not fail an upload", async (_name, fault) => {
    const content = randomBytes(9 * MiB);
    const whole = failing("PutObject", fault, 2);
    await store.put("small", content.subarray(0, 1000));
    expect(whole()).toBe(3);
    const parts = failing("UploadPart", fault, 2);
    await putStreamed("large", content);
    expect(parts()).toBe(4);
    expect(sha256((await read("large"))!)).toBe(sha256(content));
  });

  test("in the middle of an answer are resumed there, also in a range", async () => {
    const content = randomBytes(3 * MiB);
    await store.put("x", content);
    const whole = failing("GetObject", { kind: "cut-body" }, 3);
    expect(sha256((await read("x"))!)).toBe(sha256(content));
    expect(whole()).toBe(4);
    failing("GetObject", { kind: "cut-body" }, 2);
    const range = { from: MiB, bytes: MiB };
    expect(sha256((await read("x", range))!)).toBe(sha256(content.subarray(MiB, 2 * MiB)));
  });

  test("never mix two versions of an object", async () => {
    await store.put("x", Buffer.alloc(MiB, 1));
    let asked = 0;
    server.onRequest = async ({ operation }) => {
      if (operation === "GetObject" && ++asked === 2) {
        const object = server.objects.get("a/b c/x")!;
        server.objects.set("a/b c/x", { ...object, bytes: Buffer.alloc(MiB, 2), etag: '"new"' });
      }
      return asked === 1 ? { kind: "cut-body" } : undefined;
    };
    await expect(read("x")).rejects.toThrow("PreconditionFailed");
  });

  test("that last are unavailability", async () => {
    failing("PutObject", error(500, "InternalError"));
    const putting = store.put("x", Buffer.from("1"));
    await expect(putting).rejects.toThrow(StoreUnavailable);
    await expect(putting).rejects.toThrow(
      `${server.endpoint} failed at s3:PutObject with 500 InternalError, repeatedly: try later.`,
    );
  });
});

describe("faults that an operator corrects are named with the remedy", () => {
  async function refusal(changes: Partial<ObjectStorageConfig>, at = location): Promise<string> {
    using other = await openObjects(configOf(changes), at);
    const error: unknown = await other.put("x", Buffer.from("1")).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(StoreRefused);
    const { message } = error as Error;
    expect(message).not.toContain(server.keys.secretAccessKey);
    return message.replace(server.endpoint, "STORAGE");
  }

  test("a wrong key", async () => {
    const { accessKeyId, secretAccessKey } = server.keys;
    expect(await refusal({ credentials: { accessKeyId, secretAccessKey: "another" } })).toBe(
      "STORAGE does not accept the access key (SignatureDoesNotMatch): correct S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or the variables AWS_*.",
    );
    expect(await refusal({ credentials: { accessKeyId: "AKIAOTHER", secretAccessKey } })).toContain(
      "does not accept the access key (InvalidAccessKeyId)",
    );
  });

  test("a missing bucket", async () => {
    expect(await refusal({}, { bucket: "missing", prefix: "" })).toBe(
      "STORAGE has no bucket missing: create it, or correct its name and S3_ENDPOINT.",
    );
  });

  test("a denied action", async () => {
    failing("PutObject", error(403, "AccessDenied"));
    expect(await refusal({})).toBe(
      "STORAGE denies s3:PutObject on s3://profiles/a/b c: allow it for this access key or role (docs/backups.md has a policy).",
    );
    failing("HeadObject", error(403, "AccessDenied"));
    await expect(store.head("x")).rejects.toThrow("denies s3:GetObject");
  });

  test("another region", async () => {
    failing("PutObject", error(301, "PermanentRedirect"));
    expect(await refusal({})).toBe("The bucket profiles is in another region: set S3_REGION to its region.");
  });

  test("a wrong clock, which the client corrects by the storage's time", async () => {
    server.now = () => Date.now() + 3_600_000;
    await store.put("x", Buffer.from("1"));
    expect(operations()).toEqual(["PutObject", "PutObject"]);
    failing("PutObject", error(403, "RequestTimeTooSkewed"));
    expect(await refusal({})).toBe(
      "The clock of this machine and that of STORAGE differ by more than 15 minutes: correct the clock.",
    );
  });

  test("no storage at the address", async () => {
    const closed = await startS3Server();
    await closed[Symbol.asyncDispose]();
    using other = await openObjects(configOf({ endpoint: closed.endpoint }), location);
    await expect(other.put("x", Buffer.from("1"))).rejects.toThrow(
      `${closed.endpoint} cannot be reached (ECONNREFUSED): check S3_ENDPOINT and the network.`,
    );
  });
});

test("a server that opens no object storage does not load the client library", () => {
  const sources = fileURLToPath(new URL("../..", import.meta.url));
  const files = globSync("**/*.ts", { cwd: sources }).filter((path) => !path.endsWith(".test.ts"));
  const importing = (text: RegExp) =>
    files
      .filter((path) => text.test(readFileSync(join(sources, path), "utf8")))
      .map((path) => basename(path));
  expect(files.length).toBeGreaterThan(500);
  expect(importing(/from "@aws-sdk\//)).toEqual(["s3-objects.ts"]);
  expect(importing(/from ".*\/s3-objects\.ts"/)).toEqual([]);
  expect(importing(/await import\(".\/s3-objects\.ts"\)/)).toEqual(["open-objects.ts"]);
});

test("addresses of object storage have a bucket, and a prefix with or without slashes around it", () => {
  expect(parseObjectUrl("s3://backups")).toEqual({ bucket: "backups", prefix: "" });
  expect(parseObjectUrl("s3://backups//a/b/")).toEqual({ bucket: "backups", prefix: "a/b/" });
  for (const wrong of ["s3://", "s3:///a", "s3:backups", "s3://a b/c", "s3://backups?x=1"])
    expect(() => parseObjectUrl(wrong)).toThrow("it must be as s3://BUCKET/PREFIX");
});
