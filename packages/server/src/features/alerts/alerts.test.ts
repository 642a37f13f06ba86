import type { Alert } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { writeProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JobLog } from "#store/job-log.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { runAlerts } from "./job.ts";

const at = "2026-11-20T12:00:00.000Z";
const api = "/api/v1/protected";
const lease = { name: "alerts", holder: "this test", lastsMs: 60_000 };

let server: TestApp;
let ada: Person;
let send: (service: string, startedMs: number, profile: Uint8Array, type: string) => Promise<void>;

beforeAll(async () => {
  server = await startApp({ at });
  ada = await server.signUp();
  const { headers } = await server.makeKey(ada);
  send = async (service, startedMs, profile, type) => {
    const query = { service, type, started_at: new Date(startedMs).toISOString(), "tag.env": "production" };
    await server.send(profile, { headers, query });
  };
});
afterAll(() => server.close());

/** An access token lasts fifteen minutes. */
async function signInAgain(): Promise<void> {
  const payload = { email: ada.email, password: ada.password };
  const reply = await server.app.inject({ method: "POST", url: "/auth/login", payload });
  expect(reply.statusCode).toBe(200);
  ada = { ...ada, headers: { authorization: `Bearer ${reply.json().tokens.access_token}` } };
}

/** Ten seconds of CPU: `encode` as given, 200 ms of `query`; a little more or less by `wobble`. */
function cpu(encodeMs: number, wobble: number): Uint8Array {
  const ns = (ms: number) => Math.round(ms * 1e6 * (1 + wobble / 100));
  return writeProfile(
    profileOf(
      `
      main                main
      encode              query
      ${ns(encodeMs)}     ${ns(200)}`,
      { sampleTypes: ["cpu/nanoseconds"], durationNs: 10_000_000_000n },
    ),
  );
}

/** Delay of a window of ten seconds: parked in a select, and waiting for a lock. */
function block(parkedMs: number, lockedMs: number): Uint8Array {
  return writeProfile(
    profileOf(
      `
      main               main
      worker             handle
      runtime.selectgo   sync.(*Mutex).Lock
      ${parkedMs * 1e6}  ${lockedMs * 1e6}`,
      { sampleTypes: ["delay/nanoseconds"], durationNs: 10_000_000_000n },
    ),
  );
}

async function get(path: string, query: Record<string, string> = {}, as = ada) {
  const reply = await server.app.inject({ method: "GET", url: `${api}${path}`, query, headers: as.headers });
  return { status: reply.statusCode, body: reply.json() };
}

async function end(id: string, as = ada) {
  const url = `${api}/alerts/mutes/${id}`;
  const reply = await server.app.inject({ method: "DELETE", url, headers: as.headers });
  return { status: reply.statusCode, body: reply.json() };
}

async function post(path: string, payload: object, as = ada) {
  const reply = await server.app.inject({
    method: "POST",
    url: `${api}${path}`,
    payload,
    headers: as.headers,
  });
  return { status: reply.statusCode, body: reply.json() };
}

const alertsOf = async (query: Record<string, string> = {}, as = ada): Promise<Alert[]> =>
  (await get("/alerts", query, as)).body.alerts;

describe("a service that got worse", () => {
  const nowMs = Date.parse(at);
  const minutes = (from: number, to: number) =>
    Array.from({ length: (to - from) / 2 }, (_, index) => nowMs + (from + 2 * index) * minuteMs);

  beforeAll(async () => {
    for (const [index, ms] of minutes(-90, 0).entries()) {
      const wobble = (index % 5) - 2;
      const isWorse = ms >= nowMs - 30 * minuteMs;
      await Promise.all([
        send("checkout", ms, cpu(isWorse ? 260 : 100, wobble), "cpu"),
        send("steady", ms, cpu(100, wobble), "cpu"),
        // Twice as many idle workers, and not a bit more contention.
        send("workers", ms, block((isWorse ? 20_000 : 10_000) + index, 500 + wobble), "block"),
        send("contended", ms, block(10_000 + index, (isWorse ? 900 : 500) + wobble), "block"),
      ]);
    }
  });

  it("has one alert with the numbers of its profiles and the function that grew", async () => {
    server.clock.advance(2 * minuteMs);
    expect(await runAlerts(server.ctx, lease)).toBe(true);
    const [alert, ...others] = await alertsOf({ service: "checkout" });
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      type: "cpu",
      profile_type: "cpu",
      sample_type: "cpu/nanoseconds",
      unit: "nanoseconds per second",
      status: "open",
      resolved_at: null,
      severity: "critical",
      is_muted: false,
    });
    expect(alert!.previous_value / 30e6).toBeCloseTo(1, 1);
    expect(alert!.current_value).toBeGreaterThan(44e6);
    expect(alert!.current_value).toBeLessThanOrEqual(46e6 * 1.02);
    expect(alert!.increase).toBeCloseTo(alert!.current_value / alert!.previous_value - 1, 9);
    expect(alert!.percent_change).toBeCloseTo(100 * alert!.increase, 9);
    expect(alert!.began_at).toBe(new Date(nowMs - 30 * minuteMs).toISOString());
    expect(Date.parse(alert!.timestamp)).toBeGreaterThan(nowMs - 30 * minuteMs);
    const [grown] = alert!.functions;
    expect(grown!.name).toBe("encode");
    expect(grown!.share).toBeCloseTo(1, 1);
    expect(grown!.self_before / 10e6).toBeCloseTo(1, 1);
    expect([alert!.has_requests, alert!.incident_id]).toEqual([false, alert!.id]);
    expect(alert!.functions.find(({ name }) => name === "main")!.total_after).toBeCloseTo(
      alert!.current_value,
      3,
    );
    const profile = await get(`/profile/${alert!.profile_id}`);
    expect(profile.body).toMatchObject({ service: "checkout", type: "cpu" });
    const { from, to } = alert!.current_range;
    expect(Date.parse(profile.body.timestamp)).toBeGreaterThanOrEqual(Date.parse(from));
    expect(Date.parse(profile.body.timestamp)).toBeLessThan(Date.parse(to));
  });

  it("is listed for a range in which its alert was open", async () => {
    const query = { service: "checkout" };
    expect(await alertsOf({ ...query, from: "1h" })).toHaveLength(1);
    expect(await alertsOf({ ...query, from: "24h", to: "1h" })).toEqual([]);
    expect((await get("/alerts", { from: "soon" })).status).toBe(400);
  });

  it("is distinguished from one whose goroutines only park more", async () => {
    expect((await alertsOf()).map(({ service }) => service).sort()).toEqual(["checkout", "contended"]);
    const [contended] = await alertsOf({ service: "contended" });
    expect(contended!.previous_value / 50e6).toBeCloseTo(1, 1);
    expect(contended!.functions[0]).toMatchObject({ name: "handle", share: expect.closeTo(1, 1) });
  });

  it("gets no second alert by a second round, nor by another process", async () => {
    server.clock.advance(5 * minuteMs);
    expect(await runAlerts(server.ctx, { ...lease, holder: "another process" })).toBe(true);
    expect(await runAlerts(server.ctx, lease)).toBe(false);
    server.clock.advance(2 * minuteMs);
    expect(await runAlerts(server.ctx, lease)).toBe(true);
    expect(await alertsOf()).toHaveLength(2);
  });

  it("counts as open until it is muted", async () => {
    const open = async () =>
      (await server.app.inject({ url: "/api/v1/status", headers: ada.headers })).json().open_alerts;
    expect(await open()).toBe(2);
    const series = { service: "contended", type: "block" };
    const at = server.ctx.now().toISOString();
    const id = expect.any(String);
    const muted = [{ ...series, id, reason: "", muted_at: at, starts_at: at, until: null }];
    expect(await post("/alerts/mute", series)).toEqual({ status: 200, body: { muted } });
    expect((await post("/alerts/mute", series)).body).toEqual({ muted });
    expect((await get("/alerts/mutes")).body).toEqual({ muted });
    expect((await get("/alerts/mutes", {}, await server.signUp())).body).toEqual({ muted: [] });
    expect(await open()).toBe(1);
    expect((await alertsOf({ service: "contended" }))[0]!.is_muted).toBe(true);
    expect((await post("/alerts/unmute", series)).body).toEqual({ muted: [] });
    expect(await open()).toBe(2);
  });

  it("counts as open again once its mute has ended", async () => {
    const open = async () => (await get("/alerts", { service: "contended" })).body.open_count;
    const before = await open();
    const now = server.ctx.now().getTime();
    const series = { service: "contended", type: "block" };
    const until = new Date(now + minuteMs).toISOString();
    expect((await post("/alerts/mute", { ...series, until: new Date(now).toISOString() })).status).toBe(400);
    await post("/alerts/mute", series);
    expect((await post("/alerts/mute", { ...series, until })).body.muted).toMatchObject([
      { ...series, until },
    ]);
    expect(await open()).toBe(before - 1);
    server.clock.advance(minuteMs);
    expect(await open()).toBe(before);
    expect((await get("/alerts/mutes")).body).toEqual({ muted: [] });
    expect((await alertsOf({ service: "contended" }))[0]!.is_muted).toBe(false);
  });

  it("is muted by the tags of the profiles that its rise is in, for all services", async () => {
    const isMuted = async () => (await alertsOf({ service: "contended" }))[0]!.is_muted;
    const [staging] = (await post("/alerts/mute", { tags: { env: "staging" } })).body.muted;
    expect(await isMuted()).toBe(false);
    expect(await end(staging.id)).toEqual({ status: 200, body: { muted: [] } });
    const production = { tags: { env: "production" }, reason: "Load test" };
    const [mute] = (await post("/alerts/mute", production)).body.muted;
    expect(mute).toMatchObject({ service: null, type: null, ...production });
    expect(await isMuted()).toBe(true);
    const unmuted = await post("/alerts/unmute", { service: "contended", type: "block" });
    expect(unmuted).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining("every service, every type, env:production") },
    });
    expect((await end(mute.id, await server.signUp())).status).toBe(404);
    expect((await end(mute.id)).status).toBe(200);
    expect((await end(mute.id)).status).toBe(404);
    expect(await isMuted()).toBe(false);
    expect((await post("/alerts/mute", {})).status).toBe(400);
  });

  it("is muted when a planned mute begins", async () => {
    const isMuted = async () => (await alertsOf({ service: "contended" }))[0]!.is_muted;
    const nowMs = server.ctx.now().getTime();
    const at = (minutes: number) => new Date(nowMs + minutes * minuteMs).toISOString();
    const planned = { service: "contended", starts_at: at(1), until: at(2) };
    expect((await post("/alerts/mute", { ...planned, until: at(1) })).status).toBe(400);
    expect((await post("/alerts/mute", { ...planned, starts_at: at(-1) })).status).toBe(400);
    expect((await post("/alerts/mute", planned)).body.muted).toMatchObject([planned]);
    expect(await isMuted()).toBe(false);
    server.clock.advance(minuteMs);
    expect(await isMuted()).toBe(true);
    server.clock.advance(minuteMs);
    expect(await isMuted()).toBe(false);
    expect((await get("/alerts/mutes")).body).toEqual({ muted: [] });
  });

  it("resolves when the values are as before, and stays in the history", async () => {
    const fromMs = server.ctx.now().getTime();
    server.clock.advance(55 * minuteMs);
    await signInAgain();
    const later = Array.from({ length: 25 }, (_, index) => 2 * index);
    await Promise.all(
      later.map((minute) => send("checkout", fromMs + minute * minuteMs, cpu(100, (minute % 5) - 2), "cpu")),
    );
    expect(await runAlerts(server.ctx, lease)).toBe(true);
    const [alert] = await alertsOf({ service: "checkout" });
    expect(alert).toMatchObject({ type: "resolved", profile_type: "cpu", status: "resolved" });
    expect(Date.parse(alert!.resolved_at!)).toBeGreaterThan(fromMs);
    expect(Date.parse(alert!.resolved_at!)).toBeLessThanOrEqual(server.ctx.now().getTime());
    expect(await alertsOf({ service: "checkout", status: "open" })).toEqual([]);
    expect(await alertsOf({ status: "resolved" })).toHaveLength(1);
  });

  it("is listed page by page, newest first", async () => {
    const all = await alertsOf();
    const times = all.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted().reverse());
    const first = (await get("/alerts", { limit: "1" })).body;
    const second = (await get("/alerts", { limit: "1", cursor: first.next_cursor })).body;
    expect([...first.alerts, ...second.alerts]).toEqual(all);
    expect(second.next_cursor).toBeNull();
    expect(first.open_count).toBe(1);
  });
});

describe("an invalid request", () => {
  it.each([
    { query: { limit: "0" }, field: "limit" },
    { query: { limit: "1001" }, field: "limit" },
    { query: { status: "closed" }, field: "status" },
    { query: { cursor: "xyz" }, field: "cursor" },
  ])("is answered 400 with the field: $query", async ({ query, field }) => {
    const { status, body } = await get("/alerts", query);
    expect([status, body.code]).toEqual([400, "invalid"]);
    expect(body.error).toContain(field);
  });

  it("is an empty list for an unknown service, and for another organization", async () => {
    expect(await alertsOf({ service: "nobody" })).toEqual([]);
    const eve = await server.signUp();
    expect(await alertsOf({}, eve)).toEqual([]);
    expect((await get("/alerts", {}, eve)).body.open_count).toBe(0);
  });

  it("is refused to viewers if it changes something", async () => {
    const viewer = await server.signUp();
    await server.setRole(viewer, "viewer");
    const series = { service: "checkout", type: "cpu" };
    expect((await post("/alerts/mute", series, viewer)).status).toBe(403);
    expect((await post("/alerts/unmute", series, viewer)).status).toBe(403);
    expect((await post("/alerts/mute", { service: "checkout", type: "metrics" })).status).toBe(400);
  });
});

describe("while the column store is away", () => {
  it("the job logs one warning without a stack trace, and one when it runs again", async () => {
    const lines: unknown[] = [];
    const log = {
      warn: (fields: object, message: string) => void lines.push([message, Object.keys(fields)]),
    };
    const jobLog = new JobLog(log, "the job that evaluates alerts");
    const away = () => Promise.reject(new StoreUnavailable("The column store is restarting."));
    const columns = { ...server.ctx.columns, query: away, queryBytes: away, profileTotals: away };
    for (let round = 0; round < 3; round++) {
      server.clock.advance(5 * minuteMs);
      await runAlerts({ ...server.ctx, columns }, lease, undefined, jobLog);
    }
    await runAlerts(server.ctx, lease, undefined, jobLog);
    expect(lines).toEqual([
      ["the job that evaluates alerts waits until the store is available", ["reason", "orgId"]],
      ["the job that evaluates alerts runs again", []],
    ]);
  });
});
