import type { MessageName } from "@flamekeep/contract/schemas";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, type TestKey } from "#testing/start-app.ts";
import { readMessage, writeMessage } from "./wire/codec.ts";

// Requests as Grafana's data source and Profiles Drilldown make them (pkg/tsdb/grafana-pyroscope-datasource, grafana/profiles-drilldown).

const at = "2026-11-20T12:00:00.123Z";
const nowMs = Date.parse(at);
const startMs = nowMs - 3_600_000;
const cpu = "process_cpu:cpu:nanoseconds:cpu:nanoseconds";

let server: TestApp;
let key: TestKey;
beforeAll(async () => {
  server = await startApp({ at });
  const person = await server.signUp();
  const { headers } = await server.makeKey(person, "sender");
  key = await server.makeKey(person, "grafana", "read");
  for (const [place, pod] of ["a", "b"].entries()) {
    const query = {
      service: "shop",
      type: "cpu",
      "tag.pod": pod,
      started_at: String(startMs + 60_000 * (place + 1)),
    };
    const stacks = `main  main\nserve\n${10 * (place + 1)}  1`;
    await server.send(profileOf(stacks, { sampleTypes: ["cpu/nanoseconds"], durationNs: 15_000_000_000n }), {
      headers,
      query,
    });
  }
});
afterAll(() => server.close());

/** The data source is a client of connect-go: protobuf over HTTP/1.1. */
const goClient = {
  "content-type": "application/proto",
  "connect-protocol-version": "1",
  "accept-encoding": "gzip",
  "user-agent": "connect-go/1.18.1 (go1.24)",
};

const range = { start: startMs, end: nowMs };
const selected = { profileTypeID: cpu, labelSelector: '{service_name="shop"}', ...range };

test.each<[method: string, request: MessageName, reply: MessageName, fields: object, expected: object]>([
  [
    "ProfileTypes",
    "ProfileTypesRequest",
    "ProfileTypesResponse",
    range,
    { profileTypes: [{ ID: cpu, name: "process_cpu", sampleType: "cpu" }] },
  ],
  ["ProfileTypes", "ProfileTypesRequest", "ProfileTypesResponse", {}, { profileTypes: [{ ID: cpu }] }],
  [
    "LabelNames",
    "LabelNamesRequest",
    "LabelNamesResponse",
    { matchers: [`{__profile_type__="${cpu}", service_name="shop"}`], ...range },
    { names: expect.arrayContaining(["pod", "service_name"]) },
  ],
  [
    "LabelNames",
    "LabelNamesRequest",
    "LabelNamesResponse",
    { matchers: [""], ...range },
    { names: expect.arrayContaining(["pod", "service_name"]) },
  ],
  [
    "LabelValues",
    "LabelValuesRequest",
    "LabelValuesResponse",
    { name: "pod", matchers: ["{}"], ...range },
    { names: ["a", "b"] },
  ],
  [
    "LabelValues",
    "LabelValuesRequest",
    "LabelValuesResponse",
    { name: "service_name", matchers: [`{__profile_type__="${cpu}"}`], ...range },
    { names: ["shop"] },
  ],
  [
    "SelectMergeStacktraces",
    "SelectMergeStacktracesRequest",
    "SelectMergeStacktracesResponse",
    { ...selected, maxNodes: 16_384 },
    { flamegraph: { total: "32", names: ["total", "main", "serve"] } },
  ],
  [
    "SelectMergeStacktraces",
    "SelectMergeStacktracesRequest",
    "SelectMergeStacktracesResponse",
    { ...selected, labelSelector: '{service_name="nobody"}' },
    { flamegraph: {} },
  ],
  [
    "SelectMergeSpanProfile",
    "SelectMergeSpanProfileRequest",
    "SelectMergeSpanProfileResponse",
    { ...selected, spanSelector: ["9a517183f26a089d"] },
    { flamegraph: {} },
  ],
  [
    "SelectSeries",
    "SelectSeriesRequest",
    "SelectSeriesResponse",
    { ...selected, step: 15 },
    { series: [{ points: [{ value: 11 }, { value: 21 }] }] },
  ],
  [
    "SelectSeries",
    "SelectSeriesRequest",
    "SelectSeriesResponse",
    { ...selected, step: 60, groupBy: ["pod"], limit: 1, exemplarType: 1 },
    { series: [{ labels: [{ name: "pod", value: "b" }], points: [{ value: 21 }] }] },
  ],
  [
    "SelectSeries",
    "SelectSeriesRequest",
    "SelectSeriesResponse",
    { ...selected, labelSelector: '{service_name="shop",pod=~"a|b"}', step: 3600, exemplarType: 2 },
    { series: [{ points: [{ value: 32 }] }] },
  ],
  [
    "SelectHeatmap",
    "SelectHeatmapRequest",
    "SelectHeatmapResponse",
    { ...selected, step: 56.25, queryType: 1, exemplarType: 1 },
    { series: [{ slots: [{ counts: [1] }, { counts: [1] }] }] },
  ],
])("the data source's %s is answered", async (method, request, reply, fields, expected) => {
  const message = readMessage(request, Buffer.from(JSON.stringify(fields)), true);
  const sent = await server.app.inject({
    method: "POST",
    url: `/querier.v1.QuerierService/${method}`,
    headers: { ...goClient, authorization: `Basic ${Buffer.from(`:${key.key}`).toString("base64")}` },
    payload: Buffer.from(writeMessage(request, message as never, false)),
  });
  expect([sent.statusCode, sent.headers["content-type"]]).toEqual([200, "application/proto"]);
  const answer = writeMessage(reply, readMessage(reply, sent.rawPayload, false) as never, true);
  expect(JSON.parse(Buffer.from(answer).toString())).toMatchObject(expected);
});

/** Drilldown asks through Grafana's proxy, in JSON. */
test.each<[method: string, fields: object, expected: object]>([
  [
    "Series",
    { start: startMs, end: nowMs, labelNames: ["service_name", "__profile_type__"], matchers: [] },
    {
      labelsSet: [
        {
          labels: [
            { name: "__profile_type__", value: cpu },
            { name: "service_name", value: "shop" },
          ],
        },
      ],
    },
  ],
  [
    "LabelNames",
    { matchers: [`{__profile_type__="${cpu}", service_name="shop"}`], ...range },
    { names: expect.arrayContaining(["pod"]) },
  ],
  [
    "LabelValues",
    { name: "pod", matchers: [`{__profile_type__="${cpu}", service_name="shop"}`], ...range },
    { names: ["a", "b"] },
  ],
  [
    "SelectMergeProfile",
    {
      profile_typeID: cpu,
      label_selector: '{service_name="shop"}',
      ...range,
      stackTraceSelector: { call_site: [{ name: "main" }, { name: "serve" }] },
      maxNodes: 500,
    },
    { sample: [{ value: ["30"] }], stringTable: expect.arrayContaining(["main", "serve", "cpu"]) },
  ],
])("Drilldown's %s is answered", async (method, fields, expected) => {
  const reply = await server.app.inject({
    method: "POST",
    url: `/querier.v1.QuerierService/${method}`,
    headers: {
      "content-type": "application/json",
      accept: "application/json; allow-utf8-labelnames=true",
      ...key.headers,
    },
    payload: JSON.stringify(fields),
  });
  expect([reply.statusCode, reply.json()]).toMatchObject([200, expected]);
});

test("Drilldown's comparison is rendered", async () => {
  const query = `${cpu}{service_name="shop",pod="a"}`;
  const times = { leftFrom: startMs, leftUntil: nowMs, rightFrom: startMs, rightUntil: nowMs };
  const parameters = {
    leftQuery: query,
    rightQuery: query.replace('"a"', '"b"'),
    ...times,
    "max-nodes": 16_384,
  };
  const text = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
  const reply = await server.app.inject({
    method: "GET",
    url: `/pyroscope/render-diff?${text}`,
    headers: key.headers,
  });
  expect([reply.statusCode, reply.json()]).toMatchObject([
    200,
    {
      leftTicks: 11,
      rightTicks: 21,
      flamebearer: { numTicks: 32 },
      metadata: { format: "double", units: "samples" },
    },
  ]);
});
