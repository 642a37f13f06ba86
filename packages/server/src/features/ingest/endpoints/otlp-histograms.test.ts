import { gzipSync } from "node:zlib";
import { capturedRequests } from "@flamekeep/profile/testing/recordings";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { getOrder, jsonMetricsOf, metricsOf, type SentHistogram } from "#ingest/testing/metrics-of.ts";
import { storedProfiles } from "#ingest/testing/stored.ts";
import { tracesOf } from "#ingest/testing/traces-of.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { createApp } from "../../../app.ts";

const minute = 60_000;

let server: TestApp;
let now: number;
beforeAll(async () => {
  server = await startApp({
    at: "2026-11-20T18:00:00.000Z",
    env: { INGEST_MAX_METRICS: "100", INGEST_MAX_PROFILES: "2" },
  });
});
afterAll(() => server.close());
beforeEach(() => {
  server.clock.advance(20 * minute);
  now = server.clock.now().getTime();
});

type Row = { timestamp: string; duration: number; status_code: number; method: string; path: string };

let senders = 0;

async function sender() {
  // Each address may sign up a few times a minute.
  const person = await server.signUp(undefined, `10.0.0.${++senders}`);
  const { headers } = await server.makeKey(person);
  const post = async (url: string, payload: Buffer, more: Record<string, string> = {}, app = server.app) => {
    const type = { "content-type": "application/x-protobuf" };
    return app.inject({ method: "POST", url, payload, headers: { ...headers, ...type, ...more } });
  };
  const send = async (...histograms: SentHistogram[]) => {
    const reply = await post("/v1/metrics", metricsOf(histograms));
    expect([reply.statusCode, reply.body]).toEqual([200, ""]);
  };
  const requests = async (service = "checkout"): Promise<Row[]> => {
    const url = `/api/v1/protected/http-metrics/service/${service}?limit=1000`;
    return (await server.app.inject({ url, headers: person.headers })).json().metrics;
  };
  const durations = async (service?: string) =>
    (await requests(service)).map(({ duration }) => Number(duration.toFixed(6))).sort((a, b) => a - b);
  return {
    person,
    post,
    send,
    requests,
    durations,
    rows: () => storedProfiles(server.ctx.columns, person.orgId),
  };
}

async function dropped(kind: string): Promise<number> {
  const text = (await server.app.inject({ url: "/metrics" })).body;
  return Number(new RegExp(`ingest_dropped_total\\{kind="${kind}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
}

const delta = (more: Partial<SentHistogram> = {}): SentHistogram => ({
  isDelta: true,
  startMs: now - minute,
  timeMs: now,
  counts: [2, 4, 1],
  ...more,
});
/** A report of a process that began after the server. */
const total = (timeMs: number, counts: readonly number[], more: Partial<SentHistogram> = {}) => ({
  startMs: now - 5 * minute,
  timeMs,
  counts,
  ...more,
});

describe("histograms of HTTP servers that count since the last report", () => {
  test.each<[string, (sent: SentHistogram) => readonly [Buffer, Record<string, string>]]>([
    ["protobuf", (sent) => [metricsOf([sent]), {}]],
    ["JSON", (sent) => [jsonMetricsOf([sent]), { "content-type": "application/json" }]],
    ["gzip", (sent) => [gzipSync(metricsOf([sent])), { "content-encoding": "gzip" }]],
  ])("become requests, as %s: durations within their buckets, times between the reports", async (_, as) => {
    const { post, requests, durations, rows } = await sender();
    const other = await sender();
    const [body, headers] = as(delta());
    expect((await post("/v1/metrics", body, headers)).statusCode).toBe(200);
    // Without a shortest and longest duration, the ends are 0 and the last bound.
    expect(await durations()).toEqual([0.025, 0.075, 0.15, 0.25, 0.35, 0.45, 0.5]);
    for (const { timestamp, ...request } of await requests()) {
      expect(request).toMatchObject({ method: "GET", path: "/orders/{id}", status_code: 200 });
      expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(now - minute);
      expect(Date.parse(timestamp)).toBeLessThanOrEqual(now);
    }
    expect(new Set((await requests()).map(({ timestamp }) => timestamp)).size).toBe(7);
    expect(await rows()).toMatchObject([{ type: "metrics", sender: "otlp_histogram", sample_count: 7 }]);
    expect(await other.rows()).toEqual([]);
  });

  test("are narrowed by the shortest and longest duration", async () => {
    const { send, durations } = await sender();
    await send(delta({ counts: [1, 0, 2], min: 0.08, max: 0.9 }));
    expect(await durations()).toEqual([0.09, 0.6, 0.8]);
  });

  test("are stored once when the message is sent again, and twice for two processes", async () => {
    const { send, requests } = await sender();
    await send(delta());
    await send(delta());
    expect(await requests()).toHaveLength(7);
    await send(delta({ instance: "2" }));
    expect(await requests()).toHaveLength(14);
  });

  test("have their earlier names and milliseconds, and count once under both names", async () => {
    const { send, requests, durations } = await sender();
    const earlier = {
      name: "http.server.duration",
      unit: "ms",
      attributes: { "http.method": "post", "http.target": "/orders?card=4111", "http.status_code": 503 },
      buckets: [100, 500],
    };
    await send(delta({ ...earlier, service: "old" }), delta(), delta({ ...earlier, counts: [9, 0, 0] }));
    expect(await durations("old")).toEqual([0.025, 0.075, 0.15, 0.25, 0.35, 0.45, 0.5]);
    expect((await requests("old"))[0]).toMatchObject({ method: "POST", path: "/orders", status_code: 503 });
    expect(await requests()).toHaveLength(7);
  });

  test("may have exponential buckets, of zeros too", async () => {
    const { send, durations } = await sender();
    // With scale 0 a bucket is between powers of two: 0.25 to 0.5, and 0.5 to 1.
    await send(delta({ counts: [1, 2], buckets: { scale: 0, offset: -2, zeros: 1 } }));
    expect(await durations()).toEqual([0, 0.375, 0.625, 0.875]);
  });

  test("without a route have a path that says so; without a status or method they are dropped", async () => {
    const { send, requests, rows } = await sender();
    const before = await Promise.all(["histogram_without_status", "histogram_not_http"].map(dropped));
    await send(
      delta({
        counts: [1, 0, 0],
        attributes: { "http.request.method": "GET", "http.response.status_code": 404 },
      }),
      delta({ attributes: { "http.request.method": "GET" } }),
      delta({ attributes: { "rpc.method": "Get" } }),
    );
    expect(await requests()).toMatchObject([{ path: "(no route)", status_code: 404 }]);
    expect(await rows()).toHaveLength(1);
    const after = await Promise.all(["histogram_without_status", "histogram_not_http"].map(dropped));
    expect(after).toEqual(before.map((count) => count + 1));
  });

  test("without buckets, or that only say that their series has ended, are dropped", async () => {
    const { send, rows } = await sender();
    const kinds = ["histogram_without_buckets", "histogram_without_value"];
    const before = await Promise.all(kinds.map(dropped));
    await send(delta({ buckets: [], counts: [7] }), delta({ flags: 1, buckets: [], counts: [] }));
    expect(await rows()).toEqual([]);
    expect(await Promise.all(kinds.map(dropped))).toEqual(before.map((count) => count + 1));
  });
});

describe("histograms that count since their process began", () => {
  test("become the requests since the report before, whatever is sent again or late", async () => {
    const { send, requests } = await sender();
    const counts = async () => (await requests()).length;
    await send(total(now, [1, 0, 0]));
    expect(await counts()).toBe(1);
    await send(total(now, [1, 0, 0]));
    expect(await counts()).toBe(1);
    await send(total(now + minute, [1, 2, 0]));
    await send(total(now, [1, 0, 0]));
    expect(await counts()).toBe(3);
    const late = (await requests()).filter(({ duration }) => duration > 0.1);
    expect(late.every(({ timestamp }) => Date.parse(timestamp) >= now)).toBe(true);
  });

  test("begin again with another start, and are counted for each process", async () => {
    const { send, durations } = await sender();
    await send(total(now, [5, 0, 0]), total(now, [0, 3, 0], { instance: "2" }));
    await send(
      total(now + minute, [1, 0, 0], { startMs: now + 1 }),
      total(now + minute, [0, 3, 1], { instance: "2" }),
    );
    expect(await durations()).toHaveLength(5 + 3 + 1 + 1);
  });

  test("that count less than before without another start are left out", async () => {
    const { send, requests } = await sender();
    const before = await dropped("histogram_count_decreased");
    await send(total(now, [5, 0, 0]));
    await send(total(now + 1000, [3, 0, 0]));
    await send(total(now + 2000, [6, 0, 0]));
    expect(await requests()).toHaveLength(6);
    expect((await dropped("histogram_count_decreased")) - before).toBe(1);
  });

  test("become several uploads where they are more than a batch may have", async () => {
    const { send, rows } = await sender();
    const routes = ["/a", "/b", "/c"].map((route) => ({
      attributes: { ...getOrder, "http.route": route },
      counts: [60, 0, 0],
    }));
    const many = { attributes: { ...getOrder, "http.route": "/d" }, counts: [100, 200, 0] };
    const report = [...routes, many].map((histogram) => ({ ...total(now, histogram.counts), ...histogram }));
    await send(...report);
    await send(...report);
    const counts = (await rows()).map(({ totals }) => Number(totals[0]));
    expect(counts.sort((a, b) => a - b)).toEqual([60, 60, 60, 300]);
  });

  test("of an older process are where counting begins; a route that is new after a whole report counts", async () => {
    const { send, requests } = await sender();
    const startMs = now - 600 * minute;
    const post = { "http.request.method": "POST", "http.route": "/orders", "http.response.status_code": 500 };
    const before = await dropped("histogram_first_report");
    await send(total(now, [90, 0, 0], { startMs }));
    expect(await requests()).toEqual([]);
    expect((await dropped("histogram_first_report")) - before).toBe(1);
    // The first report may have come in two messages, and the second may be late.
    await send(
      total(now + minute, [91, 0, 0], { startMs }),
      total(now + minute, [1, 1, 0], { startMs, attributes: post }),
    );
    expect((await requests()).map(({ path }) => path)).toEqual(["/orders/{id}"]);
    const put = { ...post, "http.request.method": "PUT" };
    await send(
      total(now + 2 * minute, [1, 2, 0], { startMs, attributes: post }),
      total(now + 2 * minute, [1, 0, 0], { startMs, attributes: put }),
    );
    expect((await requests()).map(({ method }) => method).sort()).toEqual(["GET", "POST", "PUT"]);
  });

  test("of a process that has been running for long, under a new name, are where counting begins", async () => {
    const { send, requests } = await sender();
    const startMs = now - 5 * minute;
    await send(total(now, [50, 0, 0], { startMs }));
    server.clock.advance(9 * minute);
    await send(total(now + 9 * minute, [55, 0, 0], { startMs, instance: "with more attributes" }));
    expect(await requests()).toHaveLength(50);
  });

  test("without a start are dropped: two processes could not be told apart", async () => {
    const { send, requests } = await sender();
    const before = await dropped("histogram_without_start");
    for (const count of [9, 5, 10, 6]) await send(total(now + count, [count, 0, 0], { startMs: 0 }));
    expect(await requests()).toEqual([]);
    expect((await dropped("histogram_without_start")) - before).toBe(4);
  });

  test("are stored once with deltas of the same service when only the deltas were stored before", async () => {
    const { post, send, requests } = await sender();
    const { payloads } = server.ctx;
    const put = payloads.put.bind(payloads);
    let calls = 0;
    payloads.put = async (...given) => {
      if (calls++ > 0) throw new Error("the disk failed");
      return put(...given);
    };
    const sent = [delta(), total(now, [3, 0, 0], { instance: "2" })];
    try {
      const reply = await post("/v1/metrics", metricsOf(sent));
      expect([calls > 0, reply.statusCode >= 200]).toEqual([true, true]);
    } finally {
      payloads.put = put;
    }
    await send(...sent);
    await send(...sent);
    expect(await requests()).toHaveLength(7 + 3);
  });

  test("are not counted again by a server that starts later, not even by a sender whose clock is ahead", async () => {
    const { send, post, requests } = await sender();
    const sent = total(now + 9 * minute, [4, 0, 0], { startMs: now + 8 * minute });
    await send(sent);
    expect(await requests()).toHaveLength(4);
    server.clock.advance(1);
    const restarted = await createApp(server.ctx);
    await restarted.ready();
    const again = await post("/v1/metrics", metricsOf([sent]), {}, restarted);
    expect(again.statusCode).toBe(200);
    expect(await requests()).toHaveLength(4);
    const next = { ...sent, timeMs: now + 9 * minute + 1, counts: [6, 0, 0] };
    await post("/v1/metrics", metricsOf([next]), {}, restarted);
    expect(await requests()).toHaveLength(6);
    await restarted.close();
  });

  test("of exponential buckets are compared after their scale is halved", async () => {
    const { send, durations } = await sender();
    const exponential = { scale: 1, offset: -4, zeros: 0 };
    await send(total(now, [1, 1], { buckets: exponential }));
    await send(total(now + 1, [2, 1], { buckets: { scale: 0, offset: -2, zeros: 0 } }));
    // The first two are below 0.5, where each had half of the bucket; the second report adds one above 0.5.
    const found = await durations();
    expect(found.map((duration) => duration < 0.5)).toEqual([true, true, false]);
  });

  test("are not remembered unless they were stored: the sender sends again", async () => {
    const { post, send, requests } = await sender();
    const { payloads } = server.ctx;
    const put = payloads.put.bind(payloads);
    payloads.put = async () => {
      throw new Error("the disk failed");
    };
    try {
      const reply = await post("/v1/metrics", metricsOf([total(now, [3, 0, 0])]));
      expect(reply.statusCode).toBeGreaterThanOrEqual(500);
    } finally {
      payloads.put = put;
    }
    await send(total(now, [3, 0, 0]));
    expect(await requests()).toHaveLength(3);
  });

  test("that arrive at the same time are compared one after the other", async () => {
    const { send, requests } = await sender();
    await Promise.all([1, 2, 3, 4].map((count) => send(total(now + count, [count, 0, 0]))));
    expect(await requests()).toHaveLength(4);
  });
});

describe("services that send spans or HTTP metrics", () => {
  test("have no requests of histograms, as long as they send them; other services and organizations do", async () => {
    const { person, post, send, requests } = await sender();
    const other = await sender();
    const startNs = BigInt(now) * 1_000_000n;
    const span = { attributes: getOrder, startNs, endNs: startNs + 42_100_000n };
    const spans = tracesOf([{ attributes: { "service.name": "checkout" }, spans: [span] }]);
    expect((await post("/v1/traces", spans)).statusCode).toBe(200);
    await send(total(now, [5, 0, 0]), total(now, [2, 0, 0], { service: "cart" }));
    await other.send(total(now, [5, 0, 0]));
    expect(await requests()).toHaveLength(1);
    const url = "/api/v1/protected/timeline/http/checkout";
    const timeline = await server.app.inject({ url, headers: person.headers });
    expect(timeline.json()).toMatchObject({ has_sent_histograms: false });
    expect(await requests("cart")).toHaveLength(2);
    expect(await other.requests()).toHaveLength(5);
    server.clock.advance(10 * minute);
    await send(total(now + 10 * minute, [6, 0, 0]));
    expect(await requests()).toHaveLength(2);
  });
});

describe("requests of unmodified exporters (examples/recordings)", () => {
  test("python-1.45.1: each request of each route, method and status once", async () => {
    const later = await startApp({ at: "2026-12-01T01:10:00.000Z" });
    const person = await later.signUp();
    const key = await later.makeKey(person);
    later.clock.advance(10 * minute);
    const captured = capturedRequests("opentelemetry-python-1.45.1-metrics");
    // The first one is sent twice, and the exporter sends a last one when it ends.
    for (const { url, headers, body } of [captured[0]!, ...captured]) {
      const sent = { method: "POST", url, payload: body, headers: { ...headers, ...key.headers } } as const;
      const reply = await later.app.inject(sent);
      expect([reply.statusCode, reply.body]).toEqual([200, ""]);
    }
    const read = async (path: string) =>
      (await later.app.inject({ url: `/api/v1/protected/${path}`, headers: person.headers })).json();
    const { metrics } = (await read("http-metrics/service/kiosk?limit=1000")) as { metrics: Row[] };
    const counts: Record<string, number> = {};
    for (const { method, path, status_code } of metrics) {
      const name = `${method} ${path} ${status_code}`;
      counts[name] = (counts[name] ?? 0) + 1;
    }
    expect(captured).toHaveLength(3);
    expect(counts).toEqual({
      "GET /papers/<name> 200": 12,
      "GET /papers/<name> 404": 2,
      "POST /orders 201": 1,
      "GET (no route) 404": 1,
    });
    expect(await read("timeline/http/kiosk")).toMatchObject({
      has_sent_histograms: true,
      summary: { total_requests: 16 },
    });
    await later.close();
  });
});

describe("histograms that cannot be stored", () => {
  test.each<[string, () => SentHistogram, RegExp]>([
    ["has too few buckets", () => delta({ counts: [1, 2] }), /one more bucket count than bounds/],
    ["has bounds that do not ascend", () => delta({ buckets: [2, 1] }), /ascending explicit bounds/],
    ["has no time", () => delta({ startMs: 0, timeMs: 0 }), /has no time/],
    ["ends before it starts", () => delta({ startMs: now + 1 }), /ends before it starts/],
    ["is too old", () => delta({ startMs: 0, timeMs: now - 1e11 }), /A histogram is from 20/],
    ["is too new", () => delta({ timeMs: now + 11 * minute }), /ahead of the server/],
    ["has no service", () => delta({ service: "☃" }), /service name may contain/],
    [
      "has a status that is none",
      () => delta({ attributes: { ...getOrder, "http.response.status_code": 99 } }),
      /status_code must be/,
    ],
    ["has no temporality", () => delta({ temporality: 0 }), /aggregation_temporality/],
    ["has another unit", () => delta({ unit: "us" }), /has the unit "us": send durations in s or ms/],
    [
      "has a thousand bounds and more",
      () => delta({ buckets: Array.from({ length: 1100 }, (_, at) => at + 1), counts: [1] }),
      /more than 1000 buckets/,
    ],
    ["has durations of years", () => delta({ buckets: [1e8, 1e9] }), /at most 604800 seconds/],
    [
      "has a scale that is none",
      () => delta({ buckets: { scale: 99, offset: 0, zeros: 0 } }),
      /has the scale 99/,
    ],
    [
      "has more requests than a message may have",
      () => delta({ counts: [1000, 1, 0] }),
      /more than 1000 requests/,
    ],
  ])("because it %s is rejected by count and sentence, others are stored", async (_, bad, message) => {
    const { post, requests } = await sender();
    const sent = jsonMetricsOf([bad(), delta({ service: "cart" })]);
    const reply = await post("/v1/metrics", sent, { "content-type": "application/json" });
    expect(reply.json()).toEqual({
      partialSuccess: { rejectedDataPoints: "1", errorMessage: expect.stringMatching(message) },
    });
    expect(await requests("cart")).toHaveLength(7);
    expect(await requests()).toEqual([]);
  });

  test("because of the number of their attributes are refused as a whole", async () => {
    const { post, rows } = await sender();
    const attributes = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`a${at}`, at]));
    const reply = await post("/v1/metrics", metricsOf([delta({ attributes })]));
    expect([reply.statusCode, reply.body]).toEqual([413, expect.stringMatching(/more than 128 attributes/)]);
    expect(await rows()).toEqual([]);
  });

  test("because of their number are refused as a whole", async () => {
    const { post, rows } = await sender();
    const many = Array.from({ length: 101 }, (_, at) => delta({ instance: String(at) }));
    const reply = await post("/v1/metrics", metricsOf(many));
    expect([reply.statusCode, reply.body]).toEqual([
      413,
      expect.stringMatching(/100 data points of HTTP histograms/),
    ]);
    expect(await rows()).toEqual([]);
  });
});
