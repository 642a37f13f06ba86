import { dayMs } from "@flamekeep/contract/durations";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { maintenanceQuery, query } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { findProfile } from "#store/profiles/profile-lookup.ts";
import { type Person, startApp, type TestApp, type TestKey } from "#testing/start-app.ts";
import { removeOldDays } from "./job.ts";

const api = "/api/v1/protected";
let server: TestApp;
let admin: Person;
let key: TestKey;

beforeAll(async () => {
  server = await startApp({
    hasSeparateColumns: true,
    at: "2026-11-20T12:00:00.000Z",
    env: { RETENTION_DAYS: "10", RETENTION_DAYS_BY_TYPE: "goroutine=3" },
  });
  admin = await server.signUp();
  key = await server.makeKey(admin);
});
afterAll(() => server.close());

async function send(
  service: string,
  startedAt: string,
  as = key,
): Promise<{ id: string; duplicate: boolean }> {
  const query = { service, started_at: startedAt };
  const sent = await server.send(profileOf("main\n1"), { headers: as.headers, query });
  return { id: sent.profile_id, duplicate: sent.duplicate };
}

async function sendRequests(service: string, at: string, as = key): Promise<void> {
  const request = {
    timestamp: at,
    duration: 0.1,
    status_code: 200,
    method: "GET",
    path: "/",
    request_id: "r",
  };
  const reply = await server.app.inject({
    method: "POST",
    url: "/api/v1/ingest/http-metrics",
    query: { service },
    headers: as.headers,
    payload: Buffer.from(JSON.stringify([request])),
  });
  expect(reply.statusCode).toBe(200);
}

async function call(method: "GET" | "PUT" | "DELETE", path: string, payload?: object, as = admin) {
  const body = payload === undefined ? {} : { payload };
  const reply = await server.app.inject({ method, url: `${api}${path}`, headers: as.headers, ...body });
  return { status: reply.statusCode, body: reply.json() };
}

/** Rows of a service in each table that has services; of all tables with `profile_id` those of the profile. */
async function rowsOf(orgId: string, service: string, profileId: string): Promise<Record<string, number>> {
  const columns = await server.ctx.columns.maintenance.query(
    maintenanceQuery({
      name: "test.tables",
      sql: `SELECT table, max(name = 'service') AS has FROM system.columns
            WHERE database = currentDatabase() AND table IN (
              SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree')
            GROUP BY table HAVING has OR max(name = 'profile_id')`,
      params: z.object({}),
      row: z.object({ table: z.string(), has: z.int() }),
    }),
    {},
  );
  const counts: Record<string, number> = {};
  for (const { table, has } of columns) {
    const condition = has === 1 ? "service = {service:String}" : "profile_id = {profileId:String}";
    const [row] = await server.ctx.columns.query(
      query({
        name: "test.rows",
        sql: `SELECT count() AS count FROM ${table} WHERE org_id = {orgId:UUID} AND ${condition}`,
        params: z.object({ orgId: z.string(), service: z.string(), profileId: z.string() }),
        row: z.object({ count: Count }),
      }),
      { orgId, service, profileId },
    );
    counts[table] = row?.count ?? 0;
  }
  return counts;
}

describe("deleting a service", () => {
  const at = "2026-11-20T09:30:00.000Z";

  it("removes all of it from every table, and nothing else", async () => {
    const { id } = await send("checkout", at);
    const other = await send("search", at);
    await sendRequests("checkout", at);
    await server.ctx.columns.maintenance.rollUp(server.ctx.now());
    const before = await rowsOf(admin.orgId, "checkout", id);
    const kept = await rowsOf(admin.orgId, "search", other.id);
    expect(Object.keys(before).length).toBeGreaterThanOrEqual(7);
    for (const table of ["profiles", "http_requests", "stack_totals_1h", "rolled_hours"]) {
      expect([table, before[table]]).toEqual([table, expect.any(Number)]);
      expect(before[table]).toBeGreaterThan(0);
    }

    expect((await call("GET", `/flamegraph/${id}`)).status).toBe(200);
    const { status, body } = await call("DELETE", "/services/checkout", { confirm: "checkout" });
    expect([status, body]).toEqual([200, { service: "checkout", profiles: 2, http_requests: 1 }]);
    expect(await server.ctx.payloads.read(admin.orgId, id)).toBeUndefined();
    expect(await server.ctx.payloads.read(admin.orgId, other.id)).toBeDefined();
    const nothing = Object.fromEntries(Object.keys(before).map((table) => [table, 0]));
    expect(await rowsOf(admin.orgId, "checkout", id)).toEqual(nothing);
    expect(await rowsOf(admin.orgId, "search", other.id)).toEqual(kept);
    expect((await call("GET", `/profile/${id}`)).status).toBe(404);
    expect((await call("GET", `/flamegraph/${id}`)).status).toBe(404);
    expect((await call("GET", "/services")).body.services.map(({ name }: { name: string }) => name)).toEqual([
      "search",
    ]);
  });

  it("lets the service start again with the same uploads, repeatedly", async () => {
    for (let round = 0; round < 3; round++) {
      const { id, duplicate } = await send("phoenix", at);
      expect([round, duplicate]).toEqual([round, false]);
      expect((await send("phoenix", at)).duplicate).toBe(true);
      expect((await call("GET", `/profile/${id}`)).body).toMatchObject({ service: "phoenix" });
      expect((await rowsOf(admin.orgId, "phoenix", id)).profiles).toBe(1);
      const { body } = await call("DELETE", "/services/phoenix", { confirm: "phoenix" });
      expect(body).toMatchObject({ profiles: 1 });
    }
  });

  it("does not wait for a recount of its hours, which waits for the removal", async () => {
    await send("doubtful", at);
    const { columns } = server.ctx;
    const hour = {
      orgId: admin.orgId,
      service: "doubtful",
      hourSeconds: Date.parse("2026-11-20T09:00:00Z") / 1000,
    };
    const spies = [columns, columns.direct].map((reader) => {
      const read = reader.query;
      const spy = vi.spyOn(reader, "query");
      return spy.mockImplementation((definition, params) => {
        if (definition.name === "retention.days-of-service") columns.maintenance.markDoubtful([hour]);
        return read(definition, params);
      });
    });
    const { status, body } = await call("DELETE", "/services/doubtful", { confirm: "doubtful" });
    for (const spy of spies) spy.mockRestore();
    expect([status, body]).toMatchObject([200, { profiles: 1 }]);
    expect(columns.maintenance.doubtfulHours()).toContainEqual(hour);
  });

  it("forgets what was changed on its project", async () => {
    await send("renamed", at);
    const payload = { description: "changed" };
    const url = `${api}/projects/renamed`;
    await server.app.inject({ method: "PATCH", url, headers: admin.headers, payload });
    await call("DELETE", "/services/renamed", { confirm: "renamed" });
    await send("renamed", at);
    const { projects } = (await call("GET", "/projects")).body;
    expect(projects).toContainEqual(
      expect.objectContaining({ id: "renamed", description: "Service: renamed" }),
    );
  });

  it("requires an admin who types the service's name", async () => {
    const { id } = await send("precious", at);
    const member = await server.signUp();
    const theirs = await server.makeKey(member);
    await send("precious", at, theirs);
    for (const payload of [{}, { confirm: "" }, { confirm: "Precious" }]) {
      expect((await call("DELETE", "/services/precious", payload)).status).toBe(400);
    }
    await server.setRole(member, "member");
    expect((await call("DELETE", "/services/precious", { confirm: "precious" }, member)).status).toBe(403);
    await server.setRole(member, "admin");
    const own = await call("DELETE", "/services/precious", { confirm: "precious" }, member);
    expect(own.body).toEqual({ service: "precious", profiles: 1, http_requests: 0 });
    const again = await call("DELETE", "/services/precious", { confirm: "precious" }, member);
    expect([again.status, again.body.error]).toEqual([404, "Service with ID precious not found"]);
    expect((await call("GET", `/profile/${id}`)).status).toBe(200);
  });
});

describe("retention", () => {
  it("is the server's unless an admin chose less", async () => {
    const person = await server.signUp();
    const path = "/organization/retention";
    expect((await call("GET", path, undefined, person)).body).toEqual({
      retention_days: null,
      server_retention_days: 10,
      server_days_by_type: { goroutine: 3 },
    });
    const changed = await call("PUT", path, { retention_days: 3 }, person);
    expect(changed.body).toMatchObject({ retention_days: 3, server_retention_days: 10 });
    expect((await call("GET", path, undefined, person)).body.retention_days).toBe(3);
    for (const days of [0, 11, 2.5, "7"]) {
      const { status, body } = await call("PUT", path, { retention_days: days }, person);
      expect([days, status]).toEqual([days, 400]);
      expect(body.error).toContain("retention_days");
    }
    expect((await call("PUT", path, { retention_days: null }, person)).body.retention_days).toBeNull();
    await server.setRole(person, "member");
    expect((await call("GET", path, undefined, person)).status).toBe(200);
    expect((await call("PUT", path, { retention_days: 1 }, person)).status).toBe(403);
  });

  it("drops days that no organization keeps, and the days that one organization no longer keeps", async () => {
    const frugal = await server.signUp();
    const frugalKey = await server.makeKey(frugal);
    const days = [9, 3].map((age) => Date.parse("2026-11-20T06:00:00.000Z") - age * dayMs);
    const ids: { ours: string; theirs: string }[] = [];
    for (const startedMs of days) {
      const startedAt = new Date(startedMs).toISOString();
      const [ours, theirs] = [await send("aging", startedAt), await send("aging", startedAt, frugalKey)];
      ids.push({ ours: ours.id, theirs: theirs.id });
      await sendRequests("aging", startedAt);
    }
    await call("PUT", "/organization/retention", { retention_days: 3 }, frugal);
    expect(await removeOldDays(server.ctx)).toEqual({ partitions: 0, rows: expect.any(Number) });
    // Not by calls: the session ends when the clock moves on.
    const isStored = async (orgId: string, id: string) => {
      const row = await findProfile(server.ctx.columns, orgId, id);
      const bytes = await server.ctx.payloads.read(orgId, id);
      expect(bytes === undefined).toBe(row === undefined);
      return row !== undefined;
    };
    const stored = () =>
      Promise.all(
        ids.map(async ({ ours, theirs }) => [
          await isStored(admin.orgId, ours),
          await isStored(frugal.orgId, theirs),
        ]),
      );
    expect(await stored()).toEqual([
      [true, false],
      [true, true],
    ]);
    server.clock.advance(2 * dayMs);
    const { partitions } = await removeOldDays(server.ctx);
    expect(partitions).toBeGreaterThanOrEqual(5);
    expect(await stored()).toEqual([
      [false, false],
      [true, false],
    ]);
    expect(await removeOldDays(server.ctx)).toEqual({ partitions: 0, rows: 0 });
  });

  it("is no longer than the operator's limit, which removes older days as well", async () => {
    const limited = await server.signUp();
    const theirs = await server.makeKey(limited);
    const now = server.clock.now().getTime();
    const [old, recent] = [
      await send("limited", new Date(now - 5 * dayMs).toISOString(), theirs),
      await send("limited", new Date(now - dayMs).toISOString(), theirs),
    ];
    await server.rows
      .insertInto("organizationLimits")
      .values({ orgId: limited.orgId, name: "retention_days", value: 2 })
      .execute();
    expect((await removeOldDays(server.ctx)).rows).toBeGreaterThan(0);
    const stored = [old, recent].map(({ id }) => findProfile(server.ctx.columns, limited.orgId, id));
    expect((await Promise.all(stored)).map((row) => row !== undefined)).toEqual([false, true]);
  });
});
