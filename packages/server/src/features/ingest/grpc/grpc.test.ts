import http2 from "node:http2";
import { type AddressInfo, connect, createServer } from "node:net";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { fromBinary } from "@bufbuild/protobuf";
import { type Empty, EmptySchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { compressionGzip, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { otlpOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pprofOf } from "#ingest/testing/pprof-of.ts";
import { type PushedSeries, pushMessage, writeRawMessage } from "#ingest/testing/push-request.ts";
import { storedProfiles } from "#ingest/testing/stored.ts";
import { tracesOf } from "#ingest/testing/traces-of.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { rawService } from "./calls.ts";

const at = "2026-11-20T18:00:00.000Z";
const push = "/push.v1.PusherService/Push";
const otlp = "/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export";
const writeRaw = "/parca.profilestore.v1alpha1.ProfileStoreService/WriteRaw";

let port: number;
let server: TestApp;
beforeAll(async () => {
  port = await freePort();
  server = await startApp({ at, env: { GRPC_PORT: String(port), INGEST_MAX_BYTES: "100000" } });
  await server.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => server.close());

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const { port: free } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return free;
}

const series = (value = 10, service = "checkout"): PushedSeries => ({
  labels: { service_name: service, __name__: "process_cpu" },
  profiles: [
    pprofOf({
      sampleTypes: ["samples/count", "cpu/nanoseconds"],
      samples: [["main;work", 1, value]],
      timeNs: BigInt(Date.parse(at)) * 1_000_000n - 60_000_000_000n,
      durationNs: 10_000_000_000n,
    }),
  ],
});

type Kind = "gRPC" | "compressed gRPC" | "gRPC-Web";

function transport(kind: Kind) {
  const baseUrl = `http://127.0.0.1:${port}`;
  if (kind === "gRPC-Web") return createGrpcWebTransport({ baseUrl, httpVersion: "1.1" });
  return createGrpcTransport({
    baseUrl,
    compressMinBytes: 0,
    ...(kind === "compressed gRPC" && { sendCompression: compressionGzip }),
  });
}

async function sender(kind: Kind = "gRPC") {
  const person = await server.signUp();
  const { key } = await server.makeKey(person);
  const connection = transport(kind);
  const send = async (path: string, message: Uint8Array, headers: Record<string, string> = {}) => {
    const { name, service } = rawService(path);
    const client = createClient(service, connection) as Record<string, Call>;
    const request = fromBinary(EmptySchema, message);
    return client[name]!(request, { headers: { authorization: `Bearer ${key}`, ...headers } });
  };
  return { send, rows: () => storedProfiles(server.ctx.columns, person.orgId) };
}

type Call = (message: Empty, options: { headers: Record<string, string> }) => Promise<Empty>;

const failure = (sent: Promise<unknown>) =>
  sent.then(
    () => undefined,
    (error: unknown) => ConnectError.from(error),
  );

test.each(["gRPC", "compressed gRPC", "gRPC-Web"] as const)("%s stores profiles", async (kind) => {
  const { send, rows } = await sender(kind);
  await send(push, pushMessage([series()]));
  await send(writeRaw, writeRawMessage([series(10, "cart")]));
  const stored = (await rows()).map(({ service, totals }) => [service, totals]);
  expect(stored).toHaveLength(2);
  expect(stored).toEqual(
    expect.arrayContaining([
      ["checkout", [1n, 10n]],
      ["cart", [1n, 10n]],
    ]),
  );
});

test("OTLP is stored, and refused with the status and sentence of the address that takes it", async () => {
  const { send, rows } = await sender();
  const resource = {
    attributes: { "service.name": "checkout" },
    profiles: [
      {
        period: ["cpu/nanoseconds", 50_000_000] as const,
        timeNs: BigInt(Date.parse(at)) * 1_000_000n - 60_000_000_000n,
        durationNs: 5_000_000_000n,
        samples: [{ stack: "go|main;go|work", times: [1n, 2n] }],
      },
    ],
  };
  await send(otlp, otlpOf([resource]));
  expect((await rows()).map(({ service, type }) => [service, type])).toEqual([["checkout", "cpu"]]);
  const error = await failure(send(otlp, Buffer.from([0x0a, 2, 0xff, 0xff])));
  expect([error?.code, error?.rawMessage]).toEqual([
    Code.InvalidArgument,
    expect.stringMatching(/OTLP|byte/),
  ]);
});

test("spans of OTLP are stored, and metrics are accepted", async () => {
  const { send, rows } = await sender();
  const startNs = BigInt(Date.parse(at)) * 1_000_000n;
  const attributes = { "http.request.method": "GET", "http.route": "/", "http.response.status_code": 200 };
  const spans = [
    { attributes, startNs, endNs: startNs + 1n },
    { attributes, startNs, endNs: startNs - 1n },
  ];
  const reply = await send(
    "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
    tracesOf([{ attributes: { "service.name": "shop" }, spans }]),
  );
  // The partial success, as by HTTP.
  expect(reply.$unknown).toMatchObject([{ no: 1 }]);
  expect((await rows()).map(({ service, type, totals }) => [service, type, totals])).toEqual([
    ["shop", "metrics", [1n]],
  ]);
  await send("/opentelemetry.proto.collector.metrics.v1.MetricsService/Export", Buffer.of(0x0a, 0));
});

test.each(["gRPC", "compressed gRPC", "gRPC-Web"] as const)(
  "%s answers readers of Pyroscope",
  async (kind) => {
    const person = await server.signUp();
    const { headers } = await server.makeKey(person);
    const profile = Buffer.from(series().profiles[0]!);
    await server.send(profile, { headers, query: { service: "checkout", type: "cpu" } });
    const { name, service } = rawService("/querier.v1.QuerierService/ProfileTypes");
    const client = createClient(service, transport(kind)) as Record<string, Call>;
    const ask = async (scope: "read" | "ingest") => {
      const { key } = await server.makeKey(person, scope, scope);
      const request = fromBinary(EmptySchema, new Uint8Array());
      return client[name]!(request, { headers: { authorization: `Bearer ${key}` } });
    };
    const { $unknown: fields = [] } = await ask("read");
    const texts = fields.map(({ no, data }) => [no, Buffer.from(data).toString()]);
    expect(texts).toEqual([
      [1, expect.stringContaining("process_cpu:cpu:nanoseconds:cpu:nanoseconds")],
      [1, expect.stringContaining("process_cpu:samples:count:cpu:nanoseconds")],
    ]);
    const refused = await failure(ask("ingest"));
    expect([refused?.code, refused?.rawMessage]).toEqual([
      Code.PermissionDenied,
      expect.stringMatching(/scope read/),
    ]);
  },
);

test("many calls of one connection, more than are read at once, are all stored", async () => {
  const { send, rows } = await sender();
  await Promise.all(Array.from({ length: 40 }, (_, index) => send(push, pushMessage([series(index + 1)]))));
  expect(await rows()).toHaveLength(40);
});

test.each<[string, Uint8Array, Record<string, string>, Code, RegExp]>([
  [
    "a wrong key",
    pushMessage([series()]),
    { authorization: "Bearer fk_no" },
    Code.Unauthenticated,
    /API key/,
  ],
  ["no key", pushMessage([series()]), { authorization: "" }, Code.Unauthenticated, /API key/],
  ["no profile", pushMessage([]), {}, Code.InvalidArgument, /no profile/],
  [
    "a message that is too large",
    pushMessage([{ labels: {}, profiles: [Buffer.alloc(200_000)] }]),
    {},
    Code.ResourceExhausted,
    /100000/,
  ],
])("%s is refused with its status and sentence", async (_, message, headers, code, text) => {
  const { send, rows } = await sender();
  const error = await failure(send(push, message, headers));
  expect([error?.code, error?.rawMessage]).toEqual([code, expect.stringMatching(text)]);
  expect(await rows()).toEqual([]);
});

test("calls of an organization that send nothing more do not keep the calls of others waiting", async () => {
  const person = await server.signUp();
  const { key } = await server.makeKey(person);
  const session = http2.connect(`http://127.0.0.1:${port}`);
  const streams = Array.from({ length: 20 }, () => {
    const stream = session.request({
      ":method": "POST",
      ":path": push,
      "content-type": "application/grpc",
      "x-api-key": key,
    });
    stream.on("error", () => undefined).write(Buffer.from([0, 0, 0, 1, 0, 10]));
    return stream;
  });
  const { send, rows } = await sender();
  await Promise.all([1, 2, 3, 4].map((value) => send(push, pushMessage([series(value)]))));
  expect(await rows()).toHaveLength(4);
  for (const stream of streams) stream.close();
  session.destroy();
  // The places of those that ended are free.
  const other = await sender();
  await Promise.all([1, 2, 3, 4].map((value) => other.send(push, pushMessage([series(value)]))));
  expect(await other.rows()).toHaveLength(4);
});

/** The reply to a call that is written by hand: its trailers are in the head, or behind the message. */
async function rawCall(path: string, headers: Record<string, string>, body: Uint8Array) {
  const session = http2.connect(`http://127.0.0.1:${port}`);
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    ...headers,
  });
  const received: http2.IncomingHttpHeaders = {};
  for (const event of ["response", "trailers"]) stream.on(event, (each) => Object.assign(received, each));
  stream.on("error", () => undefined).end(body);
  await new Promise((resolve) => stream.resume().once("close", resolve));
  session.destroy();
  const status = received["grpc-status"];
  return {
    http: received[":status"],
    code: status === undefined ? undefined : Number(status),
    message: decodeURIComponent(String(received["grpc-message"] ?? "")),
  };
}

function frame(message: Uint8Array, flags = 0): Buffer {
  const head = Buffer.from([flags, 0, 0, 0, 0]);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

async function keyOf() {
  const person = await server.signUp();
  const { key } = await server.makeKey(person);
  return { "x-api-key": key, person };
}

test.each([
  ["gzip", gzipSync],
  ["zstd", zstdCompressSync],
] as const)("messages in %s have the limits of uploads by HTTP", async (encoding, compress) => {
  const { "x-api-key": key } = await keyOf();
  const headers = { "x-api-key": key, "grpc-encoding": encoding };
  // More fields, and bytes, than a message that is not compressed may have.
  const fields = Buffer.alloc(2_000_000, Buffer.from([3 * 8, 0]));
  const path = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
  expect(await rawCall(path, headers, frame(compress(fields), 1))).toMatchObject({ code: 0 });
  const bomb = frame(compress(Buffer.alloc(70_000_000)), 1);
  const refused = { code: Code.InvalidArgument, message: expect.stringContaining("decompressed") };
  expect(await rawCall(path, headers, bomb)).toMatchObject(refused);
});

test.each<[string, Uint8Array, Code, RegExp]>([
  ["a message that is damaged", frame(Buffer.from([0x0a, 5, 1])), Code.InvalidArgument, /damaged: .+ byte/],
  ["a message that was cut off", frame(Buffer.alloc(9)).subarray(0, 9), Code.InvalidArgument, /incomplete/],
  [
    "two messages",
    Buffer.concat([frame(Buffer.alloc(0)), frame(Buffer.alloc(0))]),
    Code.InvalidArgument,
    /one/,
  ],
  ["no message", Buffer.alloc(0), Code.InvalidArgument, /no message/],
])("%s is the sender's fault", async (_, body, code, text) => {
  const { "x-api-key": key } = await keyOf();
  expect(await rawCall(otlp, { "x-api-key": key }, body)).toMatchObject({
    code,
    message: expect.stringMatching(text),
  });
});

test("senders of HTTP get a refusal, not the 200 of gRPC", async () => {
  const { "x-api-key": key } = await keyOf();
  for (const headers of [{}, { "x-api-key": key }]) {
    const sent = { "content-type": "application/x-protobuf", ...headers };
    expect(await rawCall("/v1/traces", sent, Buffer.alloc(0))).toMatchObject({ http: 415, code: undefined });
  }
});

test("calls that are refused before their message say why", async () => {
  const { "x-api-key": key } = await keyOf();
  const sent = { "x-api-key": key };
  const unknown = await rawCall("/some.v1.Service/Call", sent, frame(Buffer.alloc(0)));
  expect(unknown).toMatchObject({
    http: 200,
    code: Code.Unimplemented,
    message: expect.stringMatching(/OTLP/),
  });
  const json = { ...sent, "content-type": "application/grpc+json" };
  const asJson = await rawCall(push, json, frame(Buffer.from("{}")));
  expect(asJson).toMatchObject({ code: Code.Unimplemented, message: expect.stringMatching(/protobuf/) });
  const wrong = await rawCall(push, { "x-api-key": "fk_no" }, frame(Buffer.alloc(0)));
  expect(wrong).toMatchObject({ code: Code.Unauthenticated, message: expect.stringMatching(/not valid/) });
});

test("a call whose message does not arrive ends with a status while calls of others wait", async () => {
  const sessions = await Promise.all(
    [6, 2].map(async (count) => {
      const { "x-api-key": key } = await keyOf();
      const session = http2.connect(`http://127.0.0.1:${port}`);
      const ends = Array.from({ length: count }, () => {
        const stream = session.request({
          ":method": "POST",
          ":path": push,
          "content-type": "application/grpc",
          "x-api-key": key,
        });
        stream.on("error", () => undefined).write(Buffer.from([0, 0, 0, 1, 0, 10]));
        return new Promise((resolve) => stream.once("response", (head) => resolve(head["grpc-status"])));
      });
      return { session, ends };
    }),
  );
  const { send, rows } = await sender();
  await send(push, pushMessage([series()]));
  expect(await rows()).toHaveLength(1);
  expect(await Promise.race(sessions.flatMap(({ ends }) => ends))).toBe(String(Code.Unavailable));
  for (const { session } of sessions) session.destroy();
}, 60_000);

test("another call says that it is not served", async () => {
  const { send } = await sender();
  const error = await failure(send("/some.v1.Service/Call", pushMessage([series()])));
  expect(error?.code).toBe(Code.Unimplemented);
});

test("bytes that are neither of gRPC nor of HTTP end their connection only", async () => {
  const socket = connect(port, "127.0.0.1");
  socket.end("\0\0\0 nonsense\r\n\r\n");
  await new Promise((resolve) => socket.once("close", resolve).on("data", () => undefined));
  const { send } = await sender();
  await send(push, pushMessage([series()]));
});
