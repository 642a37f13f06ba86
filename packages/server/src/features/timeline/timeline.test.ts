import type { TimelinePoint } from "@flamekeep/contract";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { query } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

let server: TestApp;
let person: Person;
let keyHeaders: Record<string, string>;

const kinds = {
  cpu: ["samples/count", "cpu/nanoseconds"],
  memory: ["inuse_objects/count", "inuse_space/bytes"],
  goroutine: ["goroutine/count"],
  mutex: ["contentions/count", "delay/nanoseconds"],
  block: ["contentions/count", "delay/nanoseconds"],
  custom: ["connections/count"],
} as const;

/** Kind, minute after ten o'clock, value of the last sample type. */
const sent = [
  ["cpu", 5, 1e9],
  ["cpu", 91, 2e9],
  ["cpu", 100, 4e9],
  ["memory", 92, 100],
  ["memory", 93, 300],
  ["goroutine", 92, 10],
  ["goroutine", 104, 20],
  ["mutex", 90, 2e9],
  ["mutex", 95, 1e9],
  ["block", 95, 5e9],
  ["custom", 94, 4],
  ["custom", 98, 8],
] as const;

beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:00.000Z" });
  person = await server.signUp();
  keyHeaders = (await server.makeKey(person)).headers;
  for (const [kind, minute, value] of sent) await send(kind, minute, value);
});
afterAll(() => server.close());

async function send(type: keyof typeof kinds, minute: number, value: number, headers = keyHeaders) {
  const values = kinds[type].map((_, index) => (index === kinds[type].length - 1 ? value : 1));
  const profile = profileOf(`main\n${values.join()}`, {
    sampleTypes: [...kinds[type]],
    durationNs: type === "goroutine" ? 0n : 10_000_000_000n,
  });
  const started_at = new Date(Date.UTC(2026, 10, 20, 10, minute)).toISOString();
  await server.send(profile, { headers, query: { service: "checkout", type, started_at } });
}

const storedRows = query({
  name: "test.stored",
  sql: "SELECT count() AS profiles FROM profiles WHERE org_id = {orgId:UUID}",
  params: z.object({ orgId: z.uuid() }),
  row: z.object({ profiles: Count }),
});

async function get(path: string, query: Record<string, string> = {}, as = person) {
  const url = `/api/v1/protected/timeline/service/${path}`;
  const reply = await server.app.inject({ method: "GET", url, query, headers: as.headers });
  return { status: reply.statusCode, body: reply.json() };
}

/** The points that say something, by the time of day they begin. */
function known(points: readonly TimelinePoint[]) {
  return Object.fromEntries(
    points
      .filter(({ timestamp: _, ...fields }) => Object.values(fields).some((value) => value !== null))
      .map(({ timestamp, ...fields }) => [timestamp.slice(11, 16), fields]),
  );
}

describe("profiles whose rows wait", () => {
  it("are in timelines, lists of services and summaries, without an insert and with the same figures as after it", async () => {
    const reader = await server.signUp();
    const { headers } = await server.makeKey(reader);
    const inject = async (url: string) => {
      const reply = await server.app.inject({ method: "GET", url, headers: reader.headers });
      expect(reply.statusCode).toBe(200);
      return reply.json();
    };
    const types = ["cpu", "memory", "goroutine", "mutex", "block"];
    const read = () =>
      Promise.all([
        ...types.map((type) =>
          inject(`/api/v1/protected/timeline/service/checkout/${type}?bucket=5m&to=20m`),
        ),
        inject("/api/v1/protected/services?since=24h"),
        inject("/api/v1/protected/services?since=23m"),
        inject("/api/v1/protected/summary?since=23m"),
        inject("/api/v1/protected/summary?since=30d"),
      ]);
    const stored = async () =>
      (await server.ctx.columns.direct.query(storedRows, { orgId: reader.orgId }))[0]!.profiles;
    for (const [kind, minute, value] of sent) await send(kind, minute, value, headers);
    const before = await read();
    expect(await stored()).toBe(0);
    await server.ctx.columns.awaitedRows.settled(undefined);
    expect(await stored()).toBe(sent.length);
    expect(await read()).toEqual(before);
    expect(known(before[0].data_points)).toHaveProperty("11:30");
  });
});

describe("the timeline of a service", () => {
  it("has a point for every bucket of a day, and gaps where nothing was sent", async () => {
    const { status, body } = await get("checkout/cpu");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      service: "checkout",
      type: "cpu",
      bucket: "15m",
      bucket_widened: false,
      from: "2026-11-19T12:00:00.000Z",
      to: "2026-11-20T12:00:00.000Z",
    });
    expect(body.data_points).toHaveLength(96);
    expect(known(body.data_points)).toEqual({
      "10:00": { cpu_seconds: 1, avg_cpu_percent: 10 },
      "11:30": { cpu_seconds: 6, avg_cpu_percent: 30 },
    });
    expect(body.data_points[0]).toEqual({
      timestamp: "2026-11-19T12:00:00.000Z",
      cpu_seconds: null,
      avg_cpu_percent: null,
    });
  });

  it.each([
    ["memory", { memory_bytes: 200 }],
    ["goroutine", { goroutine_count: 15 }],
    ["mutex", { mutex_usage: 3 }],
    ["block", { block_usage: 5 }],
    ["custom", { custom_values: { "connections/count": 6 } }],
  ])("averages gauges and sums the rest: %s", async (type, fields) => {
    const { body } = await get(`checkout/${type}`, { from: "1h" });
    expect(body.data_points).toHaveLength(4);
    expect(known(body.data_points)).toEqual({ "11:30": fields });
  });

  it("averages the live heap of Node like memory in use of Go", async () => {
    const headers = keyHeaders;
    for (const [minute, bytes] of [
      [90, 100],
      [92, 500],
    ] as const) {
      const profile = profileOf(`main\n1,${bytes}`, { sampleTypes: ["objects/count", "space/bytes"] });
      const started_at = new Date(Date.UTC(2026, 10, 20, 10, minute)).toISOString();
      await server.send(profile, { headers, query: { service: "web", type: "memory", started_at } });
    }
    const { body } = await get("web/memory", { from: "1h" });
    expect(known(body.data_points)).toEqual({ "11:30": { memory_bytes: 300 } });
  });

  it.each(["checkout/all", "checkout"])("of all types has all fields: %s", async (path) => {
    const { body } = await get(path, { from: "2h", bucket: "1h" });
    expect(body.data_points).toEqual([
      {
        timestamp: "2026-11-20T10:00:00.000Z",
        cpu_seconds: 1,
        avg_cpu_percent: 10,
        memory_bytes: null,
        goroutine_count: null,
        mutex_usage: null,
        block_usage: null,
        custom_values: null,
      },
      {
        timestamp: "2026-11-20T11:00:00.000Z",
        cpu_seconds: 6,
        avg_cpu_percent: 30,
        memory_bytes: 200,
        goroutine_count: 15,
        mutex_usage: 3,
        block_usage: 5,
        custom_values: { "connections/count": 6 },
      },
    ]);
  });

  it.each([
    [{ from: "2026-11-20T11:30:00Z", to: "2026-11-20T11:45:00Z" }],
    [{ from: "30m", to: "15m" }],
    [{ from: String(Date.UTC(2026, 10, 20, 11, 30)), to: String(Date.UTC(2026, 10, 20, 11, 45)) }],
    [{ from: "2026-11-20T12:31:00+01:00", to: "2026-11-20T11:32:00Z" }],
  ])("takes spans, times and Unix milliseconds: %j", async (query) => {
    const { body } = await get("checkout/cpu", query);
    expect(body.data_points).toEqual([
      { timestamp: "2026-11-20T11:30:00.000Z", cpu_seconds: 6, avg_cpu_percent: 30 },
    ]);
  });

  it("widens the bucket rather than answer more than 11,000 points", async () => {
    const { body } = await get("checkout/memory", { from: "30d", bucket: "1m" });
    expect(body).toMatchObject({ bucket: "5m", bucket_widened: true });
    expect(body.data_points).toHaveLength(30 * 288);
    expect(known(body.data_points)).toEqual({ "11:30": { memory_bytes: 200 } });
  });

  it("counts late profiles, and repeated ones once", async () => {
    await send("cpu", 50, 3e9);
    await send("cpu", 50, 3e9);
    await send("cpu", 5, 1e9);
    const { body } = await get("checkout/cpu", { bucket: "4h", from: "12h" });
    expect(known(body.data_points)).toEqual({ "08:00": { cpu_seconds: 10, avg_cpu_percent: 25 } });
  });

  it("of an unknown service, and of another organization's, is empty", async () => {
    const stranger = await server.signUp();
    for (const [path, as] of [["nobody%27s/all", person] as const, ["checkout/all", stranger] as const]) {
      const { status, body } = await get(path, {}, as);
      expect(status).toBe(200);
      expect(body.data_points).toHaveLength(96);
      expect(known(body.data_points)).toEqual({});
    }
  });

  it.each([
    ["checkout/gpu", {}, "type"],
    ["checkout/cpu", { bucket: "30s" }, "bucket must be a span of whole minutes"],
    ["checkout/cpu", { from: "yesterday" }, "from must be a span back from now"],
    ["checkout/cpu", { to: "24" }, "to must be"],
    ["checkout/cpu", { from: "1h", to: "2h" }, "The range is empty"],
    ["/cpu", {}, "Service parameter is required for timeline data"],
  ])("refuses %s %j with words", async (path, query, words) => {
    const { status, body } = await get(path, query as Record<string, string>);
    expect([status, body.code]).toEqual([400, "invalid"]);
    expect(body.error).toContain(words);
  });
});
