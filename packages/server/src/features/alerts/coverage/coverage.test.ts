import { type AlertCoverage, alertIncreaseMin, type CoveredSignal } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { writeProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sensitivityOf } from "#alerts/detect/sensitivity.ts";
import { toSeries } from "#alerts/detect/series/series.ts";
import { observedOf } from "#alerts/detect/testing/observed-of.ts";
import { runAlerts } from "#alerts/job.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { storeAlert } from "#testing/store-alert.ts";

const at = "2026-11-20T12:00:00.000Z";
const nowMs = Date.parse(at);
const lease = { name: "alerts", holder: "this test", lastsMs: 60_000 };

let server: TestApp;
let ada: Person;
let headers: Record<string, string>;

beforeAll(async () => {
  server = await startApp({ at });
  ada = await server.signUp();
  headers = (await server.makeKey(ada)).headers;
  await sendEvery(10, 6 * dayMs, (ms, index) => cpu("known", ms, index, { version: "1.4.0", pod: "a" }));
  await sendEvery(5, dayMs / 2, (ms, index) => cpu("new", ms, index, {}));
  await sendEvery(5, dayMs / 2, (ms, index) => block("new", ms, index));
  await sendEvery(30, dayMs / 4, (ms) => custom("new", ms));
  await sendRequests("known");
  server.clock.advance(2 * minuteMs);
  await runAlerts(server.ctx, lease);
});
afterAll(() => server.close());

/** Once every so many minutes, some at a time. */
async function sendEvery(
  minutes: number,
  lengthMs: number,
  send: (ms: number, index: number) => Promise<void>,
): Promise<void> {
  const times = Array.from({ length: lengthMs / (minutes * minuteMs) }, (_, index) => index);
  for (let from = 0; from < times.length; from += 100) {
    const some = times.slice(from, from + 100);
    await Promise.all(some.map((index) => send(nowMs - (index + 1) * minutes * minuteMs, index)));
  }
}

async function sendProfile(
  query: Record<string, string>,
  ms: number,
  profile: Parameters<typeof profileOf>,
): Promise<void> {
  const started_at = new Date(ms).toISOString();
  await server.send(writeProfile(profileOf(...profile)), { headers, query: { ...query, started_at } });
}

const durationNs = 10_000_000_000n;

function cpu(service: string, ms: number, index: number, tags: Record<string, string>): Promise<void> {
  const named = Object.fromEntries(Object.entries(tags).map(([name, value]) => [`tag.${name}`, value]));
  // Differs by up to 8%.
  const ns = 2_000_000_000 * (1 + 0.08 * Math.sin(index * 12.9898));
  const stacks = `main\n${Math.round(ns)}`;
  return sendProfile({ service, type: "cpu", ...named }, ms, [
    stacks,
    { sampleTypes: ["cpu/nanoseconds"], durationNs },
  ]);
}

function block(service: string, ms: number, index: number): Promise<void> {
  const stacks = `main\n${500_000_000 + index}`;
  return sendProfile({ service, type: "block" }, ms, [
    stacks,
    { sampleTypes: ["delay/nanoseconds"], durationNs },
  ]);
}

function custom(service: string, ms: number): Promise<void> {
  return sendProfile({ service, type: "custom" }, ms, [
    "main\n7",
    { sampleTypes: ["handled_orders/nanoseconds"], durationNs },
  ]);
}

async function sendRequests(service: string): Promise<void> {
  const payload = Array.from({ length: 60 }, (_, index) => ({
    method: "GET",
    path: "/orders",
    duration: 0.1,
    status_code: 200,
    timestamp: nowMs - (index + 1) * 2 * minuteMs,
    request_id: `${service} ${index}`,
  }));
  const url = "/api/v1/ingest/http-metrics";
  const reply = await server.app.inject({ method: "POST", url, query: { service }, headers, payload });
  expect(reply.statusCode).toBe(200);
}

async function coverageOf(service: string, as = ada): Promise<AlertCoverage> {
  const url = `/api/v1/protected/alerts/coverage/service/${encodeURIComponent(service)}`;
  const reply = await server.app.inject({ url, headers: as.headers });
  expect(reply.statusCode).toBe(200);
  return reply.json();
}

/** The coverage of a service of Ada's, as it is stored. */
async function storedOf(service: string): Promise<string> {
  const query = server.ctx.rows.selectFrom("alertCoverage").select("coverage").where("orgId", "=", ada.orgId);
  return (await query.where("service", "=", service).executeTakeFirstOrThrow()).coverage;
}

/** Stores it for a service of another organization. */
async function storeCoverageOf(service: string, judgedMs: number, coverage: string): Promise<Person> {
  const person = await server.signUp();
  const row = { orgId: person.orgId, service, judgedAt: new Date(judgedMs).toISOString(), coverage };
  await server.ctx.rows.insertInto("alertCoverage").values(row).execute();
  return person;
}

function signalOf({ signals }: AlertCoverage, type: string): CoveredSignal {
  const found = signals.find((signal) => signal.type === type);
  if (found === undefined) throw new Error(`No signal of ${type} profiles`);
  return found;
}

const codesOf = ({ improvements }: AlertCoverage) => improvements.map(({ code }) => code);

describe("what alerts can see of a service", () => {
  it("is the noise that was learnt, and the rises that it lets be found", async () => {
    const coverage = await coverageOf("known");
    expect(coverage).toMatchObject({ judged_at: at, message: null });
    const cpuTime = signalOf(coverage, "cpu");
    expect(cpuTime).toMatchObject({
      sample_type: "cpu/nanoseconds",
      judged_by: "learnt_noise",
      reason: null,
    });
    expect(cpuTime.noise?.deviation).toBeLessThan(0.05);
    expect(cpuTime.smallest?.increase).toBeGreaterThanOrEqual(0.15);
    expect(cpuTime.smallest?.increase).toBeLessThan(0.6);
    const times = cpuTime.rises.map(({ within_seconds }) => within_seconds ?? Infinity);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(times.at(-1)).toBeLessThanOrEqual(2 * 3600);
  });

  it("says what is judged by the first rule or not at all, and why", async () => {
    const coverage = await coverageOf("new");
    expect(signalOf(coverage, "cpu")).toMatchObject({
      judged_by: "first_days",
      reason: { code: "few_days", text: expect.stringContaining("12 hours of history") },
    });
    expect(signalOf(coverage, "block")).toMatchObject({
      judged_by: "first_days",
      reason: { code: "block_profiles" },
    });
    expect(signalOf(coverage, "custom")).toMatchObject({
      sample_type: "handled_orders/nanoseconds",
      judged_by: "nothing",
      reason: { code: "not_judged" },
      smallest: null,
    });
  });

  it("says what to send so that alerts see more", async () => {
    expect(codesOf(await coverageOf("known"))).toEqual(["route_requests"]);
    expect(codesOf(await coverageOf("new"))).toEqual(["http_metrics", "version_tag", "instance_tag"]);
  });

  it("is not known before the first evaluation, nor to another organization", async () => {
    const nothing = { judged_at: null, signals: [], improvements: [] };
    expect(await coverageOf("later")).toMatchObject(nothing);
    expect((await coverageOf("later")).message).toMatch(/^Not evaluated yet, or .* 6 minutes/);
    expect(await coverageOf("known", await server.signUp())).toMatchObject(nothing);
  });

  it("counts the alerts of 90 days, and those that people marked as expected", async () => {
    const { rows } = server.ctx;
    const store = async (service: string, days: number, change: Parameters<typeof storeAlert>[2] = {}) => {
      const openedAt = new Date(nowMs - days * dayMs).toISOString();
      const alert = {
        orgId: ada.orgId,
        service,
        at: openedAt,
        profileId: "3f9a1c07be52d8e4460b7c91691e9f40",
      };
      return storeAlert(rows, alert, { resolvedAt: openedAt, ...change });
    };
    const mark = (alertId: string) =>
      rows.insertInto("alertHandling").values({ orgId: ada.orgId, alertId, expectedAt: at }).execute();
    const textOf = async (service: string, as = ada) => (await coverageOf(service, as)).false_alarms;
    const none = { days: 90, opened: 0, expected: 0, text: "No alert in 90 days." };
    expect(await textOf("counted")).toEqual(none);
    await store("counted", 1);
    expect((await textOf("counted")).text).toBe(
      "0 of 1 alert of this service in 90 days was marked as expected.",
    );
    await mark(await store("counted", 89));
    expect((await textOf("counted")).text).toBe(
      "1 of 2 alerts of this service in 90 days was marked as expected.",
    );
    await mark(await store("counted", 3));
    const rule = { ruleId: "a rule", rule: "{}", severity: "info" } as const;
    for (const other of [
      await store("counted", 91),
      await store("other", 1),
      await store("counted", 1, rule),
    ])
      await mark(other);
    const counts = { days: 90, opened: 3, expected: 2 };
    expect(await textOf("counted")).toEqual({
      ...counts,
      text: "2 of 3 alerts of this service in 90 days were marked as expected.",
    });
    expect(await textOf("counted", await server.signUp())).toEqual(none);
  });

  it("is forgotten a week after the last profile, even if no service of the organization sends any more", async () => {
    const silent = await storeCoverageOf("gone", nowMs - 9 * dayMs, await storedOf("known"));
    expect(await coverageOf("gone", silent)).toMatchObject({ judged_at: null, signals: [] });
  });

  it("is not known until the next evaluation if another version stored it in its own format", async () => {
    const upgraded = await storeCoverageOf("upgraded", nowMs, JSON.stringify({ signals: [{}], sent: {} }));
    expect(await coverageOf("upgraded", upgraded)).toMatchObject({ judged_at: null, signals: [] });
    const same = await storeCoverageOf("same", nowMs, await storedOf("known"));
    expect(await coverageOf("same", same)).toMatchObject({ judged_at: at });
  });

  it("is renewed every half hour", async () => {
    server.clock.advance(10 * minuteMs);
    await cpu("new", nowMs + 5 * minuteMs, 1, {});
    await runAlerts(server.ctx, lease);
    const before = await server.ctx.rows
      .selectFrom("alertCoverage")
      .select(["service", "judgedAt"])
      .where("orgId", "=", ada.orgId)
      .orderBy("service")
      .execute();
    expect(before).toEqual([
      { service: "known", judgedAt: at },
      { service: "new", judgedAt: at },
    ]);
    server.clock.advance(25 * minuteMs);
    await runAlerts(server.ctx, lease);
    const after = await server.ctx.rows
      .selectFrom("alertCoverage")
      .select("judgedAt")
      .where("orgId", "=", ada.orgId)
      .where("service", "=", "new")
      .executeTakeFirstOrThrow();
    expect(Date.parse(after.judgedAt) - nowMs).toBe(35 * minuteMs);
  });

  const signalsOf = async (type: string) => {
    const { signals } = JSON.parse(await storedOf("new")) as { signals: { type: string }[] };
    return signals.filter((signal) => signal.type === type);
  };

  it("is renewed at once when a signal begins", async () => {
    const ms = server.clock.now().getTime();
    await sendProfile({ service: "new", type: "goroutine" }, ms, [
      "main\n7",
      { sampleTypes: ["goroutine/count"] },
    ]);
    server.clock.advance(10 * minuteMs);
    await runAlerts(server.ctx, lease);
    const begun = await signalsOf("goroutine");
    expect(begun).toHaveLength(1);
    expect(JSON.stringify(begun)).not.toContain("no_profiles");
  });

  it("is renewed at once when one signal begins in the round in which another ends", async () => {
    // The last CPU profile of the service is of five minutes after the beginning, and counts for eight hours.
    server.clock.advance(nowMs + 8 * hourMs - server.clock.now().getTime());
    await runAlerts(server.ctx, lease);
    expect(await signalsOf("mutex")).toEqual([]);
    await sendProfile({ service: "new", type: "mutex" }, server.clock.now().getTime(), [
      "main\n9000000",
      { sampleTypes: ["delay/nanoseconds"], durationNs },
    ]);
    server.clock.advance(10 * minuteMs);
    await runAlerts(server.ctx, lease);
    expect(await signalsOf("mutex")).toHaveLength(1);
  });
});

it("the smallest increase that the app names is the one that a series without noise has", () => {
  const points = Array.from({ length: 16 * 144 }, (_, index): [number, number] => [
    nowMs - (index + 1) * 10 * minuteMs,
    100,
  ]);
  const { smallest } = sensitivityOf(observedOf(toSeries(points.reverse())), "cpu", nowMs);
  expect(smallest!.rise).toBeCloseTo(alertIncreaseMin, 3);
});
