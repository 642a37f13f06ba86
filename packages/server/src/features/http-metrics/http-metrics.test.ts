import type { HttpTimelinePoint } from "@flamekeep/contract";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { binnedQuantiles, exactQuantiles, routeQuantiles } from "./timeline-queries.ts";
import {
  binnedGroups,
  binnedPaths,
  binnedServices,
  exactGroups,
  exactPaths,
  exactServices,
  type PathRow,
  rolledHours,
  rolledHoursOfServices,
} from "./total-queries.ts";

const now = Date.UTC(2026, 10, 20, 12, 2, 30);
const minute = 60_000;
/** Requests differ by 10 ms: one rank, and 1% of the duration. */
const isNear = (value: number, exact: number) => Math.abs(value - exact) <= 0.01 + 0.01 * exact;

let server: TestApp;
let person: Person;
let keyHeaders: Record<string, string>;

const request = { duration: 0.1, status_code: 200, method: "GET", path: "/orders" };

beforeAll(async () => {
  server = await startApp({ hasSeparateColumns: true, at: new Date(now).toISOString() });
  person = await server.signUp();
  keyHeaders = (await server.makeKey(person)).headers;
  // A hundred requests of 10 ms to 1 s at 11:41, the four slowest of them failed.
  await send(
    Array.from({ length: 100 }, (_, index) => ({
      ...request,
      duration: (index + 1) / 100,
      status_code: index < 96 ? 200 : 503,
      timestamp: Date.UTC(2026, 10, 20, 11, 41) + index * 100,
      request_id: `slow-${index}`,
    })),
  );
  // Ten posts at 12:01, one without its page.
  await send(
    Array.from({ length: 10 }, (_, index) => ({
      ...request,
      method: "POST",
      path: "/carts/{id}",
      status_code: index === 9 ? 404 : 201,
      timestamp: Date.UTC(2026, 10, 20, 12, 1) + index * 1000,
      request_id: `post-${index}`,
    })),
  );
  await send([{ ...request, path: "/old", timestamp: now - 30 * 60 * minute, request_id: "old" }]);
});
afterAll(() => server.close());

async function send(metrics: object[], service = "gateway") {
  const url = "/api/v1/ingest/http-metrics";
  const call = { method: "POST", url, query: { service }, headers: keyHeaders, payload: metrics } as const;
  const reply = await server.app.inject(call);
  expect(reply.statusCode).toBe(200);
}

async function get(path: string, query: Record<string, string> = {}, as = person) {
  const url = `/api/v1/protected/${path}`;
  const reply = await server.app.inject({ method: "GET", url, query, headers: as.headers });
  return { status: reply.statusCode, body: reply.json() };
}

const ids = (metrics: readonly { request_id: string }[]) => metrics.map(({ request_id }) => request_id);

describe("the latest requests", () => {
  it("come newest first, as they were sent", async () => {
    const { status, body } = await get("http-metrics/service/gateway", { limit: "12" });
    expect(status).toBe(200);
    expect(body.metrics).toHaveLength(12);
    expect(body.metrics[0]).toEqual({
      timestamp: "2026-11-20T12:01:09.000Z",
      duration: 0.1,
      status_code: 404,
      method: "POST",
      path: "/carts/{id}",
      request_id: "post-9",
    });
    expect(ids(body.metrics.slice(9))).toEqual(["post-0", "slow-99", "slow-98"]);
  });

  it("are 100 unless said otherwise, whatever their age", async () => {
    expect((await get("http-metrics/service/gateway")).body.metrics).toHaveLength(100);
    const { body } = await get("http-metrics/service/gateway", { limit: "1000" });
    expect(body.metrics).toHaveLength(111);
    expect(body.metrics.at(-1).request_id).toBe("old");
  });

  it("of one path are that path's", async () => {
    const { body } = await get("http-metrics/service/gateway/paths", { path: "/orders", limit: "2" });
    expect(body.path).toBe("/orders");
    expect(ids(body.metrics)).toEqual(["slow-99", "slow-98"]);
    const old = { path: "/old" };
    expect((await get("http-metrics/service/gateway/paths", old)).body.metrics).toEqual([]);
    const since = { ...old, since: "48h" };
    expect(ids((await get("http-metrics/service/gateway/paths", since)).body.metrics)).toEqual(["old"]);
    const ended = { ...old, from: "48h", to: "31h" };
    expect((await get("http-metrics/service/gateway/paths", ended)).body.metrics).toEqual([]);
  });

  it("of one path are the slowest, or the failed ones, on request", async () => {
    const listed = async (path: string, order: string) => {
      const query = { path, order, limit: "3", since: "48h" };
      const { body } = await get("http-metrics/service/gateway/paths", query);
      return body.metrics.map((each: { duration: number; status_code: number }) => [
        each.duration,
        each.status_code,
      ]);
    };
    expect(await listed("/orders", "slowest")).toEqual([
      [1, 503],
      [0.99, 503],
      [0.98, 503],
    ]);
    expect((await listed("/orders", "errors")).every(([, status]: number[]) => status! >= 400)).toBe(true);
    expect((await listed("/orders", "errors")).length).toBe(3);
    expect(await listed("/old", "errors")).toEqual([]);
  });

  it("of one path may be of one method", async () => {
    const of = async (method: string) => {
      const query = { path: "/carts/{id}", method };
      return (await get("http-metrics/service/gateway/paths", query)).body.metrics.length;
    };
    expect([await of("POST"), await of("GET")]).toEqual([10, 0]);
  });

  it("come with the profile of their time, else with the nearest one, on request", async () => {
    const started = async (time: string) => {
      const profile = profileOf(`main\n${Date.parse(time)}`, { durationNs: 10_000_000_000n });
      const query = { service: "gateway", type: "cpu", started_at: time };
      return (await server.send(profile, { headers: keyHeaders, query })).profile_id;
    };
    const [covering, later] = [
      await started("2026-11-20T11:41:05Z"),
      await started("2026-11-20T11:55:00Z"),
      await started("2026-11-19T11:41:00Z"),
    ];
    const of = async (query: Record<string, string>, service = "gateway") =>
      (await get(`http-metrics/service/${service}/paths`, { order: "slowest", ...query })).body.metrics;
    const slowest = await of({ path: "/orders", profile_type: "cpu", limit: "60" });
    const profile = { profile_id: covering, timestamp: "2026-11-20T11:41:05.000Z" };
    // Sent at 11:41:09.900, and at 11:41:04.900, before the profile began.
    expect([slowest[0].request_id, slowest[0].profile]).toEqual(["slow-99", { ...profile, covers: true }]);
    expect([slowest[50].request_id, slowest[50].profile]).toEqual(["slow-49", { ...profile, covers: false }]);
    const [cart] = await of({ path: "/carts/{id}", profile_type: "cpu", limit: "1" });
    expect(cart.profile).toEqual({ profile_id: later, timestamp: "2026-11-20T11:55:00.000Z", covers: false });
    const [old] = await of({ path: "/old", profile_type: "cpu", since: "48h" });
    expect(old.profile).toBeNull();
    expect((await of({ path: "/old", since: "48h" }))[0]).not.toHaveProperty("profile");
    expect(await of({ path: "/orders", profile_type: "cpu" }, "another")).toEqual([]);
  });

  it("of a range end where it ends", async () => {
    const query = { from: "2026-11-20T11:00:00Z", to: "2026-11-20T12:00:00Z", limit: "1" };
    expect(ids((await get("http-metrics/service/gateway", query)).body.metrics)).toEqual(["slow-99"]);
  });
});

describe("failed requests", () => {
  it("are counted, and the latest listed", async () => {
    const { body } = await get("http-metrics/service/gateway/errors", { limit: "3" });
    expect(body).toMatchObject({ count: 5, count_4xx: 1, count_5xx: 4 });
    expect(ids(body.errors)).toEqual(["post-9", "slow-99", "slow-98"]);
    expect(body.errors[1]).toMatchObject({ status_code: 503, duration: 1 });
  });

  it("of a range are those of the range", async () => {
    const { body } = await get("http-metrics/service/gateway/errors", { since: "5m" });
    expect(body).toMatchObject({ count: 1, count_4xx: 1, count_5xx: 0 });
    expect(ids(body.errors)).toEqual(["post-9"]);
    const query = { from: "2026-11-20T11:00:00Z", to: "2026-11-20T12:00:00Z", limit: "1" };
    const earlier = (await get("http-metrics/service/gateway/errors", query)).body;
    expect(earlier).toMatchObject({ count: 4, count_4xx: 0, count_5xx: 4 });
    expect(ids(earlier.errors)).toEqual(["slow-99"]);
  });
});

describe("requests aggregated", () => {
  const slow = { count: 100, avg_duration: expect.closeTo(0.505, 9), p95_duration: 0.96, p99_duration: 1 };
  const posts = { count: 10, avg_duration: expect.closeTo(0.1, 9), p95_duration: 0.1, p99_duration: 0.1 };

  it.each([
    [
      "path",
      [
        { path: "/orders", ...slow, error_rate: 0.04 },
        { path: "/carts/{id}", ...posts, error_rate: 0.1 },
      ],
    ],
    [
      "method",
      [
        { method: "GET", ...slow, error_rate: 0.04 },
        { method: "POST", ...posts, error_rate: 0.1 },
      ],
    ],
    [
      "status",
      [
        { status: "2xx", count: 105, error_rate: 0 },
        { status: "5xx", count: 4, error_rate: 1, p95_duration: 1, avg_duration: expect.closeTo(0.985, 9) },
        { status: "4xx", count: 1, error_rate: 1, p95_duration: 0.1 },
      ],
    ],
  ])("by %s have the sorted durations' index floor(q * count)", async (group_by, groups) => {
    const { body } = await get("http-metrics/service/gateway/aggregated", { group_by });
    expect(body.is_approximate).toBe(false);
    expect(body.aggregations).toHaveLength(groups.length);
    expect(body.aggregations).toMatchObject(groups);
    expect(body.total).toMatchObject({ count: 110, p95_duration: 0.95, p99_duration: 0.99 });
    expect(body.total.error_rate).toBeCloseTo(5 / 110, 9);
  });

  it("by path are the default, over an hour", async () => {
    const { body } = await get("http-metrics/service/gateway/aggregated");
    expect(body.aggregations.map(({ path }: { path: string }) => path)).toEqual(["/orders", "/carts/{id}"]);
    const day = await get("http-metrics/service/gateway/aggregated", { since: "48h" });
    expect(day.body.total.count).toBe(111);
    const ended = await get("http-metrics/service/gateway/aggregated", { from: "48h", to: "5m" });
    expect(ended.body.total.count).toBe(101);
  });
});

/** Compares the requests themselves with the histograms of these hours, and of minutes for the rest. */
async function expectPathsAgreement(hours: number[]): Promise<void> {
  const [fromSeconds, toSeconds] = [11, 13].map((hour) => Date.UTC(2026, 10, 20, hour) / 1000);
  const asked = { orgId: person.orgId, fromSeconds: fromSeconds!, toSeconds: toSeconds! };
  const listed = { ...asked, order: "slowest" as const, limit: 100 };
  const rolled = await server.ctx.columns.query(rolledHoursOfServices, { ...asked, services: [] });
  expect(rolled.map(({ hourSeconds }) => hourSeconds).toSorted()).toEqual(hours);
  const [exact, binned] = await Promise.all([
    server.ctx.columns.query(exactPaths, listed),
    server.ctx.columns.query(binnedPaths, { ...listed, hours }),
  ]);
  expect(exact).toHaveLength(3);
  const counts = ({ service, path, requests, errors, paths }: PathRow) => [
    service,
    path,
    requests,
    errors,
    paths,
  ];
  expect(binned.map(counts)).toEqual(exact.map(counts));
  for (const [index, { quantiles }] of exact.entries())
    expect(quantiles.every((value, level) => isNear(binned[index]!.quantiles[level]!, value))).toBe(true);
}

describe("requests of all services", () => {
  beforeAll(() =>
    send(
      [0.3, 0.4].map((duration, index) => ({
        ...request,
        duration,
        path: "/search",
        request_id: `search-${index}`,
        timestamp: Date.UTC(2026, 10, 20, 11, 42, index),
      })),
      "search",
    ),
  );

  const listed = async (query: Record<string, string>) => {
    const { body } = await get("http-metrics/paths", query);
    return body.paths.map(({ service, path }: { service: string; path: string }) => `${service} ${path}`);
  };

  it("are the slowest paths first", async () => {
    const { status, body } = await get("http-metrics/paths");
    expect(status).toBe(200);
    expect(body).toMatchObject({ paths_total: 3, is_approximate: false });
    expect(body.paths[0]).toEqual({
      service: "gateway",
      path: "/orders",
      count: 100,
      avg_duration: expect.closeTo(0.505, 9),
      p95_duration: 0.96,
      p99_duration: 1,
      error_rate: 0.04,
    });
    expect(await listed({})).toEqual(["gateway /orders", "search /search", "gateway /carts/{id}"]);
  });

  it("are ordered by requests or errors on request, within the limit", async () => {
    const byRequests = ["gateway /orders", "gateway /carts/{id}", "search /search"];
    expect(await listed({ order: "requests" })).toEqual(byRequests);
    expect(await listed({ order: "errors" })).toEqual(byRequests);
    expect(await listed({ order: "requests", limit: "1", since: "48h" })).toEqual(["gateway /orders"]);
    expect((await get("http-metrics/paths", { limit: "1", since: "48h" })).body.paths_total).toBe(4);
  });

  it("have the same counts from histograms, and nearly the same percentiles", async () => {
    await expectPathsAgreement([]);
  });

  it("of another organization are not listed", async () => {
    const { body } = await get("http-metrics/paths", {}, await server.signUp());
    expect(body).toEqual({ paths: [], paths_total: 0, is_approximate: false });
  });
});

/** Compares the requests of services with their histograms. @returns the number of whole hours among them */
async function expectServiceAgreement(groupBy: "service" | "all"): Promise<number> {
  const [fromSeconds, toSeconds] = [11, 13].map((hour) => Date.UTC(2026, 10, 20, hour) / 1000);
  const asked = {
    orgId: person.orgId,
    fromSeconds: fromSeconds!,
    toSeconds: toSeconds!,
    services: groupServices,
  };
  const rolled = await server.ctx.columns.query(rolledHoursOfServices, asked);
  const hours = rolled.map(({ hourSeconds }) => hourSeconds);
  const listed = { ...asked, groupBy, limit: 10 };
  const exact = await server.ctx.columns.query(exactServices, listed);
  const binned = await server.ctx.columns.query(binnedServices, { ...listed, hours });
  expect(exact.length).toBe(groupBy === "all" ? 1 : 2);
  const counts = ({ name, requests, errors }: (typeof exact)[number]) => [name, requests, errors];
  expect(binned.map(counts)).toEqual(exact.map(counts));
  for (const [at, { quantiles }] of exact.entries())
    expect(quantiles.every((value, level) => isNear(binned[at]!.quantiles[level]!, value))).toBe(true);
  return hours.length;
}

const groupServices = ["later", "search", "gateway"];

describe("requests of a project", () => {
  it("are listed by service, and together with the percentiles of all of them", async () => {
    await send(
      [{ ...request, duration: 2, path: "/search", timestamp: now - 10 * minute, request_id: "slowest" }],
      "search",
    );
    const created = await server.app.inject({
      method: "POST",
      url: "/api/v1/protected/projects",
      headers: person.headers,
      payload: { name: "Front", services: groupServices },
    });
    const path = `projects/${created.json().project.id}/requests`;
    const { status, body } = await get(path, { since: "1h" });
    expect(status).toBe(200);
    expect(body.is_approximate).toBe(false);
    expect(body.services).toMatchObject([
      { service: "gateway", count: 110, p95_duration: 0.95, error_rate: 5 / 110 },
      { service: "search", p95_duration: 2, error_rate: 0 },
    ]);
    const count = 110 + body.services[1].count;
    expect(body.total).toMatchObject({ count, error_rate: 5 / count, p95_duration: 0.96 });
    const { body: all } = await get("organization/requests", { since: "1h" });
    const { body: listed } = await get("http-metrics/paths", { since: "1h" });
    const counts = listed.paths.map(({ count }: { count: number }) => count);
    expect(all.total.count).toBe(counts.reduce((sum: number, each: number) => sum + each, 0));
    const none = await get(path, { from: "48h", to: "40h" });
    expect(none.body).toMatchObject({ services: [], total: { count: 0, p95_duration: null } });
    expect((await get(path, {}, await server.signUp())).status).toBe(404);
  });

  it("have the same counts from histograms, and nearly the same percentiles", async () => {
    for (const groupBy of ["service", "all"] as const) expect(await expectServiceAgreement(groupBy)).toBe(0);
  });
});

/** The points that have requests, by the time of day they begin. */
function busy(points: readonly HttpTimelinePoint[]) {
  return Object.fromEntries(
    points
      .filter(({ request_count }) => request_count > 0)
      .map(({ timestamp, ...fields }) => [timestamp.slice(11, 16), fields]),
  );
}

describe("the timeline of requests", () => {
  it("has a point for every five minutes of a day, and their summary", async () => {
    const { status, body } = await get("timeline/http/gateway");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      service: "gateway",
      interval_minutes: 5,
      interval_widened: false,
      is_approximate: false,
      from: "2026-11-19T12:00:00.000Z",
      to: "2026-11-20T12:05:00.000Z",
      complete_from: "2026-11-19T12:05:00.000Z",
      complete_to: "2026-11-20T12:00:00.000Z",
    });
    expect(body.data_points).toHaveLength(289);
    expect(busy(body.data_points)).toEqual({
      "11:40": {
        request_count: 100,
        avg_duration_ms: expect.closeTo(505, 6),
        p50_duration_ms: expect.closeTo(510, 6),
        p95_duration_ms: expect.closeTo(960, 6),
        p99_duration_ms: expect.closeTo(1000, 6),
        throughput_rps: 100 / 300,
        error_rate: 0.04,
      },
      // Not yet over: the rate may still rise, and is no peak.
      "12:00": {
        request_count: 10,
        avg_duration_ms: expect.closeTo(100, 6),
        p50_duration_ms: expect.closeTo(100, 6),
        p95_duration_ms: expect.closeTo(100, 6),
        p99_duration_ms: expect.closeTo(100, 6),
        throughput_rps: 10 / 300,
        error_rate: 0.1,
      },
    });
    expect(body.data_points[0]).toEqual({
      timestamp: "2026-11-19T12:00:00.000Z",
      request_count: 0,
      avg_duration_ms: null,
      p50_duration_ms: null,
      p95_duration_ms: null,
      p99_duration_ms: null,
      throughput_rps: 0,
      error_rate: null,
    });
    expect(body.summary).toEqual({
      total_requests: 110,
      avg_duration_ms: expect.closeTo((50_500 + 1000) / 110, 6),
      p95_duration_ms: expect.closeTo(950, 6),
      peak_throughput_rps: 100 / 300,
      overall_error_rate: 5 / 110,
      total_data_mb: null,
    });
  });

  it("ends where until says", async () => {
    const query = { since: "10m", until: "2026-11-20T11:45:00Z", interval: "1" };
    const { body } = await get("timeline/http/gateway", query);
    expect(body.data_points).toHaveLength(10);
    expect(Object.keys(busy(body.data_points))).toEqual(["11:41"]);
    expect(body.summary.peak_throughput_rps).toBe(100 / 60);
    const range = { from: "2026-11-20T11:35:00Z", to: "2026-11-20T11:45:00Z", interval: "1" };
    expect((await get("timeline/http/gateway", range)).body).toEqual(body);
  });

  it("has the requests of its range only, as the totals have", async () => {
    const range = { from: "2026-11-20T11:42:00Z", to: "2026-11-20T12:01:00Z" };
    const { body } = await get("timeline/http/gateway", { ...range, interval: "15" });
    const times = { from: "11:30", to: "12:15", complete_from: "11:45", complete_to: "12:00" };
    for (const [field, time] of Object.entries(times))
      expect([field, body[field].slice(11, 16)]).toEqual([field, time]);
    const { total } = (await get("http-metrics/service/gateway/aggregated", range)).body;
    expect([body.summary.total_requests, total.count]).toEqual([0, 0]);
    const earlier = { from: "2026-11-20T11:39:00Z", to: "2026-11-20T11:59:00Z" };
    const counts = [
      (await get("timeline/http/gateway", { ...earlier, interval: "15" })).body.summary.total_requests,
      (await get("http-metrics/service/gateway/aggregated", earlier)).body.total.count,
    ];
    expect(counts).toEqual([100, 100]);
    expect(
      (await get("timeline/http/gateway", { since: "20m", interval: "15" })).body.summary.total_requests,
    ).toBe(10);
  });

  it("has the requests by class of status if asked for", async () => {
    const { status, body } = await get("timeline/http/gateway", { include_statuses: "true" });
    expect(status).toBe(200);
    const none = { "2xx": 0, "3xx": 0, "4xx": 0, "5xx": 0, Other: 0 };
    expect(body.data_points[0].status_counts).toEqual(none);
    const counts = Object.entries(busy(body.data_points)).map(([at, { status_counts }]) => [
      at,
      status_counts,
    ]);
    expect(counts).toEqual([
      ["11:40", { ...none, "2xx": 96, "5xx": 4 }],
      ["12:00", { ...none, "2xx": 9, "4xx": 1 }],
    ]);
  });

  it("is of one method or path on request", async () => {
    const ofRoute = async (query: Record<string, string>) => {
      const { status, body } = await get("timeline/http/gateway", { include_statuses: "true", ...query });
      expect(status).toBe(200);
      return body;
    };
    const orders = await ofRoute({ method: "GET", path: "/orders" });
    expect(busy(orders.data_points)).toEqual({
      "11:40": expect.objectContaining({
        request_count: 100,
        p95_duration_ms: 960,
        error_rate: 0.04,
        status_counts: { "2xx": 96, "3xx": 0, "4xx": 0, "5xx": 4, Other: 0 },
      }),
    });
    expect(orders.summary).toMatchObject({ total_requests: 100, avg_duration_ms: expect.closeTo(505, 6) });
    const posts = await ofRoute({ method: "POST" });
    expect(posts.summary).toMatchObject({ total_requests: 10, overall_error_rate: 0.1 });
    expect(posts.data_points.at(-1).status_counts).toBeDefined();
    const none = await ofRoute({ method: "POST", path: "/orders" });
    expect(none.summary).toMatchObject({ total_requests: 0, p95_duration_ms: null });
  });

  it("is widened rather than longer than 11,000 points", async () => {
    const { body } = await get("timeline/http/gateway", { since: "30d", interval: "1" });
    expect(body).toMatchObject({ interval_minutes: 5, interval_widened: true });
    expect(body.summary.total_requests).toBe(111);
  });
});

describe("histograms", () => {
  const range = () => ({
    orgId: person.orgId,
    service: "gateway",
    fromSeconds: Date.UTC(2026, 10, 19, 5, 30) / 1000,
    toSeconds: Date.UTC(2026, 10, 20, 13) / 1000,
  });

  it("give the same counts as the single requests, and nearly the same percentiles", async () => {
    const asked = { ...range(), bucketSeconds: 300, method: "", path: "" };
    const [exact, binned, ofRoutes] = await Promise.all([
      server.ctx.columns.query(exactQuantiles, asked),
      server.ctx.columns.query(binnedQuantiles, asked),
      server.ctx.columns.query(routeQuantiles, asked),
    ]);
    const byStart = (all: typeof binned) => all.toSorted((a, b) => a.start - b.start);
    expect(byStart(ofRoutes)).toEqual(byStart(binned));
    expect(exact.map(({ start }) => start)).toContain(0);
    expect(exact).toHaveLength(4);
    for (const { start, quantiles } of exact) {
      const other = binned.find((each) => each.start === start)!.quantiles;
      const near = quantiles.map((value, level) => isNear(other[level]!, value));
      expect([start, near]).toEqual([start, [true, true, true]]);
    }
  });

  const groupings = ["path", "method", "status", "all"] as const;

  async function expectAgreement(groupBy: (typeof groupings)[number], hours: number[]) {
    const asked = { ...range(), groupBy, limit: 1000 };
    const [exact, binned] = await Promise.all([
      server.ctx.columns.query(exactGroups, asked),
      server.ctx.columns.query(binnedGroups, { ...asked, hours }),
    ]);
    expect(exact.length).toBeGreaterThan(0);
    expect(binned.map(({ name, requests, errors }) => [name, requests, errors])).toEqual(
      exact.map(({ name, requests, errors }) => [name, requests, errors]),
    );
    for (const [index, { name, quantiles, seconds }] of exact.entries()) {
      expect(binned[index]!.seconds).toBeCloseTo(seconds, 9);
      const near = quantiles.map((value, level) => isNear(binned[index]!.quantiles[level]!, value));
      expect([name, near]).toEqual([name, [true, true]]);
    }
  }

  const hoursNow = async () =>
    (await server.ctx.columns.query(rolledHours, range())).map(({ hourSeconds }) => hourSeconds).toSorted();

  it("give the same groups by path, method and status from minutes and hours, including late requests", async () => {
    expect(await hoursNow()).toEqual([]);
    for (const groupBy of groupings) await expectAgreement(groupBy, []);
    await server.ctx.columns.maintenance.rollUp(new Date(now + 70 * minute));
    const [old, eleven, twelve] = [6, 35, 36].map((hour) => Date.UTC(2026, 10, 19) / 1000 + 3600 * hour);
    expect(await hoursNow()).toEqual([old, eleven, twelve]);
    for (const groupBy of groupings) await expectAgreement(groupBy, await hoursNow());
    await expectPathsAgreement([eleven!, twelve!]);

    const late = {
      ...request,
      status_code: 500,
      timestamp: Date.UTC(2026, 10, 20, 11, 5),
      request_id: "late",
    };
    await send([late]);
    expect(await hoursNow()).toEqual([old, twelve]);
    await expectPathsAgreement([twelve!]);
    for (const groupBy of groupings) await expectAgreement(groupBy, await hoursNow());
    await server.ctx.columns.maintenance.rollUp(new Date(now + 70 * minute));
    expect(await hoursNow()).toEqual([old, eleven, twelve]);
    for (const groupBy of groupings) await expectAgreement(groupBy, await hoursNow());
  });
});

it("histograms of hours and minutes agree with the requests of several services", async () => {
  for (const groupBy of ["service", "all"] as const) expect(await expectServiceAgreement(groupBy)).toBe(2);
});

describe("calls about HTTP metrics", () => {
  const calls = ["", "/errors", "/aggregated", "/paths"].map((call) => `http-metrics/service/X${call}`);

  it("answer an unknown service and another organization's with nothing", async () => {
    const stranger = await server.signUp();
    for (const [service, as] of [["nobody", person] as const, ["gateway", stranger] as const]) {
      for (const call of calls) {
        const { status, body } = await get(call.replace("X", service), { path: "/orders" }, as);
        expect([call, status]).toEqual([call, 200]);
        expect(body.metrics ?? body.errors ?? body.aggregations).toEqual([]);
        if (body.total !== undefined) expect(body.total).toMatchObject({ count: 0, p95_duration: null });
      }
      const { body } = await get(`timeline/http/${service}`, {}, as);
      expect(busy(body.data_points)).toEqual({});
      expect(body.summary).toMatchObject({
        total_requests: 0,
        p95_duration_ms: null,
        overall_error_rate: null,
      });
    }
  });

  it.each([
    ["http-metrics/service/gateway", { limit: "0" }, "limit"],
    ["http-metrics/service/gateway", { limit: "1001" }, "limit"],
    ["http-metrics/service/gateway/aggregated", { group_by: "host" }, "group_by"],
    ["http-metrics/service/gateway/aggregated", { since: "1w" }, "since must be a span of time"],
    ["http-metrics/service/gateway/errors", { since: "x" }, "since must be a span of time"],
    ["http-metrics/service/gateway/paths", {}, "path is required"],
    ["http-metrics/service/gateway/paths", { path: "/".repeat(2049) }, "'path' must have at most 2048"],
    ["timeline/http/gateway", { interval: "0" }, "interval"],
    ["timeline/http/gateway", { interval: "1.5" }, "interval"],
    ["timeline/http/gateway", { until: "tomorrow" }, "until must be a span back from now"],
    ["timeline/http/gateway", { until: "1970-01-02" }, "The range is empty"],
  ])("refuse %s %j with words", async (path, query, words) => {
    const { status, body } = await get(path, query as unknown as Record<string, string>);
    expect([status, body.code]).toEqual([400, "invalid"]);
    expect(body.error).toContain(words);
  });
});
