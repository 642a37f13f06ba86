import { gzipSync } from "node:zlib";
import { writeProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

const mb = 2 ** 20;
const now = Date.UTC(2026, 10, 20, 12, 30);
const hour = 3_600_000;

let server: TestApp;
let person: Person;
let keyHeaders: Record<string, string>;

beforeAll(async () => {
  server = await startApp({ hasSeparateColumns: true, at: new Date(now).toISOString() });
  person = await server.signUp();
  keyHeaders = (await server.makeKey(person)).headers;
  // 30 CPU profiles two hours apart: 1% to 30% of a core; the last is within the first hour of 60h.
  for (let n = 0; n < 30; n++) await sendCpu("checkout", now - 2 * n * hour - 60_000, (30 - n) * 1e8);
  await sendCpu("search", now - 200 * hour, 9e9);
  await sendHeap(now - hour, 100, 40);
  await sendHeap(now - 2 * hour, 300, 20);
  await sendHttp();
});
afterAll(() => server.close());

async function post(path: string, query: Record<string, string>, payload: Buffer | object[]) {
  const url = `/api/v1/ingest/${path}`;
  const reply = await server.app.inject({ method: "POST", url, query, headers: keyHeaders, payload });
  expect(reply.statusCode).toBe(200);
}

function sendCpu(service: string, at: number, cpuNs: number) {
  const profile = profileOf(`main\n10,${cpuNs}`, {
    sampleTypes: ["samples/count", "cpu/nanoseconds"],
    durationNs: 10_000_000_000n,
  });
  const query = { service, started_at: new Date(at).toISOString() };
  return post("profiles", query, gzipSync(writeProfile(profile)));
}

function sendHeap(at: number, inUseMb: number, allocatedMb: number) {
  const profile = profileOf(`main\n${allocatedMb * mb},${inUseMb * mb}`, {
    sampleTypes: ["alloc_space/bytes", "inuse_space/bytes"],
    durationNs: 10_000_000_000n,
  });
  const query = { service: "checkout", type: "memory", started_at: new Date(at).toISOString() };
  return post("profiles", query, gzipSync(writeProfile(profile)));
}

function sendHttp() {
  const request = { duration: 0.1, status_code: 200, method: "GET", path: "/", request_id: "r" };
  return post("http-metrics", { service: "gateway" }, [
    { ...request, timestamp: new Date(now - hour).toISOString() },
  ]);
}

async function get(path: string, query: Record<string, string> = {}, as = person) {
  const url = `/api/v1/protected/${path}`;
  const reply = await server.app.inject({ method: "GET", url, query, headers: as.headers });
  return { status: reply.statusCode, summary: reply.json().summary, body: reply.json() };
}

describe("the summary of an organization", () => {
  it("counts profiles by time, type and service, and says how they performed", async () => {
    const { status, summary } = await get("summary");
    expect(status).toBe(200);
    expect(summary).toEqual({
      total_profiles: 33,
      total_services: 2,
      recent_activity: { last_24_hours: 15, last_7_days: 33, last_30_days: 34 },
      recent_metric_batches: { last_24_hours: 1, last_7_days: 1, last_30_days: 1 },
      profiles_by_type: { cpu: 30, memory: 2, goroutine: 0, mutex: 0, metrics: 1 },
      time_range: {
        earliest: "2026-11-18T02:29:00.000Z",
        latest: "2026-11-20T12:29:00.000Z",
        duration_days: 58 / 24,
      },
      top_services: [
        {
          name: "checkout",
          profile_count: 32,
          last_activity: "2026-11-20T12:29:00.000Z",
          profiles_by_type: { cpu: 30, memory: 2 },
        },
        {
          name: "gateway",
          profile_count: 1,
          last_activity: "2026-11-20T11:30:00.000Z",
          profiles_by_type: { metrics: 1 },
        },
      ],
      generated_at: "2026-11-20T12:30:00.000Z",
      performance_metrics: {
        cpu: {
          avg_cpu_percent: expect.closeTo(15.5, 9),
          p95_cpu_percent: expect.closeTo(29, 0),
          peak_cpu_percent: expect.closeTo(30, 9),
          avg_duration_ms: 10_000,
          total_samples: 300,
          seconds_per_request: null,
        },
        memory: {
          avg_heap_in_use_mb: 200,
          peak_heap_in_use_mb: 300,
          avg_heap_alloc_mb: 30,
          p95_heap_alloc_mb: expect.closeTo(40, 0),
          peak_heap_alloc_mb: 40,
        },
      },
    });
  });

  it("of services is the same", async () => {
    expect((await get("summary/services")).summary).toEqual((await get("summary")).summary);
  });

  it("is the same from profiles and from hours that are rolled up", async () => {
    const ranges = ["60m", "24h", "60h", "720h"];
    const summaries = () =>
      Promise.all(ranges.map(async (since) => (await get("summary", { since })).summary));
    const before = await summaries();
    expect(before[1].performance_metrics).toMatchObject({
      cpu: expect.anything(),
      memory: { avg_heap_alloc_mb: 30, peak_heap_in_use_mb: 300 },
    });
    await server.ctx.columns.maintenance.rollUp(server.ctx.now());
    // Nothing goes, and what the server remembers of today is forgotten.
    await server.ctx.columns.maintenance.removeService({ orgId: person.orgId, service: "nobody" });
    expect(await summaries()).toEqual(before);
  });

  it.each([
    // Profiles lie a minute before each even hour back, so that the range cuts an hour in two.
    ["61m", 3, 1, { avg_cpu_percent: 30, total_samples: 10 }],
    ["1h", 3, 1, { avg_cpu_percent: 30, total_samples: 10 }],
    ["119m", 3, 1, { avg_cpu_percent: 30, total_samples: 10 }],
    ["121m", 5, 2, { avg_cpu_percent: expect.closeTo(29.5, 9), total_samples: 20 }],
    ["24h", 15, 12, { avg_cpu_percent: expect.closeTo(24.5, 9), total_samples: 120 }],
    // A fourteenth profile lies in the hour in which the range begins, before it.
    ["26h", 16, 13, { avg_cpu_percent: expect.closeTo(24, 9), total_samples: 130 }],
  ])("since %s begins at the minute, as lists of profiles do", async (since, total, cpuProfiles, cpu) => {
    const { summary } = await get("summary", { since });
    expect(summary.total_profiles).toBe(total);
    expect(summary.profiles_by_type.cpu).toBe(cpuProfiles);
    expect(summary.performance_metrics.cpu).toMatchObject(cpu);
    expect(summary.recent_activity.last_24_hours).toBe(15);
  });

  it.each([
    // The start of a range is included, its end is not.
    [{ from: "241m", to: "60m" }, 2],
    [{ from: "2026-11-20T08:29:00Z", to: "2026-11-20T10:29:00Z" }, 1],
    [{ from: "2026-11-20T08:29:00Z", to: "2026-11-20T10:30:00Z" }, 2],
    [{ from: "24h" }, 12],
    [{ from: "25h", to: "1m" }, 12],
  ])("of %j holds the profiles of that range", async (query, cpuProfiles) => {
    const { summary } = await get("summary", query as Record<string, string>);
    expect(summary.profiles_by_type.cpu).toBe(cpuProfiles);
    expect(summary.performance_metrics.cpu.total_samples).toBe(10 * cpuProfiles);
    expect(summary.recent_activity.last_24_hours).toBe(15);
  });

  it("counts late profiles, and repeated ones once", async () => {
    const late = () => sendCpu("late", now - 3 * 24 * hour, 5e9);
    await late();
    await late();
    const { summary } = await get("summary/service/late");
    expect(summary).toMatchObject({
      total_profiles: 1,
      total_services: 1,
      profiles_by_type: { cpu: 1 },
      performance_metrics: { cpu: { avg_cpu_percent: 50, peak_cpu_percent: 50, p95_cpu_percent: 50 } },
    });
  });
});

describe("the summary of a service", () => {
  it("has no percentile above the peak, whatever a histogram rounds", async () => {
    await sendCpu("odd", now - 5 * hour, 1_234_567_891);
    const { cpu } = (await get("summary/service/odd")).summary.performance_metrics;
    expect(cpu.peak_cpu_percent).toBe(12.34567891);
    expect(cpu.p95_cpu_percent).toBeCloseTo(12.34567891, 5);
    expect(cpu.p95_cpu_percent).toBeLessThanOrEqual(cpu.peak_cpu_percent);
  });

  it("holds that service alone", async () => {
    const { summary } = await get("summary/service/search", { since: "720h" });
    expect(summary).toMatchObject({
      total_profiles: 1,
      recent_activity: { last_24_hours: 0, last_7_days: 0, last_30_days: 1 },
      top_services: [{ name: "search", profile_count: 1 }],
      performance_metrics: { cpu: { peak_cpu_percent: 90 }, memory: null },
    });
  });

  it("divides CPU time by the requests answered meanwhile, as a comparison does", async () => {
    const started = now - 10 * 60_000;
    await sendCpu("shop", started, 4e8);
    const atMs = (n: number) => new Date(started + 100 * n).toISOString();
    const request = { duration: 0.1, status_code: 200, method: "GET", path: "/", request_id: "r" };
    const requests = Array.from({ length: 80 }, (_, n) => ({ ...request, timestamp: atMs(n) }));
    await post("http-metrics", { service: "shop" }, requests);
    const range = { from: "2026-11-20T12:10:00Z", to: "2026-11-20T12:30:00Z" };
    const { cpu } = (await get("summary/service/shop", range)).summary.performance_metrics;
    expect(cpu.seconds_per_request).toBeCloseTo(0.005, 9);
    const both = { before_from: range.from, before_to: range.to, after_from: range.from, after_to: range.to };
    const { body } = await get("flamegraph/diff", { service: "shop", type: "cpu", ...both });
    expect(body.normalisation.per).toBe("request");
    expect(body.before.total / body.normalisation.before_divisor / 1e9).toBeCloseTo(0.005, 9);
    const all = (await get("summary", range)).summary.performance_metrics;
    expect(all.cpu.seconds_per_request).toBeNull();
  });

  it("that is unknown, or another organization's, is empty", async () => {
    const stranger = await server.signUp();
    for (const [path, as] of [
      ["summary/service/nobody", person] as const,
      ["summary/service/checkout", stranger] as const,
      ["summary", stranger] as const,
    ]) {
      const { status, summary } = await get(path, {}, as);
      expect([path, status]).toEqual([path, 200]);
      expect(summary).toEqual({
        total_profiles: 0,
        total_services: 0,
        recent_activity: { last_24_hours: 0, last_7_days: 0, last_30_days: 0 },
        recent_metric_batches: { last_24_hours: 0, last_7_days: 0, last_30_days: 0 },
        profiles_by_type: { cpu: 0, memory: 0, goroutine: 0, mutex: 0, metrics: 0 },
        time_range: { earliest: null, latest: null, duration_days: 0 },
        top_services: [],
        generated_at: "2026-11-20T12:30:00.000Z",
        performance_metrics: { cpu: null, memory: null },
      });
    }
  });

  it.each(["yesterday", "0h", "9999d"])("refuses since=%s with words", async (since) => {
    const { status, body } = await get("summary/service/checkout", { since });
    expect(status).toBe(400);
    expect(body.error).toMatch(/^since must be a span of time/);
  });
});
