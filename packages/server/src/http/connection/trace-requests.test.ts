import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
  readonly status: { readonly code: number };
}

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const callerSpan = "00f067aa0ba902b7";

describe("with TRACES_URL", () => {
  const requests: { authorization: string | undefined; spans: SentSpan[] }[] = [];
  let collector: Server;
  let server: TestApp;
  let ada: Person;
  let isClosed = false;

  beforeAll(async () => {
    collector = createServer(async (request, reply) => {
      let text = "";
      for await (const part of request) text += part;
      const spans = JSON.parse(text).resourceSpans[0].scopeSpans[0].spans;
      requests.push({ authorization: request.headers.authorization, spans });
      reply.end("{}");
    }).listen(0, "127.0.0.1");
    await once(collector, "listening");
    const { port } = collector.address() as AddressInfo;
    const TRACES_URL = `http://127.0.0.1:${port}/v1/traces`;
    server = await startApp({ env: { TRACES_URL, TRACES_AUTHORIZATION: "Bearer traces-secret" } });
    ada = await server.signUp("ada.secret@example.com");
  });
  afterAll(async () => {
    if (!isClosed) await server.close();
    collector.close();
  });

  it("error replies and log lines name the trace of the caller, and spans of queries are parts of the request", async () => {
    const headers = { ...ada.headers, traceparent: `00-${traceId}-${callerSpan}-01` };
    const ask = (url: string) => server.app.inject({ url, headers });
    const hidden = "/api/v1/protected/profile/private-name";
    const refused = await ask(hidden);
    expect([refused.statusCode, refused.json().trace_id]).toEqual([404, traceId]);
    expect((await ask("/api/v1/protected/services?since=1h&q=private-query")).statusCode).toBe(200);
    const unnamed = await server.app.inject({ url: "/api/v1/protected/services" });
    expect(unnamed.json().trace_id).toMatch(/^[\da-f]{32}$/);
    expect(unnamed.json().trace_id).not.toBe(traceId);
    await server.app.inject({ url: "/healthz", headers });
    expect(server.logged.some((line) => line.includes(`"trace_id":"${traceId}"`))).toBe(true);

    // The last spans are sent when the server stops.
    await server.close();
    isClosed = true;
    const spans = requests.flatMap((request) => request.spans);
    const own = spans.filter((span) => span.traceId === traceId);
    const roots = own.filter(({ parentSpanId }) => parentSpanId === callerSpan);
    expect(roots.map(({ name }) => name).toSorted()).toEqual([
      "GET /api/v1/protected/profile/:id",
      "GET /api/v1/protected/services",
    ]);
    const services = roots.find(({ name }) => name.endsWith("/services"));
    const parts = own.filter(({ parentSpanId }) => parentSpanId === services?.spanId);
    expect(parts.length).toBeGreaterThan(0);
    const attributes = Object.fromEntries(services?.attributes.map(({ key, value }) => [key, value]) ?? []);
    expect(attributes).toMatchObject({
      "http.request.method": { stringValue: "GET" },
      "http.route": { stringValue: "/api/v1/protected/services" },
      "http.response.status_code": { intValue: 200 },
    });
    expect(new Set(requests.map(({ authorization }) => authorization))).toEqual(
      new Set(["Bearer traces-secret"]),
    );
    const sent = JSON.stringify(spans);
    for (const secret of ["private-name", "private-query", "ada.secret", ada.accessToken, ada.orgId])
      expect([secret, sent.includes(secret)]).toEqual([secret, false]);
    expect(server.logged.join("")).not.toContain("traces-secret");
  });
});

it("a collector that is away costs the callers nothing, and the log says so once", async () => {
  const server = await startApp({ env: { TRACES_URL: "http://127.0.0.1:9/v1/traces" } });
  const { headers } = await server.signUp();
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => server.app.inject({ url: "/api/v1/protected/services", headers })),
  );
  expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  await server.close();
  expect(server.logged.filter((line) => line.includes("spans cannot be sent"))).toHaveLength(1);
});

it("without TRACES_URL nothing has a trace", async () => {
  const server = await startApp();
  const headers = { traceparent: `00-${traceId}-${callerSpan}-01` };
  const reply = await server.app.inject({ url: "/api/v1/protected/services", headers });
  expect(Object.keys(reply.json()).toSorted()).toEqual(["code", "error", "request_id"]);
  await server.close();
});
