import type { ServiceTrend } from "@flamekeep/contract";
import { expect, it } from "vitest";
import { cpuLanes, type GroupReplies, groupTotals, serviceRows } from "./model.ts";

function trend(name: string, cores: number | null, more: Partial<ServiceTrend> = {}): ServiceTrend {
  const cpu = { points: [cores, null], current: cores, previous: cores === null ? null : 1 };
  return { name, health: "healthy", silent_since: null, open_alerts: 0, worst_alert: null, cpu, ...more };
}

function trendsOf(...services: ServiceTrend[]): GroupReplies["trends"] {
  const [from, to] = ["2026-11-20T10:00:00.000Z", "2026-11-20T10:10:00.000Z"];
  return {
    from,
    to,
    bucket_seconds: 300,
    services,
    next_cursor: null,
    open_alerts: 0,
    services_with_alerts: 0,
  };
}

const all = { count: 4, avg_duration: 1, p95_duration: 2, p99_duration: 3, error_rate: 0.25 };
const replies: GroupReplies = {
  trends: trendsOf(
    trend("cart", 1),
    trend("checkout", 3, { health: "critical", open_alerts: 2 }),
    trend("elsewhere", 9, { open_alerts: 5 }),
    trend("stock", null, { silent_since: "2026-11-20T09:00:00.000Z" }),
  ),
  figures: {
    services: [
      { service: "cart", memory_bytes: 100, goroutines: 1 },
      { service: "checkout", memory_bytes: 50, goroutines: null },
      { service: "later", memory_bytes: null, goroutines: null },
      { service: "stock", memory_bytes: null, goroutines: null },
    ],
  },
  requests: { services: [{ service: "cart", ...all }], total: all, is_approximate: false },
};
const services = ["later", "stock", "cart", "checkout"];

it("a service that sends goroutine profiles alone has data", () => {
  const figures = { services: [{ service: "later", memory_bytes: null, goroutines: 3 }] };
  const rows = serviceRows(["later"], { ...replies, figures });
  expect(rows.map(({ hasData }) => hasData)).toEqual([true]);
});

it("services come with the most cores first, and without CPU by name", () => {
  const rows = serviceRows(services, replies);
  expect(rows.map(({ service, cores, share, change }) => [service, cores, share, change])).toEqual([
    ["checkout", 3, 0.75, 2],
    ["cart", 1, 0.25, 0],
    ["later", null, undefined, undefined],
    ["stock", null, undefined, undefined],
  ]);
  expect(rows.map(({ memory, p95, errors }) => [memory, p95, errors])).toEqual([
    [50, null, null],
    [100, 2, 25],
    [null, null, null],
    [null, null, null],
  ]);
  // A silent service has sent something.
  expect(rows.filter(({ hasData }) => hasData === false).map(({ service }) => service)).toEqual(["later"]);
});

it("a group adds up cores, memory and alerts of its own services", () => {
  const rows = serviceRows(services, replies);
  expect(groupTotals(rows, replies.requests)).toEqual({
    cores: 4,
    change: 1,
    alerts: 2,
    unhealthy: 2,
    memory: 150,
    requests: all,
  });
});

it("figures are unknown until read, and missing where they could not be read", () => {
  const unread = serviceRows(["cart"], { ...replies, figures: undefined, requests: undefined });
  expect(groupTotals(unread, undefined)).toMatchObject({ memory: undefined, requests: undefined });
  const failed = serviceRows(["cart"], { ...replies, figures: null, requests: null });
  expect(groupTotals(failed, null)).toMatchObject({ memory: null, requests: null, cores: 1 });
});

it.each([
  ["figures", "read", undefined],
  ["figures", "answered", null],
  ["requests", "read", undefined],
  ["requests", "answered", null],
] as const)("whether a service without CPU has data is unknown if its %s are not %s", (name, _, reply) => {
  const rows = serviceRows(services, { ...replies, [name]: reply });
  expect(rows.find(({ service }) => service === "later")?.hasData).toBeUndefined();
});

it("a change compares the services with CPU in both ranges", () => {
  const started = trend("cart", 1);
  const isNew = { ...started.cpu, previous: null };
  const trends = trendsOf(trend("checkout", 1), { ...started, cpu: isNew });
  const totalsOf = (names: string[]) => groupTotals(serviceRows(names, { ...replies, trends }), null);
  expect(totalsOf(["cart", "checkout"])).toMatchObject({ cores: 2, change: 0 });
  expect(totalsOf(["cart"])).toMatchObject({ cores: 1, change: undefined });
});

it("lanes are the services with the most CPU, and all others as one", () => {
  const many = Array.from({ length: 12 }, (_, at) => trend(`s${at}`, 12 - at));
  const trends = trendsOf(...many);
  const rows = serviceRows(
    many.map(({ name }) => name),
    { ...replies, trends },
  );
  const lanes = cpuLanes(rows, trends);
  expect(lanes.map(({ label }) => label)).toEqual([...many.slice(0, 8).map(({ name }) => name), "4 others"]);
  expect(lanes.at(-1)).toMatchObject({
    values: [4 + 3 + 2 + 1, null],
    bucketMs: 300_000,
    timesMs: [Date.parse(trends.from), Date.parse(trends.from) + 300_000],
  });
  expect(cpuLanes(rows.slice(0, 9), trends)).toHaveLength(9);
  expect(cpuLanes([], trends)).toEqual([]);
});
