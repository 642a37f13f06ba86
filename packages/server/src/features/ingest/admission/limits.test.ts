import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { readProfile, writeProfile } from "@flamekeep/profile";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pprofOf } from "#ingest/testing/pprof-of.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

const MiB = 1024 * 1024;
let server: TestApp;
let address: string;
let headers: Record<string, string>;

beforeAll(async () => {
  server = await startApp({
    env: {
      INGEST_MAX_BYTES: String(MiB),
      INGEST_MAX_INFLATED_BYTES: String(2 * MiB),
      INGEST_MAX_METRICS_BYTES: String(2 * MiB),
      INGEST_MAX_METRICS: "2000",
      INGEST_MAX_SAMPLES: "1000",
      INGEST_QUEUE_BYTES: String(2 * MiB),
    },
  });
  address = await server.app.listen({ port: 0, host: "127.0.0.1" });
  headers = (await server.makeKey(await server.signUp())).headers;
});
afterAll(() => server.close());

async function send(body: NonNullable<RequestInit["body"]>, more: RequestInit = {}, query = "") {
  const reply = await fetch(`${address}/api/v1/ingest/profiles?service=s${query}`, {
    method: "POST",
    headers,
    body,
    ...more,
  });
  return {
    status: reply.status,
    retryAfter: reply.headers.get("retry-after"),
    ...((await reply.json()) as { readonly error?: string }),
  };
}

/** A body without a declared length. */
function chunked(chunks: number, chunk: Uint8Array): RequestInit {
  const body = new ReadableStream({
    pull(controller) {
      if (chunks-- > 0) controller.enqueue(chunk);
      else controller.close();
    },
  });
  return { body, duplex: "half" } as RequestInit;
}

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(Math.min(bytes, 65_536)));

describe("a body", () => {
  test("beyond the limit is refused by its declared length, with the setting's name", async () => {
    expect(await send(new Uint8Array(MiB + 1))).toMatchObject({
      status: 413,
      code: "too_large",
      error: expect.stringContaining("INGEST_MAX_BYTES"),
    });
  });

  test("without a declared length is refused once it exceeds the limit", async () => {
    const before = refusedBodies();
    // A sender that has not heard the answer yet may find the connection closed.
    const reply = await send("", chunked(40, random(65_536))).catch(() => undefined);
    expect(reply?.status ?? 413).toBe(413);
    expect(refusedBodies()).toBe(before + 1);
  });

  test("without a declared length is accepted within the limit", async () => {
    const profile = pprofOf({ sampleTypes: ["cpu/nanoseconds"], samples: [["main", 1]], durationNs: 1n });
    expect(await send("", chunked(1, new Uint8Array(profile)))).toMatchObject({ status: 200 });
  });

  test("that inflates beyond the limit is refused, with the setting's name", async () => {
    expect(await send(new Uint8Array(gzipSync(Buffer.alloc(200 * MiB))))).toMatchObject({
      status: 413,
      error: expect.stringContaining("INGEST_MAX_INFLATED_BYTES"),
    });
  });

  test("of too deep stacks is refused, with the setting's name", async () => {
    const stack = Array.from({ length: 2000 }, (_, depth) => `f${depth}`).join(";");
    const samples = Array.from({ length: 510 }, (_, i): [string, number] => [stack, i]);
    const profile = pprofOf({ sampleTypes: ["cpu/nanoseconds"], samples, durationNs: 1n });
    expect(await send(new Uint8Array(gzipSync(profile)))).toMatchObject({
      status: 413,
      error: expect.stringMatching(/frames, more than 1000000\..*INGEST_MAX_SAMPLES/),
    });
  });

  test("that inflates beyond the limit in two layers is refused, both counted", async () => {
    const inner = gzipSync(
      Buffer.concat([...Array.from({ length: 14 }, () => random(65_536)), Buffer.alloc(MiB)]),
    );
    expect((await send(new Uint8Array(inner))).status).toBe(400);
    const encoded = { headers: { ...headers, "content-encoding": "gzip" } };
    expect(await send(new Uint8Array(gzipSync(inner)), encoded)).toMatchObject({
      status: 413,
      error: expect.stringContaining("larger than 2097152 bytes when decompressed"),
    });
  });

  test("whose inner layer is larger than a request may be is refused, as that would be stored", async () => {
    const cpu = pprofOf({ sampleTypes: ["cpu/nanoseconds"], samples: [["main", 1]], durationNs: 1n });
    // A gzip of a name of more than a megabyte.
    const plain = gzipSync(cpu);
    const header = Buffer.from(plain.subarray(0, 10));
    header[3] = 8;
    const inner = Buffer.concat([header, Buffer.alloc(MiB, "n"), Buffer.of(0), plain.subarray(10)]);
    const encoded = { headers: { ...headers, "content-encoding": "gzip" } };
    expect(await send(new Uint8Array(gzipSync(inner)), encoded)).toMatchObject({
      status: 413,
      error: expect.stringContaining("INGEST_MAX_BYTES"),
    });
  });

  test.each([
    ["cpu", "cpu/nanoseconds", /shorter time.* INGEST_MAX_SAMPLES on the server/],
    ["heap", "inuse_space/bytes", /MemProfileRate.* INGEST_MAX_SAMPLES on the server/],
    ["goroutine", "goroutine/count", /different stacks.* INGEST_MAX_SAMPLES on the server/],
    ["", "inuse_space/bytes", /Send less in one profile, or raise INGEST_MAX_SAMPLES on the server/],
  ])(
    "of type %j with too many samples is refused with a remedy that fits",
    async (type, sampleType, remedy) => {
      const samples = Array.from({ length: 1001 }, (_, i): [string, number] => ["main", i]);
      const body = new Uint8Array(pprofOf({ sampleTypes: [sampleType], samples }));
      const reply = await send(body, {}, type === "" ? "" : `&type=${type}`);
      expect(reply).toMatchObject({ status: 413, error: expect.stringMatching(remedy) });
      if (type !== "cpu") expect(reply.error).not.toContain("shorter");
    },
  );
});

test("a batch of too many HTTP metrics is refused with the name of the setting", async () => {
  const timestamp = server.ctx.now().toISOString();
  const metric = { timestamp, duration: 0.1, status_code: 200, method: "GET", path: "/", request_id: "r" };
  const send = async (count: number) => {
    const body = JSON.stringify(Array.from({ length: count }, () => metric));
    const url = `${address}/api/v1/ingest/http-metrics?service=s`;
    return (await fetch(url, { method: "POST", headers, body })).json();
  };
  expect(await send(2000)).toMatchObject({ accepted: 2000 });
  expect(await send(2001)).toMatchObject({
    code: "too_large",
    error:
      "The batch has more than 2000 metrics. Send smaller batches, or raise INGEST_MAX_METRICS on the server.",
  });
});

test("HTTP metrics that inflate beyond the limit are no profile", async () => {
  const reply = await fetch(`${address}/api/v1/ingest/http-metrics?service=s`, {
    method: "POST",
    headers,
    body: new Uint8Array(gzipSync(Buffer.alloc(3 * MiB, " "))),
  });
  expect(await reply.json()).toMatchObject({
    code: "too_large",
    error: expect.stringMatching(/^The upload is larger than 2097152 bytes when decompressed/),
  });
});

test("parts that a limit removes are counted in the reply", async () => {
  const stack = Array.from({ length: 9000 }, (_, i) => `f${i % 10}`).join(";");
  const body = pprofOf({ sampleTypes: ["cpu/nanoseconds"], samples: [[stack, 1]], durationNs: 1n });
  const tags = Array.from({ length: 40 }, (_, i) => `&tag.k${i}=v`).join("");
  const reply = await fetch(`${address}/api/v1/ingest/profiles?service=s${tags}`, {
    method: "POST",
    headers,
    body: new Uint8Array(body),
  });
  expect(await reply.json()).toMatchObject({ trimmed: { depth: 1, tags: 8 } });
});

test("an unusable pattern of frames to drop is counted in the reply, and the profile is accepted", async () => {
  const withPattern = (dropFrames: string, value: number) => {
    const samples: [string, number][] = [["main;work", value]];
    const body = pprofOf({ sampleTypes: ["cpu/nanoseconds"], samples, durationNs: 1n });
    const read = readProfile(body);
    if (!read.ok) throw new Error(read.error.message);
    return send(writeProfile({ ...read.profile, dropFrames }));
  };
  expect(await withPattern("(a*", 1)).toMatchObject({ status: 200, trimmed: { drop_frames: 1 } });
  expect(await withPattern("wo.k", 2)).toHaveProperty("trimmed", {});
});

test("uploads beyond the queue's size are asked to retry, and fit again later", async () => {
  const body = new Uint8Array(MiB - 1);
  const replies = await Promise.all(Array.from({ length: 8 }, () => send(body)));
  const refused = replies.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  for (const reply of refused) {
    expect(reply).toMatchObject({
      code: "rate_limited",
      error: expect.stringContaining("INGEST_QUEUE_BYTES"),
    });
    expect(Number(reply.retryAfter)).toBeGreaterThan(0);
  }
  expect((await send(body)).status).toBe(400);
  await expect.poll(() => queueBytes()).toBe(0);
});

test("an organization whose uploads never end leaves room for others", async () => {
  const { hostname, port } = new URL(address);
  const other = (await server.makeKey(await server.signUp())).headers;
  const key = Object.entries(other).map((header) => header.join(": "));
  // Four of them, each with its overhead, fill the queue.
  const length = `content-length: ${MiB / 2 - 8192}`;
  const head = ["POST /api/v1/ingest/profiles?service=s HTTP/1.1", "host: x", ...key, length].join("\r\n");
  const answers: string[] = [];
  const slow = Array.from({ length: 4 }, () => {
    const socket = connect(Number(port), hostname);
    socket.on("data", (data) => answers.push(data.toString("latin1")));
    socket.write(`${head}\r\n\r\na`);
    return socket;
  });
  await expect.poll(() => answers).toEqual([expect.stringContaining("429 Too Many Requests")]);
  const body = pprofOf({ sampleTypes: ["cpu/nanoseconds"], samples: [["main", 1]], durationNs: 1n });
  expect((await send(new Uint8Array(body))).status).toBe(200);
  for (const socket of slow) socket.destroy();
  await expect.poll(() => queueBytes()).toBe(0);
});

test.each(["content-length: 5000", "transfer-encoding: chunked"])(
  "a sender that goes away in the middle of its body (%s) is no failure of the server",
  async (length) => {
    const { hostname, port } = new URL(address);
    const before = server.logged.length;
    const socket = connect(Number(port), hostname);
    const key = Object.entries(headers).map((header) => header.join(": "));
    const head = ["POST /api/v1/ingest/profiles?service=s HTTP/1.1", "host: x", ...key, length];
    socket.write(`${head.join("\r\n")}\r\n\r\n3e8\r\n${"a".repeat(1000)}\r\n`);
    await expect.poll(() => queueBytes()).toBeGreaterThan(0);
    socket.destroy();
    await expect.poll(() => queueBytes()).toBe(0);
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    const levels = server.logged.slice(before).map((line) => JSON.parse(line).level);
    expect(levels.filter((level) => level >= 50)).toEqual([]);
  },
);

test("refusals are counted by reason", async () => {
  const text = server.ctx.metrics.toText();
  for (const reason of ["body_bytes", "inflated_bytes", "profile_samples", "queue_bytes"]) {
    expect(text).toMatch(new RegExp(`flamekeep_ingest_refused_total\\{reason="${reason}"\\} \\d`));
  }
  expect(text).toMatch(/flamekeep_ingest_trimmed_total\{limit="tags"\} 8/);
});

function refusedBodies(): number {
  const line = /^flamekeep_ingest_refused_total\{reason="body_bytes"\} (\d+)$/m;
  return Number(line.exec(server.ctx.metrics.toText())?.[1]);
}

function queueBytes(): number {
  return Number(/^flamekeep_ingest_queue_bytes (\d+)$/m.exec(server.ctx.metrics.toText())?.[1]);
}

test("a key's requests are counted over all endpoints together", async () => {
  const urls = ["/api/v1/ingest/profiles", "/ingest", "/pyroscope/ingest", "/api/v1/ingest/http-metrics"];
  const bounded = await startApp({ env: { INGEST_PER_MINUTE: String(urls.length) } });
  const key = await bounded.makeKey(await bounded.signUp());
  const statuses: number[] = [];
  for (const url of [...urls, ...urls]) {
    const reply = await bounded.app.inject({ method: "POST", url, headers: key.headers });
    statuses.push(reply.statusCode);
  }
  expect(statuses.map((status) => status === 429)).toEqual([
    ...urls.map(() => false),
    ...urls.map(() => true),
  ]);
  await bounded.close();
});
