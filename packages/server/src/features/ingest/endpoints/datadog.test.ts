import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { type CapturedRequest, capturedRequests } from "@flamekeep/profile/testing/recordings";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { pprofOf } from "#ingest/testing/pprof-of.ts";
import { storedProfiles } from "#ingest/testing/stored.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { boundaryOf, splitMultipart } from "./multipart.ts";

const at = "2026-11-20T18:00:00.000Z";
const event = {
  start: "2026-11-20T17:58:00.199877096Z",
  end: "2026-11-20T17:59:00.199877096Z",
  family: "go",
  version: "4",
  tags_profiler:
    "service:checkout,env:prod,version:1.2.3,runtime-id:5b0e,host:web-1,profile_seq:7,_dd.x:1,team:a:b",
};

type Part = readonly [name: string, body: Uint8Array | string | object];

const boundary = "b0undary";
function formOf(parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(([name, body]) => {
    const isBytes = typeof body === "string" || body instanceof Uint8Array;
    const field = name === "event.json" ? "event" : name;
    const disposition = `Content-Disposition: form-data; name="${field}"; filename="${name}"`;
    return [`--${boundary}\r\n${disposition}\r\n\r\n`, isBytes ? body : JSON.stringify(body), "\r\n"];
  });
  return Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)));
}

/** A frame with one block that is stored as it is. */
function lz4Of(bytes: Uint8Array): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE((bytes.length | 0x80000000) >>> 0);
  return Buffer.concat([Buffer.from("04224d18604082", "hex"), size, bytes, Buffer.alloc(4)]);
}

const profile = (sampleTypes: readonly string[], ...values: number[]) =>
  pprofOf({ sampleTypes, samples: [["main;work", ...values]] });
const cpu = profile(["samples/count", "cpu/nanoseconds"], 3, 30_000_000);
const contentions = profile(["contentions/count", "delay/nanoseconds"], 4, 400);
const heap = (allocated: number, inUse: number) =>
  profile(
    ["alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"],
    allocated,
    allocated * 100,
    inUse,
    inUse * 100,
  );

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ at, env: { INGEST_MAX_PROFILES: "8" } });
});
afterAll(() => server.close());

async function droppedMetrics(): Promise<number> {
  const { body } = await server.app.inject("/metrics");
  return Number(/^flamekeep_ingest_dropped_total\{kind="datadog_metrics"\} (\d+)$/m.exec(body)?.[1] ?? 0);
}

async function sender(app = server) {
  const person = await app.signUp();
  const { key } = await app.makeKey(person);
  const post = (payload: Buffer, headers: Readonly<Record<string, string>>, url = "/profiling/v1/input") =>
    app.app.inject({ method: "POST", url, payload, headers });
  const type = `multipart/form-data; boundary=${boundary}`;
  const send = (parts: readonly Part[], url?: string) =>
    post(formOf(parts), { "dd-api-key": key, "content-type": type }, url);
  return { key, post, send, rows: () => storedProfiles(app.ctx.columns, person.orgId) };
}

describe("the form of Datadog's libraries", () => {
  test.each(["/profiling/v1/input", "/api/v2/profile"])("is stored profile by profile: %s", async (url) => {
    const { send, rows } = await sender();
    const reply = await send(
      [
        ["metrics.json", '[["go_num_goroutine",7]]'],
        ["cpu.pprof", zstdCompressSync(cpu)],
        ["delta-mutex.pprof", gzipSync(contentions)],
        ["delta-block.pprof", contentions],
        ["delta-heap.pprof", zstdCompressSync(heap(5, 9))],
        ["goroutines.pprof", profile(["goroutine/count"], 12)],
        ["go.trace", "go 1.26 trace"],
        ["code-provenance.json", "{}"],
        ["event.json", event],
      ],
      url,
    );
    expect([reply.statusCode, reply.body]).toEqual([200, "{}"]);
    const stored = await rows();
    expect(stored.map(({ type, totals, deltas_totals }) => [type, totals, deltas_totals])).toEqual([
      ["block", [4n, 400n], [4n, 400n]],
      ["cpu", [3n, 30_000_000n], [3n, 30_000_000n]],
      ["custom", [7n], [7n]],
      ["goroutine", [12n], [12n]],
      ["memory", [5n, 500n, 9n, 900n], [5n, 500n, 9n, 900n]],
      ["mutex", [4n, 400n], [4n, 400n]],
    ]);
    for (const row of stored)
      expect(row).toMatchObject({
        service: "checkout",
        sender: "datadog",
        started_at: "2026-11-20 17:58:00.199",
        duration_ns: 60_000_000_000,
        tags: { env: "prod", version: "1.2.3", "runtime-id": "5b0e", host: "web-1", team: "a:b" },
        facts: { family: "go", attachment: expect.stringMatching(/\.(?:pprof|json)$/) },
        trimmed: {},
      });
    expect(Object.keys(stored[0]!.tags)).not.toContain("profile_seq");
  });

  test("may have a recording of Java, and attachments in lz4", async () => {
    const [{ headers, body }] = capturedRequests("pyroscope-java-2.9.2") as [CapturedRequest];
    const parts = splitMultipart(body, boundaryOf(headers["content-type"])!);
    const recording = parts.ok ? parts.value.find(({ name }) => name === "jfr") : undefined;
    const later = await startApp({ at: "2026-11-29T02:40:00.000Z" });
    try {
      const { send, rows } = await sender(later);
      const start = "2026-11-29T02:30:00Z";
      const reply = await send([
        ["main.jfr", recording!.body],
        ["cpu.pprof", lz4Of(cpu)],
        ["event.json", { ...event, start, end: "2026-11-29T02:31:00Z", family: "java" }],
      ]);
      expect([reply.statusCode, reply.body]).toEqual([200, "{}"]);
      const stored = (await rows()).map(({ type, facts, totals }) => [type, facts.attachment, totals[0]]);
      expect(stored).toHaveLength(4);
      expect(stored).toEqual(
        expect.arrayContaining([
          ["cpu", "main.jfr", 45n],
          ["cpu", "cpu.pprof", 3n],
          ["memory", "main.jfr", 280n],
          ["mutex", "main.jfr", 73n],
        ]),
      );
    } finally {
      await later.close();
    }
  });

  test("stores nothing twice", async () => {
    const { send, rows } = await sender();
    const form: Part[] = [
      ["cpu.pprof", cpu],
      ["event.json", event],
    ];
    for (const _ of [1, 2]) expect((await send(form)).statusCode).toBe(200);
    expect(await rows()).toHaveLength(1);
  });

  test("is compared with the form before where Go counts since the start of the process", async () => {
    const { send, rows } = await sender();
    const later = { ...event, start: event.end, end: "2026-11-20T17:59:50Z" };
    for (const [about, allocated] of [
      [event, 100],
      [later, 130],
    ] as const)
      await send([
        ["heap.pprof", heap(allocated, 7)],
        ["event.json", about],
      ]);
    const deltas = (await rows()).map(({ deltas_totals }) => deltas_totals.slice(0, 2));
    expect(deltas).toEqual([
      [0n, 0n],
      [30n, 3000n],
    ]);
  });

  test("is accepted without a profile, and without anything in one", async () => {
    const { send, rows } = await sender();
    const empty = [
      "[]",
      '{"go_num_goroutine":3}',
      '[["go_num_goroutine",-1],["go_num_goroutine",1e300],["x",1]]',
    ];
    for (const part of [
      ...empty.map((metrics) => ["metrics.json", metrics] as const),
      ["cpu.pprof", gzipSync("")] as const,
    ])
      expect((await send([part, ["event.json", event]])).statusCode).toBe(200);
    expect(await rows()).toEqual([]);
  });

  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  const many = (count: number): Part[] => Array.from({ length: count }, (_, i) => [`p${i}.pprof`, cpu]);
  test.each<[string, readonly Part[], number, string, RegExp]>([
    ["event.json", [["cpu.pprof", cpu]], 400, "invalid", /no part event\.json/],
    ["an attachment", [["event.json", event]], 400, "invalid", /no attachment/],
    [
      "an event that is JSON",
      [
        ["cpu.pprof", cpu],
        ["event.json", "{"],
      ],
      400,
      "invalid",
      /byte/,
    ],
    [
      "times",
      [
        ["cpu.pprof", cpu],
        ["event.json", { ...event, start: "x" }],
      ],
      400,
      "invalid",
      /start: /,
    ],
    [
      "a service",
      [
        ["cpu.pprof", cpu],
        ["event.json", { ...event, tags_profiler: "env:prod" }],
      ],
      400,
      "invalid",
      /DD_SERVICE/,
    ],
    [
      "a time that is kept",
      [
        ["cpu.pprof", cpu],
        ["event.json", { ...event, start: "2001-01-01T00:00:00Z" }],
      ],
      422,
      "unprocessable",
      /cpu\.pprof: .*correct start in event\.json/,
    ],
    [
      "profiles that can be read",
      [
        ["cpu.pprof", cpu],
        ["wall.pprof", "not a profile"],
        ["event.json", event],
      ],
      400,
      "invalid",
      /wall\.pprof: .*Nothing of the request was stored/,
    ],
    ["few profiles", [...many(9), ["event.json", event]], 413, "too_large", /INGEST_MAX_PROFILES/],
    ["few parts", [...many(1000), ["event.json", event]], 400, "invalid", /more than 16 parts/],
    [
      "sizes that profiles have",
      [
        ["cpu.pprof", bomb],
        ["event.json", event],
      ],
      413,
      "too_large",
      /cpu\.pprof: /,
    ],
  ])("is refused without %s", async (_, parts, status, code, message) => {
    const { send, rows } = await sender();
    const reply = await send(parts);
    expect([reply.statusCode, reply.json().code]).toEqual([status, code]);
    expect(reply.json().error).toMatch(message);
    expect(await rows()).toEqual([]);
  });

  test.each<[string, Uint8Array | string]>([
    ["are cut off", gzipSync('[["go_num_goroutine",7]]').subarray(0, -12)],
    ["are no JSON", gzipSync('[["go_num_goroutine",')],
    ["are nested deeply", "[".repeat(100_000)],
    ["inflate to more than 1 MiB", gzipSync(`[["go_num_goroutine",7]${" ".repeat(1024 * 1024)}]`)],
    ["are larger than 1 MiB", `[["go_num_goroutine",7]${" ".repeat(1024 * 1024)}]`],
  ])("is stored without metrics that %s", async (_, metrics) => {
    const { send, rows } = await sender();
    const before = await droppedMetrics();
    const reply = await send([
      ["metrics.json", metrics],
      ["cpu.pprof", cpu],
      ["delta-heap.pprof", heap(5, 9)],
      ["event.json", event],
    ]);
    expect([reply.statusCode, reply.body]).toEqual([200, "{}"]);
    expect((await rows()).map(({ type }) => type)).toEqual(["cpu", "memory"]);
    expect(await droppedMetrics()).toBe(before + 1);
  });

  test("has its metrics besides as many profiles as a request may have", async () => {
    const { send, rows } = await sender();
    const profiles = Array.from({ length: 8 }, (_, i): Part => {
      return [`p${i}.pprof`, profile(["cpu/nanoseconds"], i + 1)];
    });
    const reply = await send([
      ["metrics.json", gzipSync('[["go_num_goroutine",7]]')],
      ...profiles,
      ["event.json", event],
    ]);
    expect([reply.statusCode, reply.body]).toEqual([200, "{}"]);
    expect((await rows()).map(({ type }) => type)).toEqual([...Array<string>(8).fill("cpu"), "custom"]);
  });

  test("is refused with another boundary, cut off, and as another type", async () => {
    const { post, key } = await sender();
    const form = formOf([
      ["cpu.pprof", cpu],
      ["event.json", event],
    ]);
    for (const [payload, type, message] of [
      [form, "multipart/form-data; boundary=other", /boundary does not occur/],
      [form.subarray(0, -20), `multipart/form-data; boundary=${boundary}`, /cut off/],
      [form, "multipart/form-data", /boundary/],
      [form, "application/octet-stream", /\/api\/v1\/ingest\/profiles/],
    ] as const) {
      const reply = await post(payload, { "dd-api-key": key, "content-type": type });
      expect([reply.statusCode, reply.json().code]).toEqual([400, "invalid"]);
      expect(reply.json().error).toMatch(message);
    }
  });

  test("bounds what its attachments inflate to together", async () => {
    const small = await startApp({ at, env: { INGEST_MAX_INFLATED_BYTES: "200000" } });
    try {
      const { send, rows } = await sender(small);
      const large = pprofOf({
        sampleTypes: ["cpu/nanoseconds"],
        samples: [[`main;${"f".repeat(90_000)}`, 1]],
      });
      const parts = (count: number): Part[] => [
        ...Array.from({ length: count }, (_, i): Part => [`p${i}.pprof`, gzipSync(large)]),
        ["event.json", event],
      ];
      const reply = await send(parts(3));
      expect([reply.statusCode, reply.json().code]).toEqual([413, "too_large"]);
      expect(await rows()).toEqual([]);
      expect((await send(parts(2))).statusCode).toBe(200);
    } finally {
      await small.close();
    }
  });
});

describe("the key of Datadog's libraries", () => {
  const form = formOf([
    ["cpu.pprof", cpu],
    ["event.json", event],
  ]);
  const type = { "content-type": `multipart/form-data; boundary=${boundary}` };

  test("may be in every header that other senders use, and the password of the address", async () => {
    const { post, key } = await sender();
    const basic = `Basic ${Buffer.from(`key:${key}`).toString("base64")}`;
    for (const header of [{ "x-api-key": key }, { "dd-api-key": key }, { authorization: basic }])
      expect((await post(form, { ...type, ...header })).statusCode).toBe(200);
    // Go sends DD_API_KEY to agents as well: the address was written for this server.
    const both = { authorization: basic, "dd-api-key": "0".repeat(32) };
    expect((await post(form, { ...type, ...both })).statusCode).toBe(200);
  });

  test("is named as DD_API_KEY where it is missing, and is read at no other address", async () => {
    const { post, key } = await sender();
    const reply = await post(form, type);
    expect([reply.statusCode, reply.json().code]).toEqual([401, "unauthenticated"]);
    expect(reply.json().error).toMatch(/DD_API_KEY.*DD_TRACE_AGENT_URL=http:\/\/key:fk_/);
    const wrong = await post(form, { ...type, "dd-api-key": "0".repeat(32) });
    expect(wrong.json().error).toMatch(/not valid/);
    const elsewhere = await post(cpu, { "dd-api-key": key }, "/ingest?name=app&format=pprof");
    expect(elsewhere.statusCode).toBe(401);
  });
});

describe("what tracers send to their agent besides profiles", () => {
  const paths = [
    "/v0.3/traces",
    "/v0.4/traces",
    "/v0.5/traces",
    "/v0.6/stats",
    "/v0.7/config",
    "/telemetry/proxy/api/v2/apmtelemetry",
  ];

  test.each(paths)(
    "is dropped and answered without a key, whatever the server is called: %s",
    async (url) => {
      const { key, rows } = await sender();
      for (const method of ["POST", "PUT", "GET"] as const)
        for (const headers of [{}, { "dd-api-key": key }, { authorization: "Bearer fk_wrong" }]) {
          const reply = await server.app.inject({
            method,
            url,
            headers: { ...headers, "content-type": "application/msgpack", host: "profiles.internal:4040" },
            payload: Buffer.alloc(100_000),
          });
          expect([reply.statusCode, reply.json()]).toEqual([200, { rate_by_service: {} }]);
        }
      expect(await rows()).toEqual([]);
    },
  );

  let address: Promise<string> | undefined;
  const listening = () => (address ??= server.app.listen({ port: 0, host: "127.0.0.1" }));

  test("is less than what they ask for", async () => {
    const reply = await server.app.inject({ url: "/info" });
    expect([reply.statusCode, reply.json()]).toEqual([200, { endpoints: ["/profiling/v1/input"] }]);
  });

  test("may be a question without a body, which keeps its connection", async () => {
    const { port } = new URL(await listening());
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const sockets = new Set<unknown>();
    for (let asked = 0; asked < 3; asked++) {
      const call = request({ agent, port, path: "/v0.7/config" }).end();
      const [reply] = (await once(call, "response")) as [IncomingMessage];
      sockets.add(call.socket);
      expect([reply.statusCode, reply.headers.connection]).toEqual([200, "keep-alive"]);
      const closed = once(call, "close");
      expect(await text(reply)).toBe('{"rate_by_service":{}}');
      await closed;
    }
    expect(sockets.size).toBe(1);
  });

  test("is answered before it arrives, and waited for no longer than an agent would", async () => {
    const address = new URL(await listening());
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const begin = (length: number | undefined) => {
      const sizes = length === undefined ? { "transfer-encoding": "chunked" } : { "content-length": length };
      const call = request({
        agent,
        port: address.port,
        path: "/v0.4/traces",
        method: "PUT",
        headers: sizes,
      });
      call.on("error", () => {});
      call.write("traces");
      return call;
    };
    onTestFinished(() => agent.destroy());
    for (const length of [26_000_000, undefined]) {
      const call = begin(length);
      const closed = once(call, "close");
      const [reply] = (await once(call, "response")) as [IncomingMessage];
      expect([reply.statusCode, reply.headers.connection]).toEqual([200, "close"]);
      reply.resume();
      await closed;
    }
    const sockets = new Set<unknown>();
    for (let sent = 0; sent < 3; sent++) {
      const call = begin(2_000_000);
      const [reply] = (await once(call, "response")) as [IncomingMessage];
      sockets.add(call.socket);
      expect([reply.statusCode, await text(reply)]).toEqual([200, '{"rate_by_service":{}}']);
      const closed = once(call, "close");
      call.end(Buffer.alloc(2_000_000 - "traces".length));
      await closed;
    }
    expect(sockets.size).toBe(1);
  });
});

describe("requests of unmodified libraries (examples/recordings)", () => {
  /** Sends a recorded request to a new server, and reads the stored rows in the order of their types. */
  async function stored(library: string) {
    const [{ url, headers, body }] = capturedRequests(library) as [CapturedRequest];
    const recorded = await startApp({ at: "2026-11-29T05:40:00.000Z" });
    onTestFinished(() => recorded.close());
    const person = await recorded.signUp();
    const { key } = await recorded.makeKey(person);
    const reply = await recorded.app.inject({
      method: "POST",
      url,
      payload: body,
      headers: { ...headers, "dd-api-key": key },
    });
    expect([reply.statusCode, reply.body]).toEqual([200, "{}"]);
    const rows = await storedProfiles(recorded.ctx.columns, person.orgId);
    const labelsOf = async (profileId: string) => {
      const answer = await recorded.app.inject({
        url: `/api/v1/protected/labels/${profileId}`,
        headers: person.headers,
      });
      const { keys } = answer.json<{ keys: { name: string; values: { value: string }[] }[] }>();
      return Object.fromEntries(keys.map(({ name, values }) => [name, values.map(({ value }) => value)]));
    };
    return { rows, labelsOf };
  }

  test("of dd-trace-go are stored with type, service, tags and differences", async () => {
    const requests = capturedRequests("dd-trace-go-2.12.0");
    const recorded = await startApp({ at: "2026-11-29T02:40:00.000Z" });
    try {
      const { post, key, rows } = await sender(recorded);
      for (const { url, headers, body } of requests) {
        const reply = await post(body, { ...headers, "dd-api-key": key }, url);
        expect([reply.statusCode, reply.body]).toEqual([200, "{}"]);
      }
      const stored = await rows();
      const types = stored.map(({ type }) => type);
      expect(types.toSorted()).toEqual(
        ["block", "cpu", "custom", "goroutine", "memory", "mutex"].flatMap((type) => [type, type]),
      );
      const goroutines = stored.filter(({ type }) => type === "goroutine").map(({ totals }) => totals[0]);
      const metrics = stored.filter(({ type }) => type === "custom");
      expect(
        metrics.map(({ facts, sample_types, totals }) => [facts.attachment, sample_types, totals]),
      ).toEqual(
        [
          [2n, 2_524_467n, 2_479_039n],
          [1n, 270_634n, 270_614n],
        ].map((collections) => [
          "metrics.json",
          [
            "go_gc_events/count",
            "go_gc_pause_time/nanoseconds",
            "go_max_gc_pause_time/nanoseconds",
            "go_num_goroutine/count",
          ],
          [...collections, goroutines[0]],
        ]),
      );
      for (const row of stored) {
        expect(row).toMatchObject({
          service: "kiosk",
          sender: "datadog",
          tags: { region: "eu", version: "1.2.3", env: "test", runtime: "go", runtime_version: "1.26.8" },
          trimmed: {},
        });
        expect(row.duration_ns).toBeGreaterThan(4_500_000_000);
        expect(row.deltas_totals).toEqual(row.totals);
        expect(row.totals.at(-1)).toBeGreaterThan(0n);
      }
    } finally {
      await recorded.close();
    }
  });

  test("of dd-trace for Node are stored under every type that they measure", async () => {
    const [request] = capturedRequests("dd-trace-js-6.21.0");
    const recorded = await startApp({ at: "2026-11-29T02:50:00.000Z" });
    try {
      const { post, key, rows } = await sender(recorded);
      const { url, headers, body } = request!;
      const reply = await post(body, { ...headers, "dd-api-key": key }, url);
      expect([reply.statusCode, reply.body]).toEqual([200, "{}"]);
      const stored = await rows();
      const measured = stored.map(({ type, facts, sample_types }) => [type, facts.attachment, sample_types]);
      expect(measured.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))).toEqual([
        ["cpu", "wall.pprof", ["samples/count", "cpu/nanoseconds"]],
        ["custom", "events.pprof", ["timeline/nanoseconds"]],
        ["custom", "wall.pprof", ["sample/count", "wall/nanoseconds"]],
        [
          "memory",
          "space.pprof",
          ["inuse_objects/count", "alloc_objects/count", "inuse_space/bytes", "alloc_space/bytes"],
        ],
      ]);
      for (const row of stored)
        expect(row).toMatchObject({
          service: "kiosk",
          tags: { region: "eu", version: "1.2.3", env: "test", runtime: "nodejs" },
        });
    } finally {
      await recorded.close();
    }
  });

  test("of ddtrace for Python are stored under every type that they measure, with spans and threads", async () => {
    const { rows, labelsOf } = await stored("dd-trace-py-4.16.0");
    expect(rows.map(({ type, sample_types, totals }) => [type, sample_types, totals])).toEqual([
      ["cpu", ["cpu/nanoseconds", "samples/count"], [2_272_708_000n, 510n]],
      ["custom", ["wall/nanoseconds", "samples/count"], [10_026_772_000n, 510n]],
      [
        "memory",
        ["alloc_space/bytes", "alloc_objects/count", "inuse_space/bytes", "inuse_objects/count"],
        [1_386_557_978n, 17_847_276n, 17_456_561n, 153_653n],
      ],
      [
        "mutex",
        ["delay/nanoseconds", "contentions/count", "lock-release-hold/nanoseconds", "lock-release/count"],
        [2986n, 1n, 43_802_550n, 1n],
      ],
    ]);
    for (const row of rows)
      expect(row).toMatchObject({
        service: "kiosk",
        sender: "datadog",
        tags: { region: "eu", version: "1.2.3", env: "test", runtime: "CPython" },
        trimmed: {},
      });
    expect(await labelsOf(rows[0]!.profile_id)).toMatchObject({
      "trace endpoint": ["/papers"],
      "thread name": expect.arrayContaining(["clerk", "MainThread"]),
    });
  });

  test("of Datadog's agent for Java are stored with their weights, spans, threads and endpoints", async () => {
    const { rows, labelsOf } = await stored("dd-trace-java-1.68.1");
    expect(rows.map(({ type, sample_types, totals }) => [type, sample_types, totals])).toEqual([
      ["cpu", ["samples/count", "cpu/nanoseconds"], [186n, 1_860_000_000n]],
      ["custom", ["samples/count", "wall/nanoseconds"], [186n, 9_300_000_000n]],
      [
        "memory",
        ["alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"],
        [24_196_711n, 669_248_959n, 1_492_148n, 44_073_982n],
      ],
    ]);
    for (const row of rows)
      expect(row).toMatchObject({
        service: "kiosk",
        sender: "datadog",
        tags: { region: "eu", version: "1.2.3", env: "test", host: "kiosk-1", language: "jvm" },
        trimmed: {},
      });
    expect(await labelsOf(rows[0]!.profile_id)).toMatchObject({
      "trace endpoint": ["GET /papers"],
      operation: expect.arrayContaining(["servlet.request", "http.request"]),
      "thread name": expect.arrayContaining(["main", "qtp539682927-39"]),
    });
  });
});
