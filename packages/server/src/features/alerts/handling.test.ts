import { randomUUID } from "node:crypto";
import type { Alert } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { writeProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { deliverDue } from "#alerts/deliver.ts";
import { runAlerts } from "#alerts/job.ts";
import { expectedAlerts } from "#alerts/store/handling.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

const at = "2026-11-20T12:00:00.000Z";
const nowMs = Date.parse(at);
const lease = { name: "alerts", holder: "this test", lastsMs: 60_000 };

let server: TestApp;
let ada: Person;
let sendCpu: (startedMs: number, encodeMs: number) => Promise<void>;

beforeAll(async () => {
  server = await startApp({ at });
  ada = await server.signUp();
  const { headers } = await server.makeKey(ada);
  sendCpu = async (startedMs, encodeMs) => {
    const stacks = `
      main                    main
      encode                  query
      ${encodeMs * 1e6}       ${200 * 1e6}`;
    const profile = profileOf(stacks, {
      sampleTypes: ["cpu/nanoseconds"],
      durationNs: 10_000_000_000n,
    });
    const query = { service: "checkout", type: "cpu", started_at: new Date(startedMs).toISOString() };
    await server.send(writeProfile(profile), { headers, query });
  };
  for (let minute = -90; minute < 0; minute += 2) {
    await sendCpu(nowMs + minute * minuteMs, (minute < -30 ? 100 : 260) + (minute % 5));
  }
  server.clock.advance(2 * minuteMs);
  await runAlerts(server.ctx, lease);
});
afterAll(() => server.close());

async function alerts(): Promise<Alert[]> {
  const reply = await server.app.inject({ url: "/api/v1/protected/alerts", headers: ada.headers });
  return reply.json().alerts;
}

async function act(id: string, action: string, as = ada, payload: object = {}) {
  const url = `/api/v1/protected/alerts/${id}/${action}`;
  const reply = await server.app.inject({ method: "POST", url, payload, headers: as.headers });
  return { status: reply.statusCode, body: reply.json() };
}

it("an alert is acknowledged with name and time, which everybody sees until it is taken back", async () => {
  const [alert] = await alerts();
  expect(alert!.acknowledged).toBeUndefined();
  const { firstName, lastName } = await server.rows
    .selectFrom("users")
    .select(["firstName", "lastName"])
    .where("id", "=", ada.userId)
    .executeTakeFirstOrThrow();
  const acknowledged = { by: `${firstName} ${lastName}`, at: server.ctx.now().toISOString() };
  const reply = await act(alert!.id, "acknowledge");
  expect([reply.status, reply.body.alert]).toEqual([200, { ...alert, acknowledged }]);
  expect(await alerts()).toEqual([{ ...alert, acknowledged }]);
  const back = await act(alert!.id, "acknowledge", ada, { is_acknowledged: false });
  expect(back.body.alert).toEqual(alert);
  expect(await alerts()).toEqual([alert]);
});

it("viewers, other organizations and unknown alerts change nothing", async () => {
  const [alert] = await alerts();
  const [viewer, eve] = [await server.signUp(), await server.signUp()];
  await server.setRole(viewer, "viewer");
  for (const action of ["acknowledge", "expect"]) {
    expect((await act(alert!.id, action, viewer)).status).toBe(403);
    expect((await act(alert!.id, action, eve)).status).toBe(404);
    expect((await act(randomUUID(), action)).status).toBe(404);
  }
  expect(await alerts()).toEqual([alert]);
});

it("an alert that is expected resolves, says so, and its level opens no other one", async () => {
  const emails = ["oncall@example.com"];
  const settings = { method: "PUT", url: "/api/v1/protected/alert-settings", payload: { emails } } as const;
  expect((await server.app.inject({ ...settings, headers: ada.headers })).statusCode).toBe(200);
  const [alert] = await alerts();
  await act(alert!.id, "acknowledge");
  const { status, body } = await act(alert!.id, "expect");
  const expectedAt = server.ctx.now().toISOString();
  expect(status).toBe(200);
  expect(body.alert).toMatchObject({ status: "resolved", resolved_at: expectedAt });
  expect(body.alert.expected).toEqual({ by: body.alert.acknowledged.by, at: expectedAt });
  expect((await act(alert!.id, "expect")).status).toBe(422);
  expect((await act(alert!.id, "acknowledge")).status).toBe(422);
  expect(await deliverDue(server.ctx)).toBe(1);
  const mails = await server.rows.selectFrom("alertDeliveries").select(["event", "status"]).execute();
  expect(mails).toEqual([{ event: "resolved", status: "delivered" }]);
  const audited = await server.rows
    .selectFrom("auditEntries")
    .select(["target"])
    .where("event", "=", "alert.expected")
    .execute();
  expect(audited).toEqual([{ target: "checkout, cpu" }]);
  for (let minute = 2; minute < 60; minute += 2) {
    server.clock.advance(2 * minuteMs);
    await sendCpu(nowMs + minute * minuteMs, 260 + (minute % 5));
  }
  await runAlerts(server.ctx, lease);
  const headers = await signInAgain();
  const reply = await server.app.inject({ url: "/api/v1/protected/alerts", headers });
  expect(reply.json().alerts.map(({ id, status }: Alert) => [id, status])).toEqual([[alert!.id, "resolved"]]);
  const { evaluatedTo } = await server.rows
    .selectFrom("alertProgress")
    .select("evaluatedTo")
    .executeTakeFirstOrThrow();
  expect(Date.parse(evaluatedTo)).toBeGreaterThan(nowMs + 50 * minuteMs);
});

it("an alert that is no longer expected stays resolved, and its level is not accepted any more", async () => {
  ada = { ...ada, headers: await signInAgain() };
  const levels = () => expectedAlerts(server.rows, ada.orgId, new Date(0));
  const [alert] = await alerts();
  expect(alert!.expected).toBeDefined();
  expect(await levels()).toHaveLength(1);
  const back = await act(alert!.id, "expect", ada, { is_expected: false });
  expect(back.status).toBe(200);
  expect(back.body.alert).toMatchObject({ status: "resolved", acknowledged: alert!.acknowledged });
  expect(back.body.alert.expected).toBeUndefined();
  expect(await levels()).toEqual([]);
  expect((await act(alert!.id, "expect", ada, { is_expected: false })).status).toBe(422);
});

/** An access token lasts fifteen minutes. */
async function signInAgain() {
  const payload = { email: ada.email, password: ada.password };
  const reply = await server.app.inject({ method: "POST", url: "/auth/login", payload });
  return { authorization: `Bearer ${reply.json().tokens.access_token}` };
}
