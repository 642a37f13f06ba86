import { flameGraphLevelsContentType, mergedFlameGraph, toPath } from "@flamekeep/contract";
import type { MessageName } from "@flamekeep/contract/schemas";
import { readProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Labels, labelled, withLabels } from "#testing/labelled-profile.ts";
import { type Person, startApp, type TestApp, type TestKey } from "#testing/start-app.ts";
import { readMessage, writeMessage } from "./wire/codec.ts";
import type { MessageOf } from "./wire/message-of.ts";

const at = "2026-11-20T12:00:00.000Z";
const nowMs = Date.parse(at);
const startMs = nowMs - 3_600_000;
const cpu = "process_cpu:cpu:nanoseconds:cpu:nanoseconds";
const heap = "memory:inuse_space:bytes:space:bytes";
const range = { start: String(startMs), end: String(nowMs) };

let server: TestApp;
let ada: Person;
let ingest: TestKey;
let key: TestKey;
beforeAll(async () => {
  server = await startApp({ at });
  ada = await server.signUp();
  ingest = await server.makeKey(ada, "sender");
  key = await server.makeKey(ada, "grafana", "read");
  const send = (stacks: string, offsetMs: number, query: Record<string, string>) =>
    server.send(
      profileOf(stacks, {
        sampleTypes: query["type"] === "memory" ? ["inuse_space/bytes"] : ["cpu/nanoseconds"],
        durationNs: 10_000_000_000n,
      }),
      { headers: ingest.headers, query: { started_at: String(startMs + offsetMs), ...query } },
    );
  const eu = { service: "shop", type: "cpu", "tag.region": "eu-west", "tag.version": "1" };
  await send("main  main\nserve\n30    10", 0, eu);
  await send("main  main\nserve\n20    5", 90_000, { ...eu, "tag.region": "eu-north" });
  await send("main  gc\n100   7", 150_500, { ...eu, "tag.region": "us" });
  await send("main\nload\n50", 200_000, { service: "cart", type: "cpu" });
  await send("main\nload\n1000", 30_000, { service: "shop", type: "memory" });
  await send("main\nload\n2001", 120_000, { service: "shop", type: "memory" });
});
afterAll(() => server.close());

interface Pair {
  readonly name: string;
  readonly value: string;
}

/** The fields of all replies: each test knows those of its call. */
interface Answer {
  readonly code: string;
  readonly message: string;
  readonly names: string[];
  readonly labelsSet: { readonly labels: readonly [Pair, ...Pair[]] }[];
  readonly flamegraph: {
    readonly names: string[];
    readonly levels: { readonly values: string[] }[];
    readonly total: string;
  };
  readonly pprof: { readonly profile: object };
  readonly tree: string;
  readonly dot: string;
  readonly sample: { readonly locationId: string[]; readonly value: [string] }[];
  readonly series: {
    readonly labels: Pair[];
    readonly points: { readonly value: number; readonly timestamp: string }[];
    readonly slots: {
      readonly yMin: number[];
      readonly counts: number[];
      readonly exemplars: object[];
    }[];
  }[];
  readonly queryScopes: [{ readonly seriesCount: string; readonly profileCount: string }];
  readonly queryImpact: { readonly totalQueriedSeries: string };
}

async function post(method: string, body: object, headers: Record<string, string> = key.headers) {
  const service = method === "Get" ? "settings.v1.SettingsService" : "querier.v1.QuerierService";
  const reply = await server.app.inject({
    method: "POST",
    url: `/${service}/${method}`,
    headers: { "content-type": "application/json", ...headers },
    payload: JSON.stringify(body),
  });
  return { status: reply.statusCode, body: reply.json<Answer>() };
}

async function get(path: string, query: Record<string, string>) {
  const url = `${path}?${new URLSearchParams(query)}`;
  return server.app.inject({ method: "GET", url, headers: key.headers });
}

const selected = (selector: string, profileTypeID = cpu) => ({
  profileTypeID,
  labelSelector: selector,
  ...range,
});

/** The total that our own call has for the same profiles. */
async function ownTotal(service: string, type: string, query: Record<string, string> = {}): Promise<number> {
  const url = toPath(
    mergedFlameGraph,
    { service, type },
    { from: String(startMs), to: String(nowMs), ...query },
  );
  const reply = await server.app.inject({
    method: "GET",
    url,
    headers: { ...ada.headers, accept: "application/json" },
  });
  return reply.json<{ total_samples: number }>().total_samples;
}

const totalOf = async (selector: string, profileTypeID = cpu) =>
  Number(
    (await post("SelectMergeStacktraces", selected(selector, profileTypeID))).body.flamegraph.total ?? 0,
  );

describe("the catalogue", () => {
  test("lists types, services, labels and their values", async () => {
    expect((await post("ProfileTypes", range)).body).toEqual({
      profileTypes: [
        {
          ID: heap,
          name: "memory",
          sampleType: "inuse_space",
          sampleUnit: "bytes",
          periodType: "space",
          periodUnit: "bytes",
        },
        {
          ID: cpu,
          name: "process_cpu",
          sampleType: "cpu",
          sampleUnit: "nanoseconds",
          periodType: "cpu",
          periodUnit: "nanoseconds",
        },
      ],
    });
    const private_ = [
      "__name__",
      "__period_type__",
      "__period_unit__",
      "__profile_type__",
      "__type__",
      "__unit__",
    ];
    expect((await post("LabelNames", range)).body).toEqual({
      names: [...private_, "region", "service_name", "version"],
    });
    const matchers = ['{service_name="cart"}'];
    expect((await post("LabelNames", { ...range, matchers })).body).toEqual({
      names: [...private_, "service_name"],
    });
    const values = async (name: string, ...matchers: string[]) =>
      (await post("LabelValues", { ...range, name, matchers })).body.names ?? [];
    expect(await values("service_name")).toEqual(["cart", "shop"]);
    expect(await values("service_name", "{}")).toEqual(["cart", "shop"]);
    expect(await values("service_name", `{__profile_type__="${heap}"}`)).toEqual(["shop"]);
    expect(await values("region", '{region=~"eu.*"}')).toEqual(["eu-north", "eu-west"]);
    expect(await values("region", '{service_name="cart"}')).toEqual([]);
    expect(await values("__profile_type__")).toEqual([heap, cpu]);
    expect(await values("nothing")).toEqual([]);
  });

  test("lists series with all labels, or with the named ones once", async () => {
    const all = (await post("Series", { ...range, matchers: ['{region="us"}'] })).body.labelsSet;
    expect(all).toHaveLength(1);
    expect(all[0]!.labels).toContainEqual({ name: "service_name", value: "shop" });
    expect(all[0]!.labels).toContainEqual({ name: "__profile_type__", value: cpu });
    const labelNames = ["service_name", "__profile_type__"];
    const expected = [
      ["cart", cpu],
      ["shop", heap],
      ["shop", cpu],
    ];
    for (const matchers of [
      [],
      ["{}"],
      ['{service_name=~".+"}'],
      ['{service_name="shop"}', '{service_name="cart"}'],
    ]) {
      const { labelsSet } = (await post("Series", { ...range, matchers, labelNames })).body;
      const pairs = labelsSet.map(({ labels }) => [labels[1]!.value, labels[0].value]);
      expect(pairs.sort()).toEqual(expected.sort());
    }
  });

  test("says whether there are profiles, and what a query reads", async () => {
    expect((await post("GetProfileStats", {})).body).toEqual({
      dataIngested: true,
      oldestProfileTime: String(startMs),
      newestProfileTime: String(startMs + 180_000),
    });
    const query = `${cpu}{region=~"eu.*"}`;
    const { queryScopes, queryImpact } = (await post("AnalyzeQuery", { ...range, query })).body;
    expect([queryScopes[0].seriesCount, queryScopes[0].profileCount, queryImpact.totalQueriedSeries]).toEqual(
      ["2", "2", "2"],
    );
    const named = (await post("AnalyzeQuery", { ...range, query: '{service_name="cart"}' })).body;
    expect(named.queryScopes[0].profileCount).toBe("1");
    expect((await post("Get", {})).body).toEqual({});
  });
});

describe("merged stacks", () => {
  test("have the levels of Pyroscope", async () => {
    const { body } = await post("SelectMergeStacktraces", selected('{service_name="shop"}'));
    expect(body).toEqual({
      flamegraph: {
        names: ["total", "main", "gc", "serve"],
        levels: [
          { values: ["0", "172", "0", "0"] },
          { values: ["0", "165", "115", "1", "0", "7", "7", "2"] },
          { values: ["115", "50", "50", "3"] },
        ],
        total: "172",
        maxSelf: "115",
      },
    });
  });

  test("have the totals of our own calls", async () => {
    expect(await totalOf('{service_name="shop"}')).toBe(await ownTotal("shop", "cpu"));
    expect(await totalOf('{service_name="shop",region="us"}')).toBe(
      await ownTotal("shop", "cpu", { "tag.region": "us" }),
    );
    // A gauge is the mean over the profiles.
    expect(await totalOf('{service_name="shop"}', heap)).toBe(Math.round(await ownTotal("shop", "memory")));
    expect(await totalOf("{}")).toBe((await ownTotal("shop", "cpu")) + (await ownTotal("cart", "cpu")));
  });

  test.each([
    ['{service_name="shop",region=~"eu.*"}', 65],
    ['{service_name="shop",region!="us"}', 65],
    ['{service_name="shop",region!~"eu-.*"}', 107],
    ['{region=~"eu.*|us"}', 172],
    ['{region=""}', 50],
    ['{region!=""}', 172],
    ['{service_name!="shop"}', 50],
    ['{service_name=~"s.*", service_name!="shop"}', 0],
    ['{service_name="nobody"}', 0],
    ['{unknown="x"}', 0],
    ['{unknown!="x"}', 222],
    [`{__profile_type__="${heap}"}`, 0],
    [`{__name__="process_cpu", version="1"}`, 172],
  ])("of %s have the total %d", async (selector, total) => {
    expect(await totalOf(selector)).toBe(total);
  });

  test("are those of the range's minutes", async () => {
    const total = async (start: number, end: number) => {
      const times = { start: String(start), end: String(end) };
      const { body } = await post("SelectMergeStacktraces", {
        ...selected('{service_name="shop"}'),
        ...times,
      });
      return Number(body.flamegraph.total ?? 0);
    };
    // The profiles began at 0:00.000, 1:30.000 and 2:30.500 after the start; ranges are widened to whole minutes.
    expect(await total(startMs, startMs + 60_000)).toBe(40);
    expect(await total(startMs - 60_000, startMs)).toBe(0);
    expect(await total(startMs + 60_000, startMs + 60_001)).toBe(25);
    expect(await total(startMs + 119_999, startMs + 120_001)).toBe(132);
    expect((await post("SelectMergeStacktraces", { ...selected("{}"), start: "1", end: "1" })).status).toBe(
      400,
    );
  });

  test("leave out narrow frames beyond max_nodes", async () => {
    const { body } = await post("SelectMergeStacktraces", {
      ...selected('{service_name="shop"}'),
      maxNodes: 2,
    });
    expect(body.flamegraph.names).toEqual(["total", "main", "other"]);
    expect(body.flamegraph.total).toBe("172");
  });

  test("come as pprof, as a tree and as a graph of Graphviz", async () => {
    const request = selected('{service_name="shop"}');
    const { pprof } = (await post("SelectMergeStacktraces", { ...request, format: "PROFILE_FORMAT_PPROF" }))
      .body;
    const merged = (await post("SelectMergeProfile", request)).body;
    expect(pprof.profile).toEqual(merged);
    expect(
      await post("SelectMergeProfile", {
        ...request,
        start: String(startMs + 30_000),
        end: String(startMs + 90_500),
      }),
    ).toMatchObject({
      body: { timeNanos: `${startMs + 120_000}000000`, durationNanos: "120000000000" },
    });
    const sum = merged.sample.reduce((all: number, { value }) => all + Number(value[0]), 0);
    expect(sum).toBe(172);
    const sentBytes = await protobuf("SelectMergeProfile", "SelectMergeProfileRequest", request);
    const read = readProfile(sentBytes);
    expect(read.ok && read.profile.samples.length).toBe(3);
    const tree = (await post("SelectMergeStacktraces", { ...request, format: "PROFILE_FORMAT_TREE" })).body[
      "tree"
    ];
    expect(Buffer.from(tree, "base64").includes("serve")).toBe(true);
    const { dot } = (await post("SelectMergeStacktraces", { ...request, format: "PROFILE_FORMAT_DOT" })).body;
    expect(dot).toMatch(/^digraph \{\n[\s\S]*label="main\\n115 of 165 nanoseconds"/);
  });

  test("keep the stacks of a call site, or the innermost frames", async () => {
    const request = selected('{service_name="shop"}');
    const below = { ...request, stackTraceSelector: { callSite: [{ name: "main" }, { name: "serve" }] } };
    expect((await post("SelectMergeStacktraces", below)).body.flamegraph.total).toBe("50");
    const pgo = { ...request, stackTraceSelector: { goPgo: { keepLocations: 1, aggregateCallees: true } } };
    const { sample } = (await post("SelectMergeProfile", pgo)).body;
    expect(sample.map(({ locationId, value }) => [locationId.length, value[0]]).sort()).toEqual([
      [1, "115"],
      [1, "50"],
      [1, "7"],
    ]);
  });
});

/** A call in protobuf; the bytes of its reply. */
async function protobuf<N extends MessageName>(method: string, name: N, request: object): Promise<Buffer> {
  const message = readMessage(name, Buffer.from(JSON.stringify(request)), true);
  const reply = await server.app.inject({
    method: "POST",
    url: `/querier.v1.QuerierService/${method}`,
    headers: { "content-type": "application/proto", "connect-protocol-version": "1", ...key.headers },
    payload: Buffer.from(writeMessage(name, message as MessageOf<N>, false)),
  });
  expect([reply.statusCode, reply.headers["content-type"]]).toEqual([200, "application/proto"]);
  return reply.rawPayload;
}

test("protobuf and JSON say the same", async () => {
  const request = selected("{}");
  const asJson = (name: MessageName, bytes: Buffer) =>
    JSON.parse(Buffer.from(writeMessage(name, readMessage(name, bytes, false) as never, true)).toString());
  const graph = await protobuf("SelectMergeStacktraces", "SelectMergeStacktracesRequest", request);
  expect(asJson("SelectMergeStacktracesResponse", graph)).toEqual(
    (await post("SelectMergeStacktraces", request)).body,
  );
  const series = { ...request, step: 60, groupBy: ["service_name"] };
  const points = await protobuf("SelectSeries", "SelectSeriesRequest", series);
  expect(asJson("SelectSeriesResponse", points)).toEqual((await post("SelectSeries", series)).body);
  const both = { left: request, right: selected('{service_name="shop"}') };
  const compared = await protobuf("Diff", "DiffRequest", both);
  expect(asJson("DiffResponse", compared)).toEqual((await post("Diff", both)).body);
  const profile = await protobuf("SelectMergeProfile", "SelectMergeProfileRequest", request);
  expect(asJson("Profile", profile)).toEqual((await post("SelectMergeProfile", request)).body);
});

describe("values over time", () => {
  const values = async (selector: string, more: object, profileTypeID = cpu) => {
    const { series = [] } = (await post("SelectSeries", { ...selected(selector, profileTypeID), ...more }))
      .body;
    return series.map(({ labels = [], points }) => [
      Object.fromEntries(labels.map(({ name, value }) => [name, value])),
      points.map(({ value, timestamp }) => [Number(timestamp) - startMs, value]),
    ]);
  };

  test("are sums between points, exact to the millisecond", async () => {
    const expected = [
      [60_000, 40],
      [120_000, 25],
      [180_000, 107],
    ];
    expect(await values('{service_name="shop"}', { step: 60 })).toEqual([[{}, expected]]);
    // The same profiles, read by the millisecond because of the tag.
    expect(await values('{service_name="shop",version="1"}', { step: 60 })).toEqual([[{}, expected]]);
    expect(
      await values('{service_name="shop"}', {
        step: 0.5,
        start: String(startMs + 150_000),
        end: String(startMs + 151_000),
      }),
    ).toEqual([[{}, [[151_000, 107]]]]);
    expect(
      await values('{service_name="shop"}', {
        step: 60,
        start: String(startMs + 150_501),
        end: String(startMs + 160_000),
      }),
    ).toEqual([]);
    expect(
      await values('{service_name="shop"}', {
        step: 600,
        start: String(startMs),
        end: String(startMs + 90_000),
      }),
    ).toEqual([[{}, [[90_000, 40]]]]);
  });

  test("are split by labels, averaged and limited", async () => {
    expect(await values("{}", { step: 3600, groupBy: ["service_name"] })).toEqual([
      [{ service_name: "cart" }, [[3_600_000, 50]]],
      [{ service_name: "shop" }, [[3_600_000, 172]]],
    ]);
    expect(await values("{}", { step: 3600, groupBy: ["region", "__profile_type__"], limit: 1 })).toEqual([
      [{ region: "us", __profile_type__: cpu }, [[3_600_000, 107]]],
    ]);
    const average = { step: 3600, aggregation: "TIME_SERIES_AGGREGATION_TYPE_AVERAGE" };
    expect(await values('{service_name="shop"}', average)).toEqual([[{}, [[3_600_000, 172 / 3]]]]);
    expect(await values("{}", average)).toEqual([[{}, [[3_600_000, 222 / 4]]]]);
    expect(await values('{service_name="shop"}', { step: 3600 }, heap)).toEqual([
      [{}, [[3_600_000, 1500.5]]],
    ]);
  });

  test("add up to the totals of merged stacks", async () => {
    const { series } = (await post("SelectSeries", { ...selected("{}"), step: 15 })).body;
    const points = series.flatMap((each) => each.points);
    const sum = points.reduce((all, { value }) => all + value, 0);
    expect(sum).toBe(await totalOf("{}"));
  });

  test("come as a heatmap of single profiles", async () => {
    const request = {
      ...selected("{}"),
      step: 3600,
      groupBy: ["service_name"],
      queryType: "HEATMAP_QUERY_TYPE_INDIVIDUAL",
    };
    const { series } = (await post("SelectHeatmap", request)).body;
    expect(series.map(({ labels }) => labels[0]?.value)).toEqual(["cart", "shop"]);
    const { slots } = series[1]!;
    expect(slots).toHaveLength(1);
    expect(slots[0]!.counts.reduce((sum: number, count: number) => sum + count, 0)).toBe(3);
    expect(slots[0]!.yMin[0]).toBe(25);
  });

  test.each([0, -1, 0.0001, 0.01])("a step of %d is refused", async (step) => {
    const { status, body } = await post("SelectSeries", { ...selected("{}"), step });
    expect([status, body.code, body.message]).toEqual([
      400,
      "invalid_argument",
      expect.stringMatching(/^step must/),
    ]);
  });
});

test("comparisons have both sides", async () => {
  const left = selected('{service_name="shop",region="eu-west"}');
  const right = selected('{service_name="shop",region="us"}');
  expect((await post("Diff", { left, right })).body).toMatchObject({
    flamegraph: { total: "147", leftTicks: "40", rightTicks: "107", maxSelf: "100" },
  });
  expect((await post("Diff", { left })).status).toBe(400);
  // A minute in which one side ends and the other begins is on one side only: that of 107 at 2:30.5 belongs to the later one.
  const [begin, middle, end] = [startMs, startMs + 150_000, startMs + 180_000].map(String) as [
    string,
    string,
    string,
  ];
  const shop = selected('{service_name="shop"}');
  const adjacent = { left: { ...shop, start: begin, end: middle }, right: { ...shop, start: middle, end } };
  expect((await post("Diff", adjacent)).body.flamegraph).toMatchObject({
    leftTicks: "65",
    rightTicks: "107",
  });
  const query = `${cpu}{service_name="shop"}`;
  const drawn = await get("/pyroscope/render-diff", {
    ...{ leftQuery: query, leftFrom: begin, leftUntil: middle },
    ...{ rightQuery: query, rightFrom: middle, rightUntil: end },
  });
  expect(drawn.json()).toMatchObject({ leftTicks: 65, rightTicks: 107 });
});

describe("labels of samples", () => {
  let reader: TestKey;
  beforeAll(async () => {
    const grace = await server.signUp();
    const sender = await server.makeKey(grace, "sender");
    reader = await server.makeKey(grace, "reader", "read");
    // The samples have 10, 20 and 40.
    const send = (service: string, sets: readonly Labels[], minutes: number) =>
      server.send(labelled(sets), {
        headers: sender.headers,
        query: { service, type: "cpu", started_at: String(startMs + minutes * 60_000) },
      });
    await send("web", [{ endpoint: "/healthz" }, { endpoint: "/a" }, {}], 1);
    // The values of ids are not kept.
    await send("ids", [{ request_id: "a-1" }, { request_id: "b-2" }, {}], 1);
    await send("ids", [{ request_id: "further values" }, {}, {}], 1);
    for (const service of Array.from({ length: 5 }, (_, at) => `many-${at}`))
      for (let minute = 0; minute < 15; minute++)
        await send(
          service,
          [0, 1, 2].map((at) => ({ endpoint: `/${3 * minute + at}` })),
          minute,
        );
  });

  test.each([
    ['endpoint!="/healthz"', 60],
    ['endpoint!~"/h.*"', 60],
    ['endpoint=~"/a|"', 60],
    ['endpoint=""', 40],
    ['endpoint!=""', 30],
    ['endpoint="/a"', 20],
    ['endpoint!="/other"', 70],
    ['other!="x"', 70],
    ['other="x"', 0],
    ['endpoint!="/healthz",endpoint!="",other=""', 20],
  ])("%s select %d", async (matcher, total) => {
    const request = selected(`{service_name="web",${matcher}}`);
    const { body } = await post("SelectMergeStacktraces", request, reader.headers);
    expect(Number(body.flamegraph.total ?? 0)).toBe(total);
    const timed = await post("SelectSeries", { ...request, step: 60 }, reader.headers);
    const values = timed.body.series?.flatMap(({ points }) => points.map(({ value }) => value));
    expect([timed.status, values]).toEqual([200, total === 0 ? undefined : [total]]);
  });

  test("that were not kept are in no selection, and not samples without the label", async () => {
    const request = selected('{service_name="ids",request_id=""}');
    const { body } = await post("SelectMergeStacktraces", request, reader.headers);
    expect(Number(body.flamegraph.total)).toBe(100);
    const { series } = (await post("SelectSeries", { ...request, step: 60 }, reader.headers)).body;
    expect(series[0]!.points[0]!.value).toBe(100);
    const grouped = { ...selected('{service_name="ids"}'), step: 60, groupBy: ["request_id"] };
    const groups = (await post("SelectSeries", grouped, reader.headers)).body.series;
    expect(groups.map(({ labels, points }) => [labels?.[0]?.value, points[0]!.value])).toEqual([
      [undefined, 100],
      ["further values", 40],
    ]);
  });

  const byEndpoint = { ...range, profileTypeID: cpu, groupBy: ["endpoint"] };

  test("divide values over time, as tags do", async () => {
    const request = { ...byEndpoint, labelSelector: '{service_name="web"}', step: 60 };
    const { series } = (await post("SelectSeries", request, reader.headers)).body;
    const timestamp = String(startMs + 120_000);
    expect(series).toEqual([
      { points: [{ value: 40, timestamp }] },
      { labels: [{ name: "endpoint", value: "/a" }], points: [{ value: 20, timestamp }] },
      { labels: [{ name: "endpoint", value: "/healthz" }], points: [{ value: 10, timestamp }] },
    ]);
    const labelSelector = '{service_name="many-1",endpoint=~"/(4|44)"}';
    const some = (await post("SelectSeries", { ...request, labelSelector }, reader.headers)).body.series;
    expect(some.map(({ labels, points }) => [labels[0]?.value, points])).toEqual([
      ["/4", [{ value: 20, timestamp: String(startMs + 120_000) }]],
      ["/44", [{ value: 40, timestamp: String(startMs + 15 * 60_000) }]],
    ]);
  });

  test("have the mean over all profiles in gauges, as merged stacks have", async () => {
    const hopper = await server.signUp();
    const sender = await server.makeKey(hopper, "sender");
    const own = await server.makeKey(hopper, "reader", "read");
    const dump = profileOf("main  main\nserve\n4     10", { sampleTypes: ["goroutine/count"] });
    for (const [second, labels] of [{ endpoint: "/a" }, {}].entries())
      await server.send(withLabels(dump, [{}, labels]), {
        headers: sender.headers,
        query: { service: "web", type: "goroutine", started_at: String(startMs + 1000 * second) },
      });
    const goroutines = "goroutine:goroutine:count:goroutine:count";
    const request = selected(`{service_name="web",endpoint="/a"}`, goroutines);
    const { body } = await post("SelectMergeStacktraces", request, own.headers);
    expect(body.flamegraph.total).toBe("5");
    for (const aggregation of ["TIME_SERIES_AGGREGATION_TYPE_SUM", "TIME_SERIES_AGGREGATION_TYPE_AVERAGE"]) {
      const { series } = (await post("SelectSeries", { ...request, step: 60, aggregation }, own.headers))
        .body;
      expect(series.flatMap(({ points }) => points.map(({ value }) => value))).toEqual([5]);
    }
    const grouped = {
      ...selected(`{service_name="web"}`, goroutines),
      step: 60,
      groupBy: ["endpoint"],
    };
    const { series } = (await post("SelectSeries", grouped, own.headers)).body;
    expect(series.flatMap(({ points }) => points.map(({ value }) => value))).toEqual([9, 5]);
  });

  test("divide heatmaps of profiles", async () => {
    const request = { ...byEndpoint, labelSelector: '{service_name="web",endpoint!=""}', step: 3600 };
    const { series } = (await post("SelectHeatmap", request, reader.headers)).body;
    expect(series.map(({ labels, slots }) => [labels[0]?.value, slots[0]!.yMin, slots[0]!.counts])).toEqual([
      ["/a", [19.5], [1]],
      ["/healthz", [10], [1]],
    ]);
  });

  test("are listed for a service, but not for all", async () => {
    const matchers = [`{service_name="web",__profile_type__="${cpu}"}`];
    const names = async (body: object) =>
      (await post("LabelNames", { ...range, ...body }, reader.headers)).body.names;
    expect(await names({ matchers })).toContain("endpoint");
    expect(await names({ matchers: [`{service_name="web",__profile_type__="${heap}"}`] })).toBeUndefined();
    expect(await names({})).not.toContain("endpoint");
    expect(await names({ matchers: ['{service_name="web",endpoint="/a"}'] })).toContain("endpoint");
    expect(await names({ matchers: ['{service_name="web",region="eu"}'] })).toBeUndefined();
    const values = await post("LabelValues", { ...range, matchers, name: "endpoint" }, reader.headers);
    expect(values.body.names).toEqual(["/a", "/healthz"]);
    expect((await post("LabelNames", { ...range, matchers })).body.names).toBeUndefined();
  });

  test("have a timeline in a rendered graph", async () => {
    const query = `${cpu}{service_name="web",endpoint!="/healthz"}`;
    const url = `/pyroscope/render?${new URLSearchParams({ query, from: "now-1h", groupBy: "endpoint" })}`;
    const reply = await server.app.inject({ method: "GET", url, headers: reader.headers });
    const { flamebearer, timeline, groups } = reply.json();
    const sum = ({ samples }: { samples: number[] }) => samples.reduce((all, each) => all + each, 0);
    expect([flamebearer.numTicks, sum(timeline), sum(groups["/a"]), sum(groups["*"])]).toEqual([
      60, 60, 20, 40,
    ]);
  });

  test("have few combinations over all services", async () => {
    const one = await post(
      "SelectMergeStacktraces",
      selected('{service_name="many-1",endpoint=~".+"}'),
      reader.headers,
    );
    expect(one.body.flamegraph.total).toBe(String(15 * 70));
    const all = await post("SelectMergeStacktraces", selected('{endpoint=~".+"}'), reader.headers);
    expect([all.status, all.body.message]).toEqual([400, expect.stringMatching(/more than 200 values/)]);
  });
});

test("spans have the stacks of their samples, from the bytes of profiles", async () => {
  const [span, other] = ["9a517183f26a089d", "0123456789abcdef"];
  const grace = await server.signUp();
  const sender = await server.makeKey(grace, "sender");
  const reader = await server.makeKey(grace, "reader", "read");
  const sets = [{ profile_id: span }, { span_id: span, handler: "/" }, { "span id": other }] as const;
  for (const minutes of [1, 2]) {
    const query = { service: "traced", type: "cpu", started_at: String(startMs + minutes * 60_000) };
    await server.send(labelled(sets), { headers: sender.headers, query });
  }
  const ask = async (method: string, more: object) => {
    const request = { ...selected('{service_name="traced"}'), ...more };
    return (await post(method, request, reader.headers)).body;
  };
  // The samples have 10, 20 and 40 in each of both profiles.
  const totals = async (...spanSelector: string[]) =>
    (await ask("SelectMergeSpanProfile", { spanSelector })).flamegraph.total ?? "0";
  expect(await totals(span)).toBe("60");
  expect(await totals(other)).toBe("80");
  expect(await totals(span, other, span)).toBe("140");
  expect(await totals("ffffffffffffffff")).toBe("0");
  const { flamegraph } = await ask("SelectMergeStacktraces", { spanSelector: [span] });
  expect(flamegraph.names).toEqual(["total", "main", "serve", "write", "read"]);
  const { pprof } = await ask("SelectMergeStacktraces", {
    spanSelector: [other],
    format: "PROFILE_FORMAT_PPROF",
  });
  expect(pprof.profile).toMatchObject({ sample: [{ value: ["80"] }] });
  // The profile that began before the range may have samples of the span.
  const late = { spanSelector: [span], start: String(startMs + 181_000) };
  expect((await ask("SelectMergeSpanProfile", late)).flamegraph.total).toBe("30");
  // Each profile has a span with 30, of two sets of labels, and one with 40.
  const ofSpans = { queryType: "HEATMAP_QUERY_TYPE_SPAN", step: 60, groupBy: ["service_name"] };
  const { series } = await ask("SelectHeatmap", ofSpans);
  expect(series).toEqual([
    {
      labels: [{ name: "service_name", value: "traced" }],
      slots: [2, 3].map((minute) => ({
        timestamp: String(startMs + minute * 60_000),
        yMin: [30, 39.5],
        counts: [1, 1],
      })),
    },
  ]);
  const withExemplars = { ...ofSpans, exemplarType: "EXEMPLAR_TYPE_SPAN", groupBy: [] };
  const [found] = (await ask("SelectHeatmap", withExemplars)).series;
  expect(found?.slots[0]?.exemplars).toMatchObject([
    { spanId: span, value: "30", timestamp: String(startMs + 60_000) },
    { spanId: other, value: "40", profileId: expect.stringMatching(/^[0-9a-f]{32}$/) },
  ]);
  expect(await ask("SelectHeatmap", { ...ofSpans, groupBy: ["handler"] })).toMatchObject({
    code: "unimplemented",
    message: expect.stringContaining("leave handler out of group_by"),
  });
  const many = Array.from({ length: 51 }, (_, at) => String(at));
  expect((await ask("SelectMergeSpanProfile", { spanSelector: many })).message).toMatch(/at most 50 spans/);
});

describe("addresses of earlier versions", () => {
  const query = `${cpu}{service_name="shop"}`;

  test("render a graph with its timeline and groups", async () => {
    const reply = (
      await get("/pyroscope/render", { query, from: "now-1h", until: "now", groupBy: "region" })
    ).json();
    expect(reply.flamebearer).toMatchObject({
      names: ["total", "main", "gc", "serve"],
      numTicks: 172,
      maxSelf: 115,
    });
    expect(reply.metadata).toEqual({
      format: "single",
      spyName: "",
      sampleRate: 1_000_000_000,
      units: "samples",
      name: "cpu",
    });
    expect(reply.timeline).toMatchObject({ startTime: startMs / 1000, durationDelta: 15 });
    expect(reply.timeline.samples).toHaveLength(240);
    expect(reply.timeline.samples.filter(Boolean)).toEqual([40, 25, 107]);
    expect(Object.keys(reply.groups).sort()).toEqual(["eu-north", "eu-west", "us"]);
    const inBraces = [`__name__="${cpu}"`, `__name__=\`${cpu}\``, `"__name__"='${cpu}'`, `"${cpu}"`];
    for (const name of inBraces) {
      const given = { query: `{${name},service_name="shop"}`, from: String(startMs), until: "now" };
      expect((await get("/pyroscope/render", given)).json().flamebearer).toEqual(reply.flamebearer);
    }
    const dot = await get("/pyroscope/render", { query, from: "now-1h", format: "dot" });
    expect([dot.headers["content-type"], dot.body]).toEqual([
      expect.stringMatching(/^text\/plain/),
      expect.stringMatching(/^digraph/),
    ]);
  });

  test("render a comparison", async () => {
    const sides = {
      leftQuery: `${cpu}{region="eu-west"}`,
      leftFrom: String(startMs),
      leftUntil: String(nowMs),
      rightQuery: `${cpu}{region="us"}`,
      rightFrom: String(startMs / 1000),
      rightUntil: "now",
    };
    const reply = (await get("/pyroscope/render-diff", { ...sides, "max-nodes": "100" })).json();
    expect([reply.metadata.format, reply.leftTicks, reply.rightTicks, reply.flamebearer.numTicks]).toEqual([
      "double",
      40,
      107,
      147,
    ]);
    expect(reply.flamebearer.levels[0]).toEqual([0, 40, 0, 0, 107, 0, 0]);
    const mixed = await get("/pyroscope/render-diff", { ...sides, rightQuery: `${heap}{}` });
    expect(mixed.statusCode).toBe(400);
  });

  test("list the values of a label", async () => {
    expect((await get("/pyroscope/label-values", { label: "__name__" })).json()).toEqual([heap, cpu]);
    expect((await get("/pyroscope/label-values", { label: "service_name" })).json()).toEqual([
      "cart",
      "shop",
    ]);
    expect(
      (await get("/pyroscope/label-values", { label: "region", query: '{region=~"eu.*"}' })).json(),
    ).toEqual(["eu-north", "eu-west"]);
  });

  test.each([
    ["/pyroscope/render", { query: "{}" }, /profile type/],
    ["/pyroscope/render", { query, from: "yesterday" }, /now-1h/],
    [
      "/pyroscope/render",
      { query, from: "now" },
      /range is empty.*Give now, a time before now such as now-1h/,
    ],
    ["/pyroscope/render", { query, from: "now-1h", maxNodes: "1e99" }, /maxNodes must be a number/],
    ["/pyroscope/render", { query: `${cpu}{a=~"("}` }, /pattern of a/],
    ["/pyroscope/label-values", { label: "a", query: "{" }, /label selector/],
  ])("%s refuses %j with a sentence", async (path, given, text) => {
    const reply = await get(path, given as Record<string, string>);
    expect([reply.statusCode, reply.json().error]).toEqual([400, expect.stringMatching(text)]);
  });
});

test.each([
  [
    { start: "5", end: "1" },
    "The range is empty: its start must be before its end and before now. Give start and end in Unix milliseconds",
  ],
  [{ start: {} }, expect.stringMatching(/^The message is not an AnalyzeQueryRequest: /)],
])("a call refuses %j with a sentence", async (given, error) => {
  const { status, body } = await post("AnalyzeQuery", given);
  expect([status, body.message]).toEqual([400, error]);
});

describe("who may read", () => {
  test("keys in every form; keys that only send are refused with a sentence", async () => {
    const basic = Buffer.from(`grafana:${key.key}`).toString("base64");
    for (const headers of [
      { authorization: `Bearer ${key.key}` },
      { authorization: `Basic ${basic}` },
      key.headers,
    ])
      expect((await post("ProfileTypes", range, headers as Record<string, string>)).status).toBe(200);
    const refused = await post("ProfileTypes", range, ingest.headers);
    expect([refused.status, refused.body]).toEqual([
      403,
      expect.objectContaining({ code: "permission_denied", message: expect.stringMatching(/scope read/) }),
    ]);
    expect((await post("ProfileTypes", range, {})).body).toMatchObject({ code: "unauthenticated" });
  });

  test("another organization sees nothing", async () => {
    const eve = await server.signUp();
    const other = await server.makeKey(eve, "eve", "read");
    expect((await post("ProfileTypes", range, other.headers)).body).toEqual({});
    expect((await post("Series", range, other.headers)).body).toEqual({});
    expect(
      (await post("SelectMergeStacktraces", selected('{service_name="shop"}'), other.headers)).body,
    ).toEqual({ flamegraph: {} });
    expect((await post("SelectSeries", { ...selected("{}"), step: 60 }, other.headers)).body).toEqual({});
    expect((await post("GetProfileStats", {}, other.headers)).body).toEqual({});
  });
});

test.each([
  ["SelectMergeStacktraces", { profileTypeID: "cpu", labelSelector: "{}", ...range }, 400, /profile type/],
  ["SelectMergeStacktraces", { ...selected("{a") }, 400, /label selector/],
  ["SelectMergeStacktraces", { ...selected("{}"), profileIdSelector: ["x"] }, 501, /profile_id_selector/],
  ["SelectMergeStacktraces", { ...selected("{}"), async: { type: 1 } }, 501, /async/],
  ["SelectMergeStacktraces", { start: {} }, 400, /not a SelectMergeStacktracesRequest/],
  ["LabelNames", { ...range, matchers: ["{}", "{"] }, 400, /label selector/],
])("%s refuses what it cannot answer: %j", async (method, request, status, text) => {
  const reply = await post(method as string, request as object);
  expect([reply.status, reply.body.message]).toEqual([status, expect.stringMatching(text as RegExp)]);
});

test("the levels of our own call and of this one are the same frames", async () => {
  const url = toPath(
    mergedFlameGraph,
    { service: "shop", type: "cpu" },
    { from: String(startMs), to: String(nowMs) },
  );
  const own = (
    await server.app.inject({
      method: "GET",
      url,
      headers: { ...ada.headers, accept: flameGraphLevelsContentType },
    })
  ).json<{ names: string[]; levels: number[][] }>();
  const { flamegraph } = (await post("SelectMergeStacktraces", selected('{service_name="shop"}'))).body;
  const frames = (levels: number[][], names: string[]) =>
    levels
      .map((row) =>
        Array.from({ length: row.length / 4 }, (_, at) => [
          names[row[4 * at + 3]!],
          row[4 * at + 1],
          row[4 * at + 2],
        ]),
      )
      .slice(1);
  expect(
    frames(
      flamegraph.levels.map(({ values }) => values.map(Number)),
      flamegraph.names,
    ),
  ).toEqual(frames(own.levels, own.names));
});
