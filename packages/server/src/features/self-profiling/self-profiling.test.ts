import { setImmediate as nextTurn } from "node:timers/promises";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Config, readConfig } from "#config";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { prepareRecording, registerSelfProfiling } from "./job.ts";
import { RequestSample } from "./request-sample.ts";

const never = new AbortController().signal;
const noUploads = () => Promise.reject(new Error("Nothing may be sent."));

describe("a server that profiles itself", () => {
  let server: TestApp;
  let person: Person;
  beforeAll(async () => {
    server = await startApp();
    person = await server.signUp();
  });
  afterAll(() => server.close());

  function withKey(key: string) {
    return { ...server.ctx, config: { ...server.ctx.config, selfProfiling: { key } } };
  }

  async function get(path: string) {
    const url = `/api/v1/protected/${path}`;
    return (await server.app.inject({ method: "GET", url, headers: person.headers })).json();
  }

  it("stores its profiles and requests as a service, through its own endpoints", async () => {
    const { id, key } = await server.makeKey(person);
    const app = await server.createApp();
    const { record, close } = prepareRecording(app, withKey(key), noUploads);
    await app.inject({ method: "GET", url: "/api/v1/protected/profiles/service/nowhere" });
    await app.inject({ method: "GET", url: "/nowhere" });
    // V8 samples the memory in use about every half megabyte: enough of it is taken and kept until all is recorded.
    const kept: number[][] = [];
    let isRecorded = false;
    const recording = record(300, never).finally(() => {
      isRecorded = true;
    });
    while (!isRecorded) {
      await app.inject({ method: "GET", url: "/healthz" });
      if (kept.length < 1000) kept.push(Array.from({ length: 10_000 }, Number));
      await nextTurn();
    }
    await recording;
    close();
    await app.close();

    const { profiles } = await get("profiles?service=flamekeep&limit=100");
    const types = profiles.map(({ type }: { type: string }) => type);
    expect(types.toSorted()).toEqual(["cpu", "custom", "memory", "metrics"]);
    expect(profiles[0].tags).toMatchObject({ version: server.ctx.version });
    const cpu = JSON.stringify(await get("flamegraph/service/flamekeep/cpu?since=1h"));
    expect(cpu).toContain("node_modules/fastify/");
    expect(cpu).not.toContain(process.cwd());
    const delays = await get("flamegraph/service/flamekeep/custom?since=1h");
    expect(delays.sample_type).toEqual({ type: "event_loop_delay_p99", unit: "nanoseconds" });
    const { paths } = await get("http-metrics/paths?since=1h");
    const names = paths.map(({ path }: { path: string }) => path);
    expect(names).toContain("/api/v1/protected/profiles/service/{service}");
    expect(JSON.stringify(names)).not.toContain("nowhere");
    const { api_keys } = await get("api-keys");
    const used = api_keys.find((each: { id: string }) => each.id === id);
    expect(used.last_used_at).not.toBeNull();
  });

  it("fails with the reason of the endpoint if the key is not accepted", async () => {
    const { key } = await server.makeKey(person, "reader", "read");
    const app = await server.createApp();
    const { record, close } = prepareRecording(app, withKey(key), noUploads);
    await expect(record(1, never)).rejects.toThrow("read-only");
    close();
    await app.close();
  });

  it("sends nothing when it stops", async () => {
    const app = await server.createApp();
    const context = { ...withKey(""), config: { ...server.ctx.config, selfProfiling: { key: undefined } } };
    const demo = { orgId: person.orgId };
    const { record, close } = prepareRecording(app, { ...context, demo }, noUploads);
    await record(10_000, AbortSignal.abort());
    close();
    await app.close();
  });
});

describe("the setting", () => {
  const selfProfilingOf = (env: Record<string, string>) => readConfig(env).selfProfiling;
  const key = `fk_${"0".repeat(55)}`;

  it("is on in the demo alone, unless it has a key", () => {
    expect(selfProfilingOf({})).toEqual({ key: undefined });
    expect(selfProfilingOf({ DEMO: "off" })).toBeUndefined();
    expect(selfProfilingOf({ SELF_PROFILING_KEY: "off" })).toBeUndefined();
    const hexKey = "0123456789abcdef0123456789abcdef";
    expect(selfProfilingOf({ DEMO: "off", SELF_PROFILING_KEY: hexKey })).toEqual({ key: hexKey });
  });

  it("refuses a key that was not copied as a whole, without printing it", () => {
    const reading = () => readConfig({ SELF_PROFILING_KEY: key });
    expect(reading).toThrow("SELF_PROFILING_KEY must be auto, off, or a complete API key");
    expect(reading).not.toThrow(key);
  });

  it("adds nothing to the server where it is off", () => {
    const app = Fastify();
    const addHook = vi.spyOn(app, "addHook");
    const config = (selfProfiling: Config["selfProfiling"]) =>
      ({ config: { selfProfiling } }) as Parameters<typeof registerSelfProfiling>[1];
    registerSelfProfiling(app, config(undefined), noUploads);
    expect(addHook).not.toHaveBeenCalled();
    registerSelfProfiling(app, config({ key }), noUploads);
    expect(addHook).toHaveBeenCalled();
  });
});

it("of too many requests, a sample is taken in which all have a place", () => {
  let turn = 0;
  const sample = new RequestSample(() => (turn++ % 10) / 10);
  const request = { timestamp: 0, status_code: 200, method: "GET", path: "/" };
  for (let i = 0; i < 24_000; i++) sample.add({ ...request, duration: i });
  const durations = sample.take().map(({ duration }) => duration);
  expect(durations.length).toBe(12_000);
  expect(Math.max(...durations)).toBeGreaterThan(22_000);
  expect(Math.min(...durations)).toBeLessThan(100);
  expect(sample.take()).toEqual([]);
});
