import { randomUUID } from "node:crypto";
import type { Incident } from "@flamekeep/contract";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { storeAlert } from "#testing/store-alert.ts";

const hour = (of: number) => new Date(Date.UTC(2026, 10, 20, of)).toISOString();
const hostile = "<img src=x onerror=alert(1)>";

/** A series has one open alert at most. */
const goroutines = { type: "goroutine", sampleType: "goroutine/count" };

let server: TestApp;
let ada: Person;
let old: string;
let joined: string;
let newest: string;

beforeAll(async () => {
  server = await startApp({ at: hour(12) });
  ada = await server.signUp();
  old = await signal(hostile, 1, { resolvedAt: hour(2), increase: 0.3 });
  joined = await signal("checkout", 4, { resolvedAt: hour(6), increase: 0.3 });
  await signal("checkout", 5, { incidentId: joined, beganAt: hour(3), ...goroutines });
  newest = await signal("checkout", 9, { increase: 0.1 });
});
afterAll(() => server.close());

interface Change extends Partial<typeof goroutines> {
  readonly incidentId?: string;
  readonly beganAt?: string;
  readonly resolvedAt?: string;
  readonly increase?: number;
}

async function signal(service: string, openedAt: number, change: Change): Promise<string> {
  const at = hour(openedAt);
  const profileId = randomUUID().replaceAll("-", "");
  const id = await storeAlert(server.rows, { orgId: ada.orgId, service, at, profileId });
  const update = server.rows.updateTable("alerts").set(change);
  await update.where("orgId", "=", ada.orgId).where("id", "=", id).execute();
  return id;
}

async function get(path: string, as = ada) {
  const url = `/api/v1/protected/incidents${path}`;
  const reply = await server.app.inject({ url, headers: as.headers });
  return { status: reply.statusCode, body: reply.json() };
}

async function idsOf(query: string): Promise<string[]> {
  const { status, body } = await get(query);
  expect(status).toBe(200);
  return body.incidents.map(({ id }: Incident) => id);
}

it("an incident has its signals, from the earliest beginning, with the highest severity", async () => {
  const { body } = await get(`/${joined}`);
  expect(body.incident).toMatchObject({
    id: joined,
    service: "checkout",
    timestamp: hour(4),
    began_at: hour(3),
  });
  expect(body.incident).toMatchObject({ status: "open", resolved_at: null, severity: "critical" });
  const alerts = await server.app.inject({ url: "/api/v1/protected/alerts", headers: ada.headers });
  const own = alerts.json().alerts.filter((alert: Incident["signals"][0]) => alert.incident_id === joined);
  expect(own).toHaveLength(2);
  expect(body.incident.signals).toEqual(own.toReversed());
  expect([body.incident.comment_count, body.comments]).toEqual([0, []]);
});

it("an incident is over when its last signal is; names stay as they are", async () => {
  const { body } = await get(`/${old}`);
  expect(body.incident).toMatchObject({ status: "resolved", resolved_at: hour(2), severity: "warning" });
  expect([body.incident.service, body.incident.began_at]).toEqual([hostile, hour(1)]);
});

it("incidents are listed newest first, by service, state and time", async () => {
  expect(await idsOf("")).toEqual([newest, joined, old]);
  expect(await idsOf("?status=open")).toEqual([newest, joined]);
  expect(await idsOf("?status=resolved")).toEqual([old]);
  expect(await idsOf(`?service=${encodeURIComponent(hostile)}`)).toEqual([old]);
  expect(await idsOf(`?from=${hour(3)}`)).toEqual([newest, joined]);
  expect(await idsOf(`?from=${hour(0)}&to=${hour(4)}`)).toEqual([old]);
});

it("incidents come in pages, each one whole", async () => {
  const first = await get("?limit=2");
  expect(first.body.incidents.map(({ signals }: Incident) => signals.length)).toEqual([1, 2]);
  const second = await get(`?limit=2&cursor=${first.body.next_cursor}`);
  expect(second.body.incidents.map(({ id }: Incident) => id)).toEqual([old]);
  expect(second.body.next_cursor).toBeNull();
  expect((await get("?cursor=nonsense")).status).toBe(400);
});

it("another organization sees none of them, and unknown ones are not found", async () => {
  const eve = await server.signUp();
  expect((await get("", eve)).body).toEqual({ incidents: [], next_cursor: null });
  expect((await get(`/${joined}`, eve)).status).toBe(404);
  expect((await get(`/${randomUUID()}`)).status).toBe(404);
});
