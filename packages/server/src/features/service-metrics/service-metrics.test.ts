import { limits } from "@flamekeep/contract";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Person, startApp, type TestApp, type TestKey } from "#testing/start-app.ts";

const at = "2026-11-20T12:00:30.000Z";
let server: TestApp;
let ada: Person;
let ingest: TestKey;
let key: TestKey;
beforeAll(async () => {
  server = await startApp({ at });
  ada = await server.signUp();
  ingest = await server.makeKey(ada, "sender");
  key = await server.makeKey(ada, "prometheus", "read");
});
afterAll(() => server.close());

async function send(
  type: string,
  sampleTypes: string[],
  values: string,
  more: Record<string, string> = {},
  {
    agoMs = 60_000,
    durationNs = type === "cpu" || type === "mutex" ? 10_000_000_000n : 0n,
  }: { agoMs?: number; durationNs?: bigint } = {},
) {
  const started_at = String(Date.parse(at) - agoMs);
  const profile = profileOf(`main\n${values}`, {
    sampleTypes,
    durationNs,
  });
  await server.send(profile, {
    headers: ingest.headers,
    query: { service: "shop", type, started_at, ...more },
  });
}

const scrape = async (headers: Record<string, string> = key.headers) =>
  server.app.inject({ method: "GET", url: "/metrics/services", headers });

test("figures of the last five minutes, by service, type and version", async () => {
  const version = { "tag.version": '1"4\\2' };
  await send("cpu", ["cpu/nanoseconds"], "5000000000", version);
  await send("cpu", ["cpu/nanoseconds"], "2500000000", version, { agoMs: 90_000 });
  await send("cpu", ["cpu/nanoseconds"], "9000000000", version, { agoMs: 600_000 });
  await send("memory", ["inuse_space/bytes"], "1000");
  await send("memory", ["inuse_space/bytes"], "2001", {}, { agoMs: 90_000 });
  await send("goroutine", ["goroutine/count"], "12");
  await send("mutex", ["contentions/count", "delay/nanoseconds"], "3,1000000000", { delta: "true" });
  const reply = await scrape();
  expect([reply.statusCode, reply.headers["content-type"]]).toEqual([
    200,
    expect.stringMatching(/^text\/plain/),
  ]);
  const lines = reply.body.trimEnd().split("\n");
  expect(lines.filter((line) => !line.startsWith("#"))).toEqual([
    'flamekeep_service_cpu_cores{service="shop",type="cpu",version="1\\"4\\\\2"} 0.375',
    'flamekeep_service_heap_bytes{service="shop",type="memory",version=""} 1500.5',
    'flamekeep_service_goroutines{service="shop",type="goroutine",version=""} 12',
    'flamekeep_service_lock_wait_seconds_per_second{service="shop",type="mutex",version=""} 0.1',
    'flamekeep_service_profiles{service="shop",type="cpu",version="1\\"4\\\\2"} 2',
    'flamekeep_service_profiles{service="shop",type="memory",version=""} 2',
    'flamekeep_service_profiles{service="shop",type="goroutine",version=""} 1',
    'flamekeep_service_profiles{service="shop",type="mutex",version=""} 1',
    "flamekeep_service_metrics_truncated 0",
  ]);
  for (const name of new Set(lines.map((line) => /^flamekeep\w+/.exec(line)?.[0]).filter(Boolean)))
    expect(
      lines.filter((line) => line.startsWith(`# HELP ${name} `) || line === `# TYPE ${name} gauge`),
    ).toHaveLength(2);
  expect(limits.serviceMetricSeriesMax).toBe(2000);
});

test("lock waits without durations are divided by the instances and the time; those with one count alone", async () => {
  const types = ["contentions/count", "delay/nanoseconds"];
  const pulled = { service: "pulled", delta: "true" };
  // The window began 4.5 minutes ago.
  for (const instance of ["a", "b"])
    await send("mutex", types, "3,270000000000", { ...pulled, "tag.instance": instance }, { durationNs: 0n });
  const mixed = { service: "mixed", delta: "true" };
  await send("mutex", types, "3,270000000000", mixed, { durationNs: 0n });
  await send("mutex", types, "3,2000000000", mixed, { agoMs: 90_000 });
  const lines = (await scrape()).body
    .split("\n")
    .filter((line) => /_lock_wait\w+\{service="(pulled|mixed)"/.test(line));
  expect(lines.sort().map((line) => line.replace(/,type.*\}/, ""))).toEqual([
    'flamekeep_service_lock_wait_seconds_per_second{service="mixed" 0.2',
    'flamekeep_service_lock_wait_seconds_per_second{service="pulled" 1',
  ]);
});

test("a service with both names of a goroutine profile has one line", async () => {
  await send("goroutine", ["goroutine/count"], "10", { service: "both" });
  await send("goroutine", ["goroutines/count"], "20", { service: "both" }, { agoMs: 90_000 });
  const lines = (await scrape()).body.split("\n").filter((line) => line.includes('{service="both"'));
  expect(lines).toEqual([
    'flamekeep_service_goroutines{service="both",type="goroutine",version=""} 15',
    'flamekeep_service_profiles{service="both",type="goroutine",version=""} 2',
  ]);
});

test("a key of another organization sees nothing, and one that sends is refused", async () => {
  const eve = await server.signUp();
  const other = await server.makeKey(eve, "eve", "read");
  const { body } = await scrape(other.headers);
  expect(body.split("\n").filter((line) => line !== "" && !line.startsWith("#"))).toEqual([
    "flamekeep_service_metrics_truncated 0",
  ]);
  expect((await scrape({ authorization: `Bearer ${key.key}` })).statusCode).toBe(200);
  expect((await scrape(ingest.headers)).json().error).toMatch(/scope read/);
  expect((await scrape({})).statusCode).toBe(401);
});
