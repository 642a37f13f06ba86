import { flameGraphDiffContentType } from "@flamekeep/contract";
import { FlameGraphDiff } from "@flamekeep/contract/schemas";
import { decodeComparison } from "@flamekeep/flame/compare";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

const cpuTypes = ["samples/count", "cpu/nanoseconds"];
let server: TestApp;
let person: Person;
let keyHeaders: Record<string, string>;
/** Ids of two CPU profiles and of a heap profile. */
const ids = { first: "", second: "", heap: "" };

const cpu = (encode: number, gc: number) =>
  profileOf(
    `
    main.main       main.main
    main.serve      runtime.gc
    json.Encode
    ${encode},${encode}0      ${gc},${gc}0`,
    { sampleTypes: cpuTypes, durationNs: 10_000_000_000n },
  );
const heap = (used: number) =>
  profileOf(`main.main\nmain.cache\n${used},${used}00`, {
    sampleTypes: ["inuse_objects/count", "inuse_space/bytes"],
  });

beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:30.000Z" });
  person = await server.signUp();
  keyHeaders = (await server.makeKey(person)).headers;
  const checkout = (time: string, tags: Record<string, string> = {}) => ({
    service: "checkout",
    started_at: `2026-11-20T${time}Z`,
    ...tags,
  });
  const v1 = { "tag.version": "1" };
  const v2 = { "tag.version": "2" };
  ids.first = await send(checkout("10:15:00", v1), cpu(3, 1));
  await send(checkout("10:45:00", v1), cpu(5, 2));
  ids.second = await send(checkout("11:15:00", v2), cpu(20, 4));
  ids.heap = await send({ ...checkout("10:20:00"), type: "memory" }, heap(10));
  await send({ ...checkout("11:20:00"), type: "memory" }, heap(15));
  await send({ ...checkout("11:21:00"), type: "memory" }, heap(20));
  // The shop answers 60 requests in the first hour and 90 in the second; its profiles cover a third of the time of each.
  for (const [hour, requests] of [
    ["10", 60],
    ["11", 90],
  ] as const) {
    await send({ service: "shop", started_at: `2026-11-20T${hour}:10:00Z` }, cpu(6, 0));
    await send({ service: "shop", started_at: `2026-11-20T${hour}:10:50Z` }, cpu(6, 0));
    await sendRequests("shop", hour, requests);
  }
});
afterAll(() => server.close());

async function send(query: Record<string, string>, profile: ReturnType<typeof profileOf>): Promise<string> {
  return (await server.send(profile, { headers: keyHeaders, query })).profile_id;
}

async function sendRequests(service: string, hour: string, count: number, minute = "10") {
  const metrics = Array.from({ length: count }, (_, index) => ({
    duration: 0.1,
    status_code: 200,
    method: "GET",
    path: "/",
    timestamp: `2026-11-20T${hour}:${minute}:${String(index % 60).padStart(2, "0")}Z`,
    request_id: `${hour}-${minute}-${index}`,
  }));
  const url = "/api/v1/ingest/http-metrics";
  const call = { method: "POST", url, query: { service }, headers: keyHeaders, payload: metrics } as const;
  expect((await server.app.inject(call)).statusCode).toBe(200);
}

type Query = Record<string, string | string[]>;

function get(query: Query, headers: Record<string, string> = {}, as = person) {
  const url = "/api/v1/protected/flamegraph/diff";
  return server.app.inject({ method: "GET", url, query, headers: { ...as.headers, ...headers } });
}

const hours = {
  service: "checkout",
  type: "cpu",
  before_from: "2026-11-20T10:00:00Z",
  before_to: "2026-11-20T11:00:00Z",
  after_from: "2026-11-20T11:00:00Z",
  after_to: "2026-11-20T12:00:00Z",
};

async function diffOf(query: Query): Promise<FlameGraphDiff> {
  const reply = await get(query);
  expect(reply.statusCode).toBe(200);
  const parsed = FlameGraphDiff.safeParse(reply.json());
  expect(parsed.error?.issues ?? []).toEqual([]);
  return reply.json();
}

const changes = ({ functions }: FlameGraphDiff) =>
  functions.map((each) => [each.function_name, each.total_before, each.total_after, each.change]);

describe("the comparison of two ranges", () => {
  it("has each side's values as measured, and its divisors", async () => {
    const { functions, nodes, hash, ...rest } = await diffOf(hours);
    const side = { profile_id: null, service: "checkout", tags: {}, labels: {} };
    expect(rest).toEqual({
      type: "cpu",
      sample_type: { type: "cpu", unit: "nanoseconds" },
      sample_types: cpuTypes,
      aggregation: "sum",
      before: {
        ...side,
        from: "2026-11-20T10:00:00.000Z",
        to: "2026-11-20T11:00:00.000Z",
        profiles_merged: 2,
        duration_ms: 20_000,
        total: 110,
      },
      after: {
        ...side,
        from: "2026-11-20T11:00:00.000Z",
        to: "2026-11-20T12:00:00.000Z",
        profiles_merged: 1,
        duration_ms: 10_000,
        total: 240,
      },
      normalisation: { per: "second", before_divisor: 20, after_divisor: 10 },
      normalisations: [
        { per: "second", before_divisor: 20, after_divisor: 10 },
        { per: "profile", before_divisor: 2, after_divisor: 1 },
      ],
      no_requests: "checkout sent no HTTP metrics in the first range",
      function_count: 4,
      elisions: [],
    });
    expect(hash).toMatch(/^[0-9a-f]{32}$/);
    // 80 in 20 s before, 200 in 10 s after.
    expect(functions[0]).toEqual({
      function_name: "json.Encode",
      package_name: "json",
      file_name: "",
      line_number: 0,
      self_before: 80,
      self_after: 200,
      self_change: 16,
      total_before: 80,
      total_after: 200,
      total_change: 16,
      change: "more",
    });
    expect(nodes).toEqual({
      names: ["root", "main.main", "main.serve", "runtime.gc", "json.Encode"],
      name: [0, 1, 2, 3, 4],
      parent: [-1, 0, 1, 1, 2],
      line: [0, 0, 0, 0, 0],
      self_before: [0, 0, 0, 30, 80],
      self_after: [0, 0, 0, 40, 200],
      total_before: [110, 110, 80, 30, 80],
      total_after: [240, 240, 200, 40, 200],
    });
  });

  it("compares with the time before, as long, where no first range is given", async () => {
    const { before_from, before_to, ...after } = hours;
    expect((await diffOf(after)).before).toEqual((await diffOf(hours)).before);
  });

  it("has no profile on both sides where the first range ends as the second begins, inside a minute", async () => {
    const late = "2026-11-20T10:45:33.947Z";
    await send({ service: "late", started_at: late }, cpu(5, 2));
    const series = { service: "late", type: "cpu" };
    const start = "2026-11-20T09:45:00Z";
    const meeting = { before_from: start, before_to: late, after_from: late, after_to: "now" };
    const { before, after } = await diffOf({ ...series, ...meeting });
    expect([before.to, after.from]).toEqual(["2026-11-20T10:45:00.000Z", "2026-11-20T10:45:00.000Z"]);
    expect([before.profiles_merged, after.profiles_merged]).toEqual([0, 1]);
    const swapped = { before_from: late, before_to: "now", after_from: start, after_to: late };
    const exchanged = await diffOf({ ...series, ...swapped });
    expect([exchanged.before.profiles_merged, exchanged.after.profiles_merged]).toEqual([1, 0]);
  });

  it("is columns on the same address when the caller asks for them", async () => {
    const reply = await get(hours, { accept: flameGraphDiffContentType });
    expect(reply.headers["content-type"]).toBe(flameGraphDiffContentType);
    const { tree, meta } = decodeComparison(reply.rawPayload);
    expect(tree.columns.map(({ total }) => total[0])).toEqual([110, 240]);
    expect([meta.before.total, meta.after.total]).toEqual([110, 240]);
    expect(meta.normalisations[0]).toEqual({ per: "second", before: 20, after: 10 });
  });

  it("has the mean of gauges on both sides", async () => {
    const memory = { ...hours, type: "memory" };
    const diff = await diffOf(memory);
    expect(diff).toMatchObject({
      aggregation: "mean",
      before: { total: 1000, profiles_merged: 1 },
      after: { total: 1750, profiles_merged: 2 },
      normalisation: { per: "profile", before_divisor: 1, after_divisor: 1 },
      no_requests: expect.stringContaining("gauges cannot be divided by requests"),
    });
    expect(diff.functions[0]).toMatchObject({ self_before: 1000, self_after: 1750, self_change: 750 });
    const columns = await get(memory, { accept: flameGraphDiffContentType });
    const { tree } = decodeComparison(columns.rawPayload);
    expect(tree.columns.map(({ total }) => total[0])).toEqual([1000, 1750]);
    const objects = await diffOf({ ...memory, sample_type: "inuse_objects" });
    expect([objects.before.total, objects.after.total]).toEqual([10, 17.5]);
  });

  it("divides by the requests that were answered while the profiles were taken", async () => {
    const shop = { ...hours, service: "shop" };
    const diff = await diffOf(shop);
    expect(diff.no_requests).toBeNull();
    expect(diff.normalisations.map(({ per }) => per)).toEqual(["request", "second", "profile"]);
    // Two profiles of 10 s within 60 s: a third of 60 requests, and of 90.
    expect(diff.normalisation).toEqual({ per: "request", before_divisor: 20, after_divisor: 30 });
    expect(diff.functions[0]).toMatchObject({ self_before: 120, self_after: 120, self_change: -2 });
    expect((await diffOf({ ...shop, per: "second" })).functions[0]?.self_change).toBe(0);
  });

  it("counts an instance that replaces another one in the middle of a range as the same one", async () => {
    for (const [time, pod] of [
      ["10:10", "a"],
      ["10:40", "a"],
      ["11:10", "a"],
      ["11:40", "b"],
    ] as const) {
      await send({ service: "rolled", started_at: `2026-11-20T${time}:00Z`, "tag.pod": pod }, cpu(6, 0));
      await sendRequests("rolled", time.slice(0, 2), 60, time.slice(3));
    }
    const diff = await diffOf({ ...hours, service: "rolled" });
    expect(diff.normalisation).toEqual({ per: "request", before_divisor: 20, after_divisor: 20 });
    expect(diff.functions[0]).toMatchObject({ self_before: 120, self_after: 120, self_change: 0 });
  });

  it.each(["pod", "replica"])(
    "shares the requests among the instances that run at the same time, by their tag %s",
    async (tag) => {
      const service = `scaled-by-${tag}`;
      for (const [hour, names] of [
        ["10", ["a"]],
        ["11", ["a", "b"]],
      ] as const) {
        for (const name of names) {
          const query = { service, [`tag.${tag}`]: name };
          await send({ ...query, started_at: `2026-11-20T${hour}:10:00Z` }, cpu(6, 0));
          await send({ ...query, started_at: `2026-11-20T${hour}:10:50Z` }, cpu(6, 0));
        }
        await sendRequests(service, hour, 60);
      }
      const { normalisation } = await diffOf({ ...hours, service });
      expect(normalisation).toEqual({ per: "request", before_divisor: 20, after_divisor: 20 });
    },
  );

  it("knows the requests only of the whole service", async () => {
    await send({ service: "tagged", started_at: "2026-11-20T10:10:00Z", "tag.version": "1" }, cpu(1, 1));
    await sendRequests("tagged", "10", 3);
    const tagged = { ...hours, service: "tagged", before_tags: "version:1" };
    expect((await diffOf(tagged)).no_requests).toContain("not for profiles with a tag");
    expect((await get({ ...tagged, per: "request" })).statusCode).toBe(422);
  });

  it("counts no requests in profiles of more than an hour", async () => {
    const month = { ...cpu(6, 0), durationNs: 30n * 86_400_000_000_000n };
    for (const hour of ["10", "11"]) {
      await send({ service: "slow", started_at: `2026-11-20T${hour}:10:00Z` }, month);
      await sendRequests("slow", hour, 60);
    }
    expect((await diffOf({ ...hours, service: "slow" })).no_requests).toContain("too few requests");
  });

  it("compares two versions in one range", async () => {
    const both = { ...hours, after_from: hours.before_from };
    const diff = await diffOf({
      ...both,
      before_to: hours.after_to,
      before_tags: "version:1",
      after_tags: ["version:2"],
    });
    expect([diff.before.total, diff.after.total]).toEqual([110, 240]);
    expect([diff.before.tags, diff.after.tags]).toEqual([{ version: "1" }, { version: "2" }]);
  });

  it("has only new functions where the first range is empty", async () => {
    const diff = await diffOf({
      ...hours,
      before_from: "2026-11-20T01:00:00Z",
      before_to: "2026-11-20T02:00:00Z",
    });
    expect(diff.before).toMatchObject({ profiles_merged: 0, total: 0 });
    expect(changes(diff).map(([, , , change]) => change)).toEqual(["new", "new", "new", "new"]);
    const nothing = await diffOf({ ...hours, service: "nobody" });
    expect([nothing.function_count, nothing.nodes.total_after]).toEqual([0, [0]]);
  });

  it("keeps the widest frames within max_nodes and counts the others with both values", async () => {
    const diff = await diffOf({ ...hours, max_nodes: "3" });
    const { names, name } = diff.nodes;
    expect(name.map((fn) => names[fn])).toEqual(["root", "main.main", "main.serve"]);
    expect(diff.elisions).toEqual([
      { node: 1, count: 1, before: 30, after: 40 },
      { node: 2, count: 1, before: 80, after: 200 },
    ]);
    expect(diff.function_count).toBe(4);
  });

  it("has the part below a frame, with the frames that max_nodes left out", async () => {
    const part = await diffOf({ ...hours, root: "root_0_0", max_nodes: "3" });
    const { names, name, total_before, total_after } = part.nodes;
    expect(name.map((fn) => names[fn])).toEqual(["main.serve", "json.Encode"]);
    expect([total_before, total_after, part.elisions]).toEqual([[80, 80], [200, 200], []]);
    expect(part.before.total).toBe(110);
    expect([part.function_count, changes(part)]).toEqual([
      2,
      [
        ["json.Encode", 80, 200, "more"],
        ["main.serve", 80, 200, "more"],
      ],
    ]);
    const fromTheRoot = await diffOf({ ...hours, root: "root" });
    expect(changes(fromTheRoot)).toEqual(changes(await diffOf(hours)));
    const columns = (query: Query) => get({ ...hours, ...query }, { accept: flameGraphDiffContentType });
    const whole = await columns({ max_nodes: "3" });
    const unfolded = await columns({ root: "0.0", max_nodes: "3" });
    expect(whole.headers.etag).not.toBe(unfolded.headers.etag);
    const { tree } = decodeComparison(unfolded.rawPayload);
    expect([...tree.columns[1]!.total]).toEqual([200, 200]);
    const unknown = await columns({ root: "0.7" });
    expect([unknown.statusCode, unknown.json().error]).toEqual([422, expect.stringContaining('"0.7"')]);
  });

  it("is not sent again to a browser that has it, until a profile is added", async () => {
    const range = { ...hours, service: "cached" };
    await send({ service: "cached", started_at: "2026-11-20T10:10:00Z" }, cpu(1, 1));
    const etag = String((await get(range)).headers.etag);
    const again = await get(range, { "if-none-match": etag });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
    expect((await get({ ...range, per: "profile" }, { "if-none-match": etag })).statusCode).toBe(200);
    await send({ service: "cached", started_at: "2026-11-20T11:10:00Z" }, cpu(1, 1));
    expect((await get(range, { "if-none-match": etag })).statusCode).toBe(200);
  });

  it("is empty for another organization", async () => {
    const reply = await get(hours, {}, await server.signUp());
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({ before: { total: 0 }, after: { total: 0 }, function_count: 0 });
  });
});

describe("the comparison of profiles", () => {
  it("compares two profiles, without naming service and type", async () => {
    const diff = await diffOf({ before_profile: ids.first, after_profile: ids.second });
    expect(diff).toMatchObject({
      before: { profile_id: ids.first, from: "2026-11-20T10:15:00.000Z", to: "2026-11-20T10:15:10.000Z" },
      after: { profile_id: ids.second, profiles_merged: 1, tags: { version: "2" } },
      normalisation: { per: "second", before_divisor: 10, after_divisor: 10 },
      no_requests: expect.stringContaining("single profile"),
    });
    expect(changes(diff)).toEqual([
      ["json.Encode", 30, 200, "more"],
      ["runtime.gc", 10, 40, "more"],
      ["main.main", 40, 240, "more"],
      ["main.serve", 30, 200, "more"],
    ]);
  });

  it("compares a profile with the hour before it, and with a range", async () => {
    const withHour = await diffOf({ after_profile: ids.second });
    expect(withHour.before).toMatchObject({
      service: "checkout",
      from: "2026-11-20T10:15:00.000Z",
      to: "2026-11-20T11:15:00.000Z",
      total: 110,
    });
    const late = await send({ service: "late-one", started_at: "2026-11-20T10:15:40Z" }, cpu(3, 1));
    expect((await diffOf({ after_profile: late })).before).toMatchObject({
      to: "2026-11-20T10:15:00.000Z",
      profiles_merged: 0,
    });
    const { before_from, before_to, ...after } = hours;
    const withRange = await diffOf({ ...after, before_profile: ids.first });
    expect([withRange.before.total, withRange.after.total]).toEqual([40, 240]);
  });

  it("answers 404 for an unknown profile, and in the same way for one of another organization", async () => {
    const unknown = await get({
      before_profile: ids.first.replace(/^./, (digit) => (digit === "f" ? "0" : "f")),
      after_profile: ids.second,
    });
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, "not_found"]);
    const foreign = await get(
      { before_profile: ids.first, after_profile: ids.second },
      {},
      await server.signUp(),
    );
    expect([foreign.statusCode, foreign.json().code]).toEqual([404, "not_found"]);
  });
});

describe("a comparison is refused", () => {
  it.each<[Query, number, string]>([
    [{ type: "cpu" }, 400, "service is missing"],
    [{ service: "checkout" }, 400, "type is missing"],
    [{ ...hours, before_from: "1h", before_to: "2h" }, 400, "before"],
    [{ ...hours, after_from: "soon" }, 400, "after_from"],
    [{ ...hours, before_tags: "region" }, 400, "NAME:VALUE"],
    [{ ...hours, after_labels: "handler" }, 400, "after_labels must be NAME:VALUE"],
    [{ ...hours, before_tags: "handler:/cart" }, 422, "Their tags are version"],
    [{ ...hours, sample_type: "wall" }, 422, "it has samples, cpu"],
    [{ ...hours, per: "request" }, 422, "sent no HTTP metrics"],
    [{ ...hours, type: "memory", per: "second" }, 422, "per second"],
    [{ ...hours, per: "day" }, 400, "per"],
    [{ ...hours, max_nodes: "0" }, 400, "max_nodes"],
  ])("for %j", async (query, status, text) => {
    const reply = await get(query);
    expect([reply.statusCode, reply.json().error]).toEqual([status, expect.stringContaining(text)]);
  });

  it("for profiles of two types", async () => {
    const reply = await get({ before_profile: ids.first, after_profile: ids.heap });
    expect([reply.statusCode, reply.json().error]).toEqual([
      422,
      "A cpu profile cannot be compared with a memory profile: choose two of one type",
    ]);
  });
});
