import type { Alert } from "@flamekeep/contract";
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { incidentMessage } from "#alerts/channels/message.ts";
import { runAlerts } from "#alerts/job.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { storeAlert } from "#testing/store-alert.ts";

const lease = { name: "alerts", holder: "this test", lastsMs: 60_000 };
const startMs = Date.parse("2026-11-20T12:10:00.000Z");
const profileId = "3f9a1c07be52d8e4460b7c91691e9f40";
const firstHour = -36;
const changedHour = -3;

let server: TestApp;
let ada: Person;
let headers: Record<string, string>;

/** Milliseconds of CPU time in ten seconds. The whole stays the same: loading takes less if sealing takes more. */
function checkout(sealMs: number, jitter: number) {
  const ms = (value: number) => Math.round(value * jitter * 1e6);
  return profileOf(
    `
    main.main@/app/main.go:10         main.main@/app/main.go:10         main.main@/app/main.go:10
    main.checkout@/app/main.go:31     main.checkout@/app/main.go:31     main.checkout@/app/main.go:30
    pricing.Seal.func1@/app/seal.go:47  encoding/json.Marshal@/go/json.go:160      orders.Load@/app/load.go:12
    crypto/sha256.block@/go/sha256.go:20     encoding/json.encode@/go/json.go:300       orders.read@/app/load.go:40
    ${ms(sealMs)}                     ${ms(1600)}                       ${ms(2400 - sealMs)}`,
    { sampleTypes: ["cpu/nanoseconds"], durationNs: 10_000_000_000n },
  );
}

/** The profiles of an hour, one in twenty minutes. The hour is counted from the start of the test. */
async function sendHour(service: string, hour: number, sealMs: number, version: string): Promise<void> {
  const hourStartMs = Math.floor(startMs / hourMs) * hourMs + hour * hourMs;
  const sent = [0, 20, 40].map((minute) => {
    const started_at = new Date(hourStartMs + minute * minuteMs).toISOString();
    const jitter = 1 + 0.02 * Math.sin(hour * 7 + minute);
    const query = { service, type: "cpu", started_at, "tag.version": version };
    return server.send(checkout(sealMs, jitter), { headers, query });
  });
  await Promise.all(sent);
}

async function round(): Promise<void> {
  await server.ctx.columns.maintenance.rollUp(server.clock.now());
  expect(await runAlerts(server.ctx, lease)).toBe(true);
}

/** A later hour, in which sealing takes so long, and a round after it. */
async function laterHour(hour: number, sealMs: number): Promise<void> {
  server.clock.advance(hourMs);
  await sendHour("checkout", hour, sealMs, "2");
  await round();
}

async function alertsOf(service: string): Promise<Alert[]> {
  // An access token lasts fifteen minutes.
  const payload = { email: ada.email, password: ada.password };
  const reply = await server.app.inject({ method: "POST", url: "/auth/login", payload });
  const authorization = `Bearer ${reply.json().tokens.access_token}`;
  ada = { ...ada, headers: { authorization } };
  const listed = await server.app.inject({
    url: `/api/v1/protected/alerts?service=${service}`,
    headers: ada.headers,
  });
  expect(listed.statusCode).toBe(200);
  return listed.json().alerts;
}

beforeAll(async () => {
  server = await startApp({ hasSeparateColumns: true, at: new Date(startMs).toISOString() });
  ada = await server.signUp();
  headers = (await server.makeKey(ada)).headers;
  // At the same time, because a commit costs the store more than its rows.
  const sent = Array.from({ length: -firstHour }, (_, index) => {
    const hour = firstHour + index;
    const isAfter = hour >= changedHour;
    return Promise.all([
      sendHour("checkout", hour, isAfter ? 1000 : 500, isAfter ? "2" : "1"),
      sendHour("calm", hour, 500, "1"),
    ]);
  });
  await Promise.all(sent);
});
afterAll(() => server.close());

it("a function that doubles while its service does not opens an alert that names it, its line, callers and release", async () => {
  await round();
  const [alert, ...others] = await alertsOf("checkout");
  expect(others).toEqual([]);
  expect(await alertsOf("calm")).toEqual([]);
  const began = new Date(Math.floor(startMs / hourMs) * hourMs + changedHour * hourMs).toISOString();
  expect(alert).toMatchObject({
    signal: "function",
    profile_type: "cpu",
    sample_type: "cpu/nanoseconds",
    unit: "nanoseconds per second",
    status: "open",
    severity: "warning",
    began_at: began,
    culprit: {
      name: "pricing.Seal.func1",
      file: "/app/seal.go",
      line: 47,
      path: ["main.main", "main.checkout", "pricing.Seal.func1"],
    },
    release: { before: "1", after: "2" },
  });
  expect(alert!.previous_value / 1e6).toBeCloseTo(50, 0);
  expect(alert!.current_value / 1e6).toBeCloseTo(100, 0);
  expect(Math.abs(alert!.service_increase!)).toBeLessThan(0.02);
  expect(alert!.functions.map(({ name }) => name)).toEqual(["pricing.Seal.func1", "crypto/sha256.block"]);
  expect(alert!.culprit!.share).toBeCloseTo(1, 1);
  const { title, text } = incidentMessage(
    "opened",
    { id: alert!.incident_id, signals: [alert!] },
    "https://flamekeep.example",
  );
  expect(title).toMatch(/^Warning: CPU of pricing\.Seal\.func1 in checkout up (99|100)\.\d%$/);
  expect(text.split("\n").slice(0, 4)).toEqual([
    expect.stringMatching(
      /^From 0\.0\d+ cores to 0\.\d+ cores, per instance: 2\.0 times as much since 2026-11-20 09:00 UTC, while checkout as a whole did not change\.$/,
    ),
    "Look at pricing.Seal.func1 (seal.go:47).",
    "Path: main.main > main.checkout > pricing.Seal.func1",
    expect.stringMatching(/^Also crypto\/sha256\.block: from 0\.0\d+ cores to 0\.\d+ cores\.$/),
  ]);
});

it("names no instance: how many profiles each has does not tell where a function rose", async () => {
  const parts = [
    { tags: { pod: "a" }, share: 0.9 },
    { tags: { pod: "b" }, share: 0.1 },
  ];
  const at = new Date(startMs).toISOString();
  const about = { orgId: ada.orgId, service: "pods", at, profileId };
  const sampleType = "function/cpu/nanoseconds pricing.Seal";
  const circumstances = JSON.stringify({ release: null, parts });
  await storeAlert(server.rows, about, { sampleType, circumstances, resolvedAt: at });
  const [alert] = await alertsOf("pods");
  expect(alert).toMatchObject({ signal: "function" });
  expect(alert!.instances).toBeUndefined();
});

it("is muted by the tags that its profiles have", async () => {
  const mute = (tags: Record<string, string>) =>
    server.app.inject({
      method: "POST",
      url: "/api/v1/protected/alerts/mute",
      headers: ada.headers,
      payload: { tags },
    });
  await mute({ version: "1" });
  expect((await alertsOf("checkout")).map(({ is_muted }) => is_muted)).toEqual([false]);
  const { muted } = (await mute({ version: "2" })).json();
  expect((await alertsOf("checkout")).map(({ is_muted }) => is_muted)).toEqual([true]);
  expect(muted).toHaveLength(2);
  for (const { id } of muted) {
    const url = `/api/v1/protected/alerts/mutes/${id}`;
    await server.app.inject({ method: "DELETE", url, headers: ada.headers });
  }
});

it("stays one alert while it lasts, and resolves when the function falls back", async () => {
  await laterHour(0, 1000);
  expect((await alertsOf("checkout")).map(({ status }) => status)).toEqual(["open"]);
  for (const hour of [1, 2, 3]) await laterHour(hour, 500);
  expect((await alertsOf("checkout")).map(({ status }) => status)).toEqual(["resolved"]);
});

it("opens its incident again if it returns within hours, and none once somebody marked it as expected", async () => {
  for (const hour of [4, 5, 6, 7]) await laterHour(hour, 1000);
  const alerts = await alertsOf("checkout");
  expect(alerts.map(({ status }) => status)).toEqual(["open", "resolved"]);
  expect(new Set(alerts.map((each) => each.incident_id)).size).toBe(1);
  const [alert] = alerts;
  const url = `/api/v1/protected/alerts/${alert!.id}/expect`;
  const reply = await server.app.inject({ method: "POST", url, headers: ada.headers, payload: {} });
  expect([reply.statusCode, reply.json().alert?.status]).toEqual([200, "resolved"]);
  for (const hour of [8, 9]) await laterHour(hour, 1000);
  expect((await alertsOf("checkout")).map(({ status }) => status)).toEqual(["resolved", "resolved"]);
});
