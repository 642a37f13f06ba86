import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pprofOf } from "#ingest/testing/pprof-of.ts";
import { storedCounts, storedProfiles } from "#ingest/testing/stored.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

const profile = Buffer.from(
  pprofOf({ sampleTypes: ["cpu/nanoseconds"], samples: [["main;handle", 5]], durationNs: 1n }),
);

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:00.000Z" });
});
afterAll(() => server.close());

async function sender() {
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  const send = (payload: string | Buffer, service = "checkout") =>
    server.app.inject({
      method: "POST",
      url: "/api/v1/ingest/http-metrics",
      query: { service },
      payload,
      headers,
    });
  return { orgId: person.orgId, send };
}

const metric = (more: object = {}) => ({
  timestamp: "2026-11-20T11:59:00.120Z",
  duration: 0.0421,
  status_code: 200,
  method: "GET",
  path: "/orders/{id}",
  request_id: "r1",
  ...more,
});
const later = metric({ timestamp: Date.UTC(2026, 10, 20, 11, 59, 30), method: "post", status_code: 500 });

test.each([
  ["an array", JSON.stringify([metric(), later])],
  ["one a line", `${JSON.stringify(metric())}\n\n${JSON.stringify(later)}\n`],
  ["under metrics", JSON.stringify({ metrics: [metric(), later] })],
  ["gzipped", gzipSync(JSON.stringify([metric(), later]))],
])("a batch as %s is stored as requests and as one profile that counts them", async (_, body) => {
  const { orgId, send } = await sender();
  const reply = await send(body);
  expect(reply.statusCode).toBe(200);
  expect(reply.json()).toEqual({
    profile_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    accepted: 2,
    duplicate: false,
    ignored: [],
  });
  const [row] = await storedProfiles(server.ctx.columns, orgId);
  expect(row).toMatchObject({
    profile_id: reply.json().profile_id,
    type: "metrics",
    service: "checkout",
    started_at: "2026-11-20 11:59:00.120",
    duration_ns: 29_880_000_000,
    sample_count: 2,
    deltas_totals: [2n],
    sample_types: ["requests/count"],
  });
});

test("one metric may come alone", async () => {
  const { orgId, send } = await sender();
  expect((await send(JSON.stringify(metric()))).json().accepted).toBe(1);
  expect(await storedCounts(server.ctx, orgId)).toMatchObject({ requests: 1, profiles: 1 });
});

test("the same batch again stores nothing", async () => {
  const { orgId, send } = await sender();
  const body = JSON.stringify([metric(), later]);
  const first = (await send(body)).json();
  expect((await send(body)).json()).toEqual({ ...first, duplicate: true });
  expect(await storedCounts(server.ctx, orgId)).toMatchObject({
    requests: 2,
    profiles: 1,
    rolledUp: 1,
  });
});

test("the service of a batch has the same rules as that of a profile", async () => {
  const { send } = await sender();
  const reply = await send(JSON.stringify(metric()), "s".repeat(201));
  expect([reply.statusCode, reply.json().error]).toEqual([
    422,
    "The service name is longer than 200 characters. Shorten it.",
  ]);
});

test.each([
  ["no metrics", "[]", 400, /no metrics/],
  ["an empty body", "", 400, /empty/],
  ["text", "hello", 400, /line 1/],
  ["a broken line", `${JSON.stringify(metric())}\n{`, 400, /line 2/],
  ["a number", "[1]", 400, /Metric 1: it must be an object/],
  [
    "a status that is none",
    JSON.stringify([metric(), metric({ status_code: 99 })]),
    400,
    /Metric 2: status_code must be at least 100/,
  ],
  [
    "a negative duration",
    JSON.stringify([metric({ duration: -1 })]),
    400,
    /Metric 1: duration must not be negative/,
  ],
  [
    "a duration of more than a week",
    JSON.stringify([metric({ duration: 604_800 }), metric({ duration: 604_801 })]),
    400,
    /Metric 2: duration must be at most 604800 seconds/,
  ],
  ["no path", JSON.stringify([metric({ path: undefined })]), 400, /Metric 1: path is required \(a string\)/],
  [
    "a day that the calendar lacks",
    JSON.stringify([metric({ timestamp: "2026-02-30T11:00:00Z" })]),
    400,
    /Metric 1: timestamp names 2026-02-30, which is not in the calendar/,
  ],
  [
    "a time that is none",
    JSON.stringify([metric({ timestamp: "noon" })]),
    400,
    /Metric 1: timestamp must be ISO 8601/,
  ],
  [
    "a time in seconds",
    JSON.stringify([metric(), metric({ timestamp: 1_795_170_000 })]),
    400,
    /^Metric 2: timestamp looks like Unix seconds: send Unix milliseconds \(1795170000000\) or ISO 8601/,
  ],
  [
    "a misspelt field",
    JSON.stringify([metric({ status_code: undefined, statuscode: 200 })]),
    400,
    /^Metric 1: status_code is required \(a number\)\. The metric has statuscode: did you mean status_code\? Noth/,
  ],
  [
    "a duration under another name",
    JSON.stringify([metric({ duration: undefined, duration_ms: 42 })]),
    400,
    /The metric has duration_ms: did you mean duration in seconds\? Nothing of the batch/,
  ],
  [
    "a path under another name",
    JSON.stringify([metric({ path: undefined, url: "/" })]),
    400,
    /The metric has url: did you mean path\?/,
  ],
  [
    "a field that is missing and resembles nothing",
    JSON.stringify([metric({ path: undefined, constructor: 1, region: "eu" })]),
    400,
    /^Metric 1: path is required \(a string\)\. Nothing of the batch was stored\.$/,
  ],
  [
    "a pprof profile",
    profile,
    400,
    /^The body is a pprof profile, .*: send it to \/api\/v1\/ingest\/profiles\.$/,
  ],
  ["a gzipped pprof profile", gzipSync(profile), 400, /^The body is a pprof profile, not HTTP metrics/],
  [
    "another protobuf message",
    Buffer.from("0a0308960112020801", "hex"),
    400,
    /^The body is binary \(protobuf or/,
  ],
  [
    "a cut pprof profile",
    profile.subarray(0, -1),
    400,
    /^The body is binary \(protobuf or similar\), not HTTP/,
  ],
  [
    "an HTML page",
    "<!DOCTYPE html>\n<html><body>502</body></html>",
    400,
    /^The body is an HTML page, not HTTP metrics\. It is probably an error or login page: check/,
  ],
  [
    "a ZIP archive",
    Buffer.from("504b030414000000", "hex"),
    400,
    /^The body is a ZIP archive, not HTTP metrics\. Send/,
  ],
  [
    "an old metric",
    JSON.stringify([metric(), metric({ timestamp: 1e12 })]),
    422,
    /Metric 2 is from 2001.*timestamp/,
  ],
])("refuses %s and stores nothing", async (_, body, status, words) => {
  const { orgId, send } = await sender();
  const reply = await send(body);
  expect(reply.statusCode).toBe(status);
  expect(reply.json().error).toMatch(words);
  expect(await storedCounts(server.ctx, orgId)).toMatchObject({ requests: 0, profiles: 0 });
});

test("a parameter that is misspelt or repeated is named in the refusal", async () => {
  const person = await server.signUp(undefined, "192.0.2.7");
  const { headers } = await server.makeKey(person);
  const errorOf = async (query: string) => {
    const url = `/api/v1/ingest/http-metrics?${query}`;
    const reply = await server.app.inject({
      method: "POST",
      url,
      payload: JSON.stringify(metric()),
      headers,
    });
    return [reply.statusCode, reply.json().error];
  };
  expect(await errorOf("srvice=a")).toEqual([
    400,
    "service is required: add ?service=name-of-your-service to the URL. The URL has srvice: did you mean service?",
  ]);
  expect(await errorOf("service=a&service=b")).toEqual([
    400,
    "service is given 2 times in the URL: keep one",
  ]);
});
