import { gzipSync, zstdCompressSync } from "node:zlib";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { readApiKeyUsage, toPath } from "@flamekeep/contract";
import { type CapturedRequest, capturedRequests } from "@flamekeep/profile/testing/recordings";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storedCounts, storedProfiles } from "#ingest/testing/stored.ts";
import { jsonTracesOf, type SentResource, type SentSpan, tracesOf } from "#ingest/testing/traces-of.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

const at = "2026-11-20T18:00:00.000Z";
const startNs = BigInt(Date.parse("2026-11-20T17:59:00.123Z")) * 1_000_000n + 999_999n;
const traceId = "5b8efff798038103d269b633813fc60c";

let server: TestApp;
beforeAll(async () => {
  server = await startApp({
    at,
    env: { INGEST_MAX_METRICS: "5", INGEST_MAX_METRICS_BYTES: "50000", INGEST_MAX_PROFILES: "2" },
  });
});
afterAll(() => server.close());

const span = (attributes: SentSpan["attributes"], more: Partial<SentSpan> = {}): SentSpan => ({
  attributes,
  startNs,
  endNs: startNs + 42_100_000n,
  ...more,
});
const current = {
  "http.request.method": "GET",
  "url.path": "/orders/7",
  "http.route": "/orders/{id}",
  "http.response.status_code": 200,
  "http.request.header.accept": { list: ["a", "b"] },
};
const earlier = { "http.method": "post", "http.target": "/orders?card=4111", "http.status_code": 503 };
const checkout: SentResource = {
  attributes: { "host.name": "h1", "service.name": "checkout" },
  spans: [span(current, { traceId }), span(earlier), span({ "db.system": "mysql" }, { kind: 3 })],
};
const cart: SentResource = { attributes: { "service.name": "cart" }, spans: [span(current)] };

interface Sent {
  readonly body: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly url?: string;
}

async function sender() {
  const person = await server.signUp();
  const { headers, id } = await server.makeKey(person);
  const send = ({ body, headers: more = {}, url = "/v1/traces" }: Sent) =>
    server.app.inject({
      method: "POST",
      url,
      payload: Buffer.from(body),
      headers: { ...headers, "content-type": "application/x-protobuf", ...more },
    });
  const read = async (path: string) =>
    (await server.app.inject({ url: path, headers: person.headers })).json();
  const requests = async (service: string) =>
    (await read(`/api/v1/protected/http-metrics/service/${service}`)).metrics;
  const usage = async () => {
    await server.ctx.keyUsage.flush();
    return (await read(toPath(readApiKeyUsage, { id }))).usage;
  };
  return {
    orgId: person.orgId,
    send,
    requests,
    usage,
    rows: () => storedProfiles(server.ctx.columns, person.orgId),
  };
}

/** Field 1, a number or message, and the text in field 2. */
function fieldsOf(bytes: Buffer): { number: number; text: string; message: Buffer } {
  const reader = new BinaryReader(bytes);
  const found = { number: 0, text: "", message: Buffer.alloc(0) };
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === 1 && type === 0) found.number = reader.int32();
    else if (field === 1) found.message = Buffer.from(reader.bytes());
    else found.text = reader.string();
  }
  return found;
}

const orders = {
  timestamp: "2026-11-20T17:59:00.123Z",
  duration: 0.0421,
  status_code: 200,
  method: "GET",
  path: "/orders/{id}",
  request_id: traceId,
};
const failed = { ...orders, status_code: 503, method: "POST", path: "/orders", request_id: "" };
const json = { "content-type": "application/json" };

describe("spans of HTTP servers", () => {
  test.each<[string, Sent]>([
    ["protobuf", { body: tracesOf([checkout]) }],
    ["JSON", { body: jsonTracesOf([checkout]), headers: json }],
    ["gzip", { body: gzipSync(tracesOf([checkout])), headers: { "content-encoding": "gzip" } }],
    [
      "zstd",
      { body: zstdCompressSync(jsonTracesOf([checkout])), headers: { ...json, "content-encoding": "zstd" } },
    ],
  ])("become HTTP metrics, sent as %s", async (_, sent) => {
    const { send, requests, rows, usage } = await sender();
    const reply = await send(sent);
    expect([reply.statusCode, reply.headers["content-type"]]).toEqual([
      200,
      sent.headers?.["content-type"] ?? "application/x-protobuf",
    ]);
    expect(reply.body).toBe(sent.headers?.["content-type"] === undefined ? "" : "{}");
    expect(await requests("checkout")).toEqual(expect.arrayContaining([orders, failed]));
    expect(await rows()).toMatchObject([
      {
        service: "checkout",
        type: "metrics",
        sender: "otlp",
        sample_count: 2,
        sample_types: ["requests/count"],
        started_at: "2026-11-20 17:59:00.123",
      },
    ]);
    expect(await usage()).toMatchObject({ profiles: 1, refused: 0 });
  });

  test("of several services are stored for each, and only in their organization", async () => {
    const other = await sender();
    const { send, requests, rows } = await sender();
    await send({ body: tracesOf([checkout, cart, checkout, { spans: [] }]) });
    expect((await rows()).map(({ service, sample_count }) => [service, sample_count]).sort()).toEqual([
      ["cart", 1],
      ["checkout", 4],
    ]);
    expect(await requests("cart")).toEqual([{ ...orders, request_id: "" }]);
    expect(await other.rows()).toEqual([]);
  });

  test("that are sent again, in the other encoding too, are stored once", async () => {
    const { orgId, send } = await sender();
    expect((await send({ body: tracesOf([checkout, cart]) })).statusCode).toBe(200);
    expect((await send({ body: tracesOf([checkout, cart]) })).statusCode).toBe(200);
    expect((await send({ body: jsonTracesOf([checkout, cart]), headers: json })).statusCode).toBe(200);
    expect(await storedCounts(server.ctx, orgId)).toMatchObject({ requests: 3, profiles: 2, rolledUp: 2 });
  });

  test.each<[string, SentSpan["attributes"], string]>([
    ["the route", { "http.route": "/a/{b}", "url.path": "/a/1" }, "/a/{b}"],
    ["the path", { "url.path": "/a/1" }, "/a/1"],
    ["the target without its query", { "http.target": "/a?b=/c" }, "/a"],
    ["the path of an address", { "http.url": "http://shop:80/a/1?b#c" }, "/a/1"],
    ["the root of an address", { "http.url": "http://shop:80?b" }, "/"],
  ])("have as their path %s", async (_, attributes, path) => {
    const { send, requests } = await sender();
    const all = { "http.method": "GET", "http.status_code": "200", ...attributes };
    await send({ body: tracesOf([{ ...cart, spans: [span(all)] }]) });
    expect((await requests("cart")).map((request: { path: string }) => request.path)).toEqual([path]);
  });

  test("are the only ones that are stored: others are dropped without a word, and counted", async () => {
    const { send, rows } = await sender();
    const dropped = {
      ...cart,
      spans: [
        span(current, { kind: 3 }),
        span(current, { kind: 0 }),
        span({ "rpc.system": "grpc" }),
        span({ "http.request.method": "GET", "url.path": "/" }),
      ],
    };
    const before = await counted();
    const reply = await send({ body: jsonTracesOf([dropped]), headers: json });
    expect([reply.statusCode, reply.body]).toEqual([200, "{}"]);
    expect(await rows()).toEqual([]);
    const after = await counted();
    expect(after.map((value, index) => value - before[index]!)).toEqual([2, 1, 1]);
  });

  test("of a service without a name are filed under unknown_service", async () => {
    const { send, rows } = await sender();
    await send({ body: tracesOf([{ spans: [span(current)] }]) });
    expect(await rows()).toMatchObject([{ service: "unknown_service" }]);
  });
});

const droppedKinds = ["span_not_server", "span_not_http", "span_without_status"];

async function counted(): Promise<number[]> {
  const text = (await server.app.inject({ url: "/metrics" })).body;
  return droppedKinds.map((kind) =>
    Number(new RegExp(`ingest_dropped_total\\{kind="${kind}"\\} (\\d+)`).exec(text)?.[1] ?? 0),
  );
}

describe("spans that cannot be stored", () => {
  const ended = span(current, { endNs: startNs - 1n });
  test.each<[string, SentResource, RegExp]>([
    ["end before they start", { ...cart, spans: [ended] }, /ends before it starts/],
    ["have no start", { ...cart, spans: [span(current, { startNs: 0n })] }, /has no start/],
    ["are too old", { ...cart, spans: [span(current, { startNs: 10n ** 18n })] }, /A span is from 2001/],
    [
      "have a status that is none",
      { ...cart, spans: [span({ ...current, "http.response.status_code": 99 })] },
      /status_code must be at least 100/,
    ],
    [
      "have a service with a name that is none",
      { ...cart, attributes: { "service.name": "☃" } },
      /service name may contain/,
    ],
  ])("because they %s are rejected by count and sentence, others are stored", async (_, bad, message) => {
    const { send, requests } = await sender();
    const inJson = await send({ body: jsonTracesOf([bad, checkout]), headers: json });
    expect(inJson.statusCode).toBe(200);
    expect(inJson.json()).toEqual({
      partialSuccess: { rejectedSpans: "1", errorMessage: expect.stringMatching(message) },
    });
    const inProtobuf = await send({ body: tracesOf([bad, checkout]) });
    expect(inProtobuf.statusCode).toBe(200);
    expect(fieldsOf(fieldsOf(inProtobuf.rawPayload).message)).toMatchObject({
      number: 1,
      text: expect.stringMatching(message),
    });
    expect(await requests("checkout")).toHaveLength(2);
  });

  test.each<[string, Sent, number, RegExp]>([
    ["no message", { body: Buffer.from([0x0a, 5, 1]) }, 3, /claims 5 bytes where 1 are left \(byte 0/],
    ["no JSON", { body: Buffer.from("{"), headers: json }, 3, /no JSON/],
    [
      "JSON of another form",
      { body: Buffer.from('{"resourceSpans":7}'), headers: json },
      3,
      /resource_spans .* no list/,
    ],
    [
      "too many spans",
      { body: tracesOf([{ ...cart, spans: Array(6).fill(span(current)) }]) },
      3,
      /more than 5 spans of HTTP servers/,
    ],
    [
      "too many services",
      { body: tracesOf(["a", "b", "c"].map((name) => ({ ...cart, attributes: { "service.name": name } }))) },
      3,
      /more than 2 services/,
    ],
    ["too large", { body: gzipSync(Buffer.alloc(60_000)) }, 3, /INGEST_MAX_METRICS_BYTES/],
  ])("a request that is %s is refused as a whole, in its encoding", async (_, sent, code, message) => {
    const { send, rows } = await sender();
    const reply = await send(sent);
    expect([400, 413]).toContain(reply.statusCode);
    const isJson = sent.headers !== undefined;
    const status = isJson ? reply.json() : fieldsOf(reply.rawPayload);
    expect(isJson ? status.message : status.text).toMatch(message);
    expect(isJson ? status.code : status.number).toBe(code);
    expect(await rows()).toEqual([]);
  });

  test("another content type is refused with what to send", async () => {
    const { send } = await sender();
    const reply = await send({ body: Buffer.from("{}"), headers: { "content-type": "text/plain" } });
    expect([reply.statusCode, reply.json().message]).toEqual([
      415,
      expect.stringMatching(/ExportTraceServiceRequest of OTLP as application\/x-protobuf/),
    ]);
  });
});

describe("requests of unmodified exporters (examples/recordings)", () => {
  let later: TestApp;
  beforeAll(async () => {
    later = await startApp({ at: "2026-11-29T06:00:00.000Z" });
  });
  afterAll(() => later.close());

  const python = {
    timestamp: "2026-11-29T05:33:15.261Z",
    duration: 0.011488332,
    path: "/papers/<name>",
    request_id: "57a76be597735e95b9458df6c8f9d060",
  };
  const go = {
    timestamp: "2026-11-29T05:33:06.249Z",
    duration: 0.000091692,
    path: "/papers/{name}",
    request_id: "506c46bc9f04ecccf67bc8edad618992",
  };
  test.each([
    ["python-1.45.1", python, ["/nowhere"]],
    ["go-1.47.0", go, []],
  ])("%s: each request once, with its route", async (sdk, first, otherPaths) => {
    const person = await later.signUp();
    const key = await later.makeKey(person);
    const [{ url, headers, body }] = capturedRequests(`opentelemetry-${sdk}`) as [CapturedRequest];
    const sent = { method: "POST", url, payload: body, headers: { ...headers, ...key.headers } } as const;
    const reply = await later.app.inject(sent);
    expect([reply.statusCode, reply.body]).toEqual([200, ""]);
    const list = await later.app.inject({
      url: "/api/v1/protected/http-metrics/service/kiosk",
      headers: person.headers,
    });
    const { metrics } = list.json() as { metrics: { path: string; status_code: number }[] };
    expect(metrics).toContainEqual({ ...first, status_code: 200, method: "GET" });
    const ofPath = metrics.filter(({ path }) => path === first.path);
    expect(ofPath.map(({ status_code }) => status_code).sort()).toEqual([200, 200, 404]);
    expect(metrics.map(({ path }) => path).filter((path) => path !== first.path)).toEqual(otherPaths);
  });
});
