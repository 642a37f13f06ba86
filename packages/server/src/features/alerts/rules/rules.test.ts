import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Alert, AlertRule, AlertRuleBody, RulePreview } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { deliverDue } from "#alerts/deliver.ts";
import { runAlerts } from "#alerts/job.ts";
import { recordUnmuted } from "#alerts/store/record-change.ts";
import { type Person, startApp, type TestApp, type TestKey } from "#testing/start-app.ts";
import { evaluateRules } from "./evaluate-rules.ts";

const at = "2026-11-20T12:00:00.000Z";
const api = "/api/v1/protected";
const rulesUrl = `${api}/alerts/rules`;
const MiB = 1024 * 1024;

let receiver: Server;
const received: { title: string; text: string; link: string; event: string }[] = [];
let server: TestApp;
/** Each test has its own organization, and begins where the test before stopped the clock. */
let ada: Person;
let key: TestKey;

beforeAll(async () => {
  receiver = createServer((request, reply) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      // Other tests left rules behind.
      if (request.url === `/${ada.orgId}`) received.push(JSON.parse(body));
      reply.end();
    });
  });
  await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
  const env = { ALERT_WEBHOOKS_ALLOW_PRIVATE: "on", ORG_ALERT_RULES_MAX: "3" };
  server = await startApp({ at, env });
});
afterAll(async () => {
  await server.close();
  receiver.close();
});

let people = 0;
beforeEach(async () => {
  ada = await server.signUp(undefined, `198.51.100.${people++}`);
  key = await server.makeKey(ada);
  received.length = 0;
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${ada.orgId}`;
  expect((await call("PUT", `${api}/alert-settings`, { webhook_url: url })).status).toBe(200);
});

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** Signs in again if the access token, which lasts fifteen minutes, has expired. */
async function call(method: Method, url: string, payload?: object, as = ada) {
  const send = (headers: Person["headers"]) =>
    server.app.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
  const first = await send(tokens.get(as.userId) ?? as.headers);
  const reply = first.statusCode === 401 ? await send(await signInAgain(as)) : first;
  return { status: reply.statusCode, body: reply.json() };
}

const tokens = new Map<string, Person["headers"]>();

async function signInAgain({ userId, email, password }: Person): Promise<Person["headers"]> {
  const payload = { email, password };
  const reply = await server.app.inject({ method: "POST", url: "/auth/login", payload });
  expect(reply.statusCode).toBe(200);
  const headers = { authorization: `Bearer ${reply.json().tokens.access_token}` };
  tokens.set(userId, headers);
  return headers;
}

const nowMs = () => server.clock.now().getTime();
const iso = (ms: number) => new Date(ms).toISOString();

const heap = {
  ...{
    name: "Heap too large",
    service: "checkout",
    profile_type: "memory",
    sample_type: "inuse_space/bytes",
  },
  comparison: "above",
  threshold: 200 * MiB,
  minutes: 10,
  severity: "critical",
} satisfies AlertRuleBody;

async function create(body: AlertRuleBody, as = ada): Promise<AlertRule> {
  const reply = await call("POST", rulesUrl, body, as);
  expect([reply.status, reply.body.error]).toEqual([201, undefined]);
  return reply.body.rule;
}

async function sendHeap(megabytes: number, { ms = nowMs(), tags = {}, from = key } = {}): Promise<void> {
  const profile = profileOf(`main\n${megabytes * MiB}`, { sampleTypes: ["inuse_space/bytes"] });
  const query = { service: "checkout", type: "memory", started_at: iso(ms), ...tags };
  await server.send(profile, { headers: from.headers, query });
}

const lease = { name: "alerts", lastsMs: minuteMs };

/** A round of the job for this organization alone. */
async function round(): Promise<void> {
  await evaluateRules(server.ctx, ada.orgId);
  await recordUnmuted(server.ctx.rows, ada.orgId, server.clock.now());
  await deliverDue(server.ctx);
}

/** A profile in each of the minutes, each followed by a round of the job. */
async function minutes(count: number, megabytes: number, tags: Record<string, string> = {}): Promise<void> {
  for (let minute = 0; minute < count; minute++) {
    await sendHeap(megabytes, { tags });
    server.clock.advance(minuteMs);
    await round();
  }
}

const alerts = async (as = ada): Promise<Alert[]> =>
  (await call("GET", `${api}/alerts`, undefined, as)).body.alerts;

describe("a rule", () => {
  it("opens an alert after its minutes, sends one message, and resolves once values are back", async () => {
    const startMs = nowMs();
    await minutes(3, 150);
    const rule = await create(heap);
    expect(rule).toMatchObject({
      unit: "bytes",
      is_firing: false,
      is_enabled: true,
      created_at: iso(nowMs()),
    });
    await minutes(9, 250);
    expect(await alerts()).toEqual([]);
    await minutes(3, 300);
    const [alert, ...others] = await alerts();
    expect(others).toEqual([]);
    const beganAt = iso(startMs + 3 * minuteMs);
    const openedAt = iso(startMs + 13 * minuteMs);
    expect(alert).toMatchObject({
      type: "memory",
      profile_type: "memory",
      sample_type: "inuse_space/bytes",
      unit: "bytes",
      ...{
        service: "checkout",
        status: "open",
        severity: "critical",
        began_at: beganAt,
        timestamp: openedAt,
      },
      previous_value: 200 * MiB,
      current_value: 300 * MiB,
      percent_change: 50,
      incident_id: alert!.id,
      previous_range: { from: iso(Date.parse(beganAt) - 60 * minuteMs), to: beganAt },
      current_range: { from: beganAt, to: openedAt },
      functions: [],
      rule: {
        id: rule.id,
        name: "Heap too large",
        comparison: "above",
        threshold: 200 * MiB,
        minutes: 10,
        tags: {},
        condition: "above 200 MB",
      },
    });
    expect((await call("GET", `${api}/profile/${alert!.profile_id}`)).status).toBe(200);
    expect((await call("GET", rulesUrl)).body.rules).toMatchObject([{ id: rule.id, is_firing: true }]);
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({
      event: "opened",
      title: 'Critical: memory in use of checkout above 200 MB (rule "Heap too large")',
      text: [
        `It is at 300 MB per instance, and has been above 200 MB since ${beganAt.slice(0, 16).replace("T", " ")} UTC.`,
        'The rule "Heap too large" opens an alert after 10 minutes.',
      ].join("\n"),
    });
    const link = new URL(received[0]!.link);
    expect([link.pathname, link.searchParams.get("incident")]).toEqual(["/alerts", alert!.id]);

    await minutes(9, 100);
    expect((await alerts())[0]!.status).toBe("open");
    await minutes(3, 100);
    expect(await alerts()).toMatchObject([{ status: "resolved", type: "resolved", profile_type: "memory" }]);
    expect(received.map(({ event }) => event)).toEqual(["opened", "resolved"]);
    expect(received[1]!.title).toBe("Resolved: memory in use of checkout");
    expect(received[1]!.text).toMatch(
      /^It was above 200 MB \(rule "Heap too large"\) from 2026-.* to 2026-.* UTC\.$/,
    );
  });

  it("is about its own organization, though another one has a service of that name", async () => {
    const eve = await server.signUp(undefined, "203.0.113.1");
    const theirs = await server.makeKey(eve);
    await create({ ...heap, minutes: 1 });
    for (let minute = 0; minute < 4; minute++) {
      await sendHeap(300, { from: theirs });
      server.clock.advance(minuteMs);
      await round();
    }
    expect([await alerts(), await alerts(eve)]).toEqual([[], []]);
    expect((await call("GET", rulesUrl, undefined, eve)).body.rules).toEqual([]);
  });

  it("counts only profiles with its tags", async () => {
    await create({ ...heap, tags: { env: "production" }, minutes: 2 });
    await minutes(4, 300, { "tag.env": "staging" });
    expect(await alerts()).toEqual([]);
    await minutes(4, 300, { "tag.env": "production", "tag.region": "eu" });
    expect(await alerts()).toMatchObject([{ rule: { tags: { env: "production" } } }]);
    expect(received[0]!.text).toContain("Only profiles with env:production.");
  });

  it("opens for values that were beyond the threshold before it was made, and for profiles that come late", async () => {
    for (let minute = 30; minute > 0; minute--) await sendHeap(300, { ms: nowMs() - minute * minuteMs });
    await create(heap);
    await round();
    expect(await alerts()).toEqual([]);
    server.clock.advance(2 * minuteMs);
    await round();
    expect(await alerts()).toMatchObject([{ status: "open", began_at: iso(nowMs() - 32 * minuteMs) }]);
  });

  it("is not resolved by silence, unless nothing came for a week", async () => {
    await create({ ...heap, minutes: 2 });
    await minutes(4, 300);
    for (const days of [0.5, 1, 4]) {
      server.clock.advance(days * 24 * 60 * minuteMs);
      await round();
      expect(await alerts()).toMatchObject([{ status: "open" }]);
    }
    server.clock.advance(2 * 24 * 60 * minuteMs);
    await round();
    expect(await alerts()).toMatchObject([{ status: "resolved" }]);
  });

  it("continues after a restart, and two processes open and send it once", async () => {
    await create({ ...heap, minutes: 5 });
    await minutes(3, 300);
    for (let minute = 0; minute < 5; minute++) {
      await sendHeap(300);
      server.clock.advance(minuteMs);
    }
    const other = { ...server.ctx };
    await Promise.all([evaluateRules(server.ctx, ada.orgId), evaluateRules(other, ada.orgId)]);
    expect(await alerts()).toHaveLength(1);
    const process = (holder: string) => runAlerts(other, { ...lease, holder });
    expect((await Promise.all([process("one"), process("another")])).toSorted()).toEqual([false, true]);
    expect(received).toHaveLength(1);
  });

  it("joins the incident of its service, and an alert of the detector may be open at the same time", async () => {
    await create({ ...heap, minutes: 2 });
    await create({ ...heap, name: "Far too large", minutes: 2, threshold: 250 * MiB, severity: "warning" });
    await minutes(5, 300);
    const found = await alerts();
    expect(found.map(({ rule }) => rule?.name).sort()).toEqual(["Far too large", "Heap too large"]);
    expect(new Set(found.map(({ incident_id }) => incident_id)).size).toBe(1);
    expect(received).toHaveLength(1);
    expect(received[0]!.title).toMatch(/^Critical: 2 signals of checkout: memory in use above /);
  });
});

describe("people", () => {
  it("who change, switch off or delete a rule resolve its alert, and the message says so", async () => {
    const { id } = await create({ ...heap, minutes: 2 });
    await minutes(4, 300);
    const renamed = await call("PUT", `${rulesUrl}/${id}`, { ...heap, minutes: 2, name: "Renamed" });
    expect(renamed.body.rule).toMatchObject({ id, name: "Renamed", is_firing: true });
    const changed = await call("PUT", `${rulesUrl}/${id}`, { ...heap, minutes: 2, threshold: 250 * MiB });
    expect(changed.body.rule).toMatchObject({ threshold: 250 * MiB, is_firing: false });
    await minutes(3, 300);
    expect((await alerts()).map(({ status, rule }) => [status, rule!.threshold / MiB, rule!.ended])).toEqual([
      ["open", 250, undefined],
      ["resolved", 200, "changed"],
    ]);
    const off = { ...heap, minutes: 2, threshold: 250 * MiB, is_enabled: false };
    expect((await call("PUT", `${rulesUrl}/${id}`, off)).body.rule).toMatchObject({ is_enabled: false });
    await minutes(3, 300);
    expect((await alerts())[0]).toMatchObject({ status: "resolved", rule: { ended: "disabled" } });
    await call("PUT", `${rulesUrl}/${id}`, { ...off, is_enabled: true });
    await minutes(3, 300);
    expect((await alerts())[0]).toMatchObject({ status: "open" });
    expect((await call("DELETE", `${rulesUrl}/${id}`)).body.rule).toMatchObject({ id, is_firing: false });
    await round();
    expect((await alerts()).map(({ status, rule }) => [status, rule!.ended])).toEqual([
      ["resolved", "removed"],
      ["resolved", "disabled"],
      ["resolved", "changed"],
    ]);
    const endings = received.filter(({ event }) => event === "resolved").map(({ text }) => text);
    expect(endings.map((text) => text.split(". ").at(-1))).toEqual([
      "The rule was changed, which resolved this alert.",
      "The rule was switched off, which resolved this alert.",
      "The rule was deleted, which resolved this alert.",
    ]);
    const events = await server.rows
      .selectFrom("auditEntries")
      .select(["event", "target"])
      .where("orgId", "=", ada.orgId)
      .where("event", "in", ["alert_rule.created", "alert_rule.changed", "alert_rule.removed"])
      .orderBy("id")
      .execute();
    expect(events.map(({ event }) => event.split(".")[1])).toEqual([
      ...["created", "changed", "changed", "changed", "changed", "removed"],
    ]);
    expect(events.at(-1)!.target).toBe("Heap too large (checkout, above 262144000 bytes)");
  });

  it("acknowledge and mute its alert, and cannot mark it as expected", async () => {
    const { body } = await call("POST", `${api}/alerts/mute`, { tags: { env: "staging" } });
    expect(body.muted).toHaveLength(1);
    await create({ ...heap, minutes: 2 });
    await minutes(4, 300, { "tag.env": "staging" });
    const [alert] = await alerts();
    expect([alert!.is_muted, received]).toEqual([true, []]);
    await call("DELETE", `${api}/alerts/mutes/${body.muted[0].id}`);
    await round();
    expect(received).toHaveLength(1);
    const acknowledged = await call("POST", `${api}/alerts/${alert!.id}/acknowledge`, {});
    expect(acknowledged.body.alert.acknowledged).toBeDefined();
    expect(await call("POST", `${api}/alerts/${alert!.id}/expect`, {})).toMatchObject({
      status: 422,
      body: {
        code: "unprocessable",
        error: "A rule opened this alert: change the rule's threshold or switch the rule off instead",
      },
    });
  });

  it("have as many rules as the server allows", async () => {
    for (const name of ["one", "two", "three"]) await create({ ...heap, name });
    expect((await call("GET", rulesUrl)).body.rules_max).toBe(3);
    expect(await call("POST", rulesUrl, heap)).toMatchObject({
      status: 403,
      body: {
        code: "quota_exceeded",
        error: "Your organization has reached its limit of 3 rules (ORG_ALERT_RULES_MAX). Delete one first.",
      },
    });
  });

  it("who are viewers see rules, and change nothing", async () => {
    const { id } = await create(heap);
    await server.setRole(ada, "viewer");
    expect((await call("GET", rulesUrl)).body.rules).toMatchObject([{ id, created_by: expect.any(String) }]);
    const refused = [
      await call("POST", rulesUrl, heap),
      await call("POST", `${rulesUrl}/preview`, heap),
      await call("PUT", `${rulesUrl}/${id}`, heap),
      await call("DELETE", `${rulesUrl}/${id}`),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  });

  it.each([
    [{ name: " " }, "name must say what the rule watches"],
    [{ service: "a\nb" }, "service must be the name of a service, such as checkout"],
    [{ sample_type: "inuse_space" }, "sample_type must be TYPE/UNIT, such as inuse_space/bytes"],
    [
      { sample_type: null },
      "profile_type and sample_type are needed for the signal profile, and must be left out for signals of requests",
    ],
    [
      { signal: "http_p95" },
      "profile_type and sample_type are needed for the signal profile, and must be left out for signals of requests",
    ],
    [
      { signal: "http_p95", profile_type: null, sample_type: null, tags: { env: "production" } },
      "tags must be left out for signals of requests, which have no tags",
    ],
    [
      { signal: "http_error_rate", profile_type: null, sample_type: null, threshold: 5 },
      "threshold must be less than 1: the error rate is a fraction of the requests",
    ],
    [{ route: "GET /orders" }, "route must be left out for the signal profile: profiles are of all routes"],
    [
      { signal: "http_p95", profile_type: null, sample_type: null, route: "GET /a\nb" },
      "route must not contain control characters, marks of direction or invisible characters",
    ],
    [{ comparison: "below", threshold: 0 }, "threshold must be greater than 0: no value is below 0"],
    [{ threshold: -1 }, "Field 'threshold' must be at least 0"],
    [{ minutes: 0 }, "Field 'minutes' must be at least 1"],
    [{ minutes: 1441 }, "Field 'minutes' must be at most 1440"],
    [{ comparison: "equal" }, "Field 'comparison' must be one of above, below"],
  ])("get a sentence about a rule that makes no sense: %j", async (change, error) => {
    const reply = await call("POST", rulesUrl, { ...heap, ...change });
    expect([reply.status, reply.body.error]).toEqual([400, error]);
  });

  it("cannot reach a rule of another organization", async () => {
    const { id } = await create(heap);
    const eve = await server.signUp(undefined, "203.0.113.2");
    const unknown = { status: 404, body: { error: `Rule with ID ${id} not found` } };
    expect(await call("PUT", `${rulesUrl}/${id}`, heap, eve)).toMatchObject(unknown);
    expect(await call("DELETE", `${rulesUrl}/${id}`, undefined, eve)).toMatchObject(unknown);
    expect((await call("GET", rulesUrl)).body.rules).toMatchObject([{ id, name: "Heap too large" }]);
  });
});

describe("the values of a rule", () => {
  async function preview(condition: object): Promise<RulePreview> {
    const reply = await call("POST", `${rulesUrl}/preview`, {
      comparison: "above",
      threshold: 0,
      minutes: 1,
      ...condition,
    });
    expect([reply.status, reply.body.error]).toEqual([200, undefined]);
    return reply.body;
  }

  const known = ({ values }: RulePreview) => values.filter((value) => value !== null);

  it("are the mean of a gauge, and everything else per second of one instance", async () => {
    const ms = nowMs() - 60 * minuteMs;
    await sendHeap(100, { ms });
    await sendHeap(200, { ms: ms + 1000 });
    const { values: _, ...memory } = await preview({
      service: "checkout",
      profile_type: "memory",
      sample_type: "inuse_space/bytes",
    });
    expect(memory).toMatchObject({ unit: "bytes", minutes_with_values: 1, bucket_seconds: 600 });
    const cpu = profileOf("main\n15000000000", {
      sampleTypes: ["cpu/nanoseconds"],
      durationNs: 10_000_000_000n,
    });
    for (const [index, instance] of ["a", "b"].entries()) {
      const started = { service: "checkout", type: "cpu", started_at: iso(ms + index) };
      const query = { ...started, "tag.instance": instance };
      await server.send(cpu, { headers: key.headers, query });
    }
    const cores = { service: "checkout", profile_type: "cpu", sample_type: "cpu/nanoseconds" };
    const found = await preview(cores);
    expect([known(found), found.unit]).toEqual([[1.5e9], "nanoseconds per second"]);
    const alert = found.alerts[0];
    expect(alert).toEqual({
      began_at: iso(ms),
      opened_at: iso(ms + minuteMs),
      resolved_at: null,
      value: 1.5e9,
    });
    expect(known(await preview({ ...cores, tags: { instance: "b" } }))).toEqual([1.5e9]);
    expect(known(await preview({ ...cores, tags: { instance: "c" } }))).toEqual([]);
    expect(known(await preview({ ...cores, service: "another" }))).toEqual([]);
  });

  it("of snapshots that count since the start of the process are over the time between two of them", async () => {
    const ms = nowMs() - 60 * minuteMs;
    for (const [minute, totalMs] of [500, 1100, 2300].entries()) {
      const snapshot = profileOf(`main\n1,${totalMs * 1e6}`, {
        sampleTypes: ["contentions/count", "delay/nanoseconds"],
        durationNs: 0n,
      });
      const query = { service: "locks", type: "mutex", started_at: iso(ms + minute * minuteMs) };
      await server.send(snapshot, { headers: key.headers, query });
    }
    const found = await preview({
      service: "locks",
      profile_type: "mutex",
      sample_type: "delay/nanoseconds",
    });
    // 600 ms and 1,200 ms in a minute each: 10 and 20 ms per second.
    expect([known(found), found.minutes_with_values]).toEqual([[15e6], 2]);
  });

  it("of requests are the p95, the failures (5xx) and the number each second", async () => {
    const ms = nowMs() - 60 * minuteMs;
    const requests = Array.from({ length: 120 }, (_, index) => ({
      timestamp: ms + index * 500,
      method: "GET",
      path: `/orders/${index % 3}`,
      duration: index < 110 ? 0.1 : 2,
      status_code: index < 30 ? 404 : index < 36 ? 500 : 200,
    }));
    const url = "/api/v1/ingest/http-metrics?service=checkout";
    const sent = await server.app.inject({ method: "POST", url, headers: key.headers, payload: requests });
    expect(sent.statusCode).toBe(200);
    const of = async (signal: string) => {
      const found = await preview({ service: "checkout", signal });
      return [known(found).map((value) => Math.round(value! * 100) / 100), found.unit, found.alerts_total];
    };
    expect(await of("http_error_rate")).toEqual([[0.05], "ratio", 1]);
    expect(await of("http_request_rate")).toEqual([[2], "requests per second", 1]);
    const [[p95]] = (await of("http_p95")) as [[number]];
    expect(p95 / 2).toBeCloseTo(1, 1);
    await create({
      name: "Failures",
      service: "checkout",
      signal: "http_error_rate",
      comparison: "above",
      threshold: 0.01,
      minutes: 1,
    });
    server.clock.advance(2 * minuteMs);
    await server.app.inject({
      method: "POST",
      url,
      headers: key.headers,
      payload: [{ timestamp: nowMs(), method: "GET", path: "/", duration: 1, status_code: 503 }],
    });
    server.clock.advance(3 * minuteMs);
    await round();
    const [alert] = await alerts();
    expect(alert).toMatchObject({
      signal: "http_error_rate",
      unit: "ratio",
      profile_type: "cpu",
      current_value: 1,
    });
    expect(received[0]!.title).toBe('Warning: error rate in checkout above 1.0% (rule "Failures")');
  });

  it("of one route are of its requests alone, with one method or with all", async () => {
    const ms = nowMs() - 60 * minuteMs;
    const request = { timestamp: ms, method: "GET", path: "/cart/{id}", duration: 0.1, status_code: 200 };
    const url = "/api/v1/ingest/http-metrics?service=checkout";
    const send = (payload: object[]) =>
      server.app.inject({ method: "POST", url, headers: key.headers, payload });
    const failed = { ...request, status_code: 503, duration: 4 };
    const others = Array.from({ length: 16 }, () => ({ ...request, path: "/orders" }));
    await send([request, request, request, failed, { ...failed, method: "POST" }, ...others]);
    const of = async (signal: string, route: string | null) =>
      known(await preview({ service: "checkout", signal, route }));
    expect(await of("http_error_rate", "GET /cart/{id}")).toEqual([0.25]);
    expect(await of("http_error_rate", "POST /cart/{id}")).toEqual([1]);
    expect(await of("http_error_rate", "/cart/{id}")).toEqual([0.4]);
    expect(await of("http_error_rate", "/orders")).toEqual([0]);
    expect(await of("http_error_rate", "GET /nowhere")).toEqual([]);
    expect(await of("http_error_rate", null)).toEqual([2 / 21]);
    expect(await of("http_request_rate", "GET /cart/{id}")).toEqual([4 / 60]);
    const [p95] = await of("http_p95", "POST /cart/{id}");
    expect(p95! / 4).toBeCloseTo(1, 1);
  });

  it("of one route open an alert that names the route, in a round with rules of other series", async () => {
    const slow = {
      ...{ name: "Cart slow", service: "checkout", signal: "http_p95", route: "GET /cart/{id}" },
      ...{ comparison: "above", threshold: 1, minutes: 1 },
    } as const satisfies AlertRuleBody;
    const rule = await create(slow);
    expect(rule).toMatchObject({ route: "GET /cart/{id}", unit: "seconds" });
    await create({ ...slow, name: "Orders slow", route: "/orders" });
    await create({ ...slow, name: "All slow", route: null, threshold: 60 });
    server.clock.advance(2 * minuteMs);
    const request = { timestamp: nowMs(), status_code: 200, method: "GET" };
    const payload = [
      { ...request, path: "/cart/{id}", duration: 2 },
      { ...request, path: "/orders", duration: 0.1 },
      { ...request, path: "/cart/{id}", method: "POST", duration: 0.1 },
    ];
    const url = "/api/v1/ingest/http-metrics?service=checkout";
    await server.app.inject({ method: "POST", url, headers: key.headers, payload });
    server.clock.advance(3 * minuteMs);
    await round();
    const opened = await alerts();
    expect(opened).toMatchObject([
      { signal: "http_p95", route: "GET /cart/{id}", rule: { id: rule.id, name: "Cart slow" } },
    ]);
    expect(received[0]!.title).toBe(
      'Warning: p95 of GET /cart/{id} in checkout above 1 s (rule "Cart slow")',
    );
    const changed = await call("PUT", `${rulesUrl}/${rule.id}`, { ...slow, route: "/cart/{id}" });
    expect(changed.body.rule).toMatchObject({ route: "/cart/{id}" });
    expect(await alerts()).toMatchObject([{ status: "resolved", route: "GET /cart/{id}" }]);
  });

  it("show what would have happened in seven days", async () => {
    const minutesAgo = Array.from({ length: 100 }, (_, index) => 2 * (index + 1));
    await Promise.all(
      minutesAgo.map((minute) =>
        sendHeap(minute > 160 || (minute < 60 && minute > 30) ? 300 : 100, {
          ms: nowMs() - minute * minuteMs,
        }),
      ),
    );
    const found = await preview({
      service: "checkout",
      profile_type: "memory",
      sample_type: "inuse_space/bytes",
      threshold: 200 * MiB,
      minutes: 10,
    });
    expect(found.alerts_total).toBe(2);
    const [later, earlier] = found.alerts;
    expect(later).toMatchObject({ value: 300 * MiB, began_at: iso(nowMs() - 58 * minuteMs) });
    expect(earlier!.resolved_at).not.toBeNull();
    expect(found.values).toHaveLength(Math.ceil((Date.parse(found.to) - Date.parse(found.from)) / 600_000));
    expect((await call("GET", rulesUrl)).body.rules).toEqual([]);
  });
});
