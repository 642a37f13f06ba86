import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as calls from "@flamekeep/contract";
import { writeProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openKeyLookup } from "#auth/keys/key-lookup.ts";
import { demoOrgId } from "#context";
import { rowBackends, temporaryFolder } from "#store/testing/backends.ts";
import { type Person, startApp, type TestApp, type TestKey } from "#testing/start-app.ts";
import { startAppOn } from "#testing/start-app-on.ts";

const at = "2026-11-20T12:00:00.000Z";
const payloadOf = (name: string) => Buffer.from(writeProfile(profileOf(`main\n${name}\n1`)));
const bytes = payloadOf("a").length;

function send(server: TestApp, key: TestKey, name: string, service = "checkout") {
  return server.trySend(payloadOf(name), { headers: key.headers, query: { service } });
}

function change(server: TestApp, operator: Person, orgId: string, limits: object) {
  return server.app.inject({
    method: "PATCH",
    url: calls.toPath(calls.setOrganizationLimits, { id: orgId }),
    headers: operator.headers,
    payload: limits,
  });
}

async function limitsOf(server: TestApp, admin: Person): Promise<calls.LimitsInUse> {
  const url = calls.toPath(calls.getOrganizationLimits);
  const reply = await server.app.inject({ url, headers: admin.headers });
  return reply.json().limits;
}

async function overviewOf(
  server: TestApp,
  operator: Person,
): Promise<calls.ReplyOf<typeof calls.operatorOverview>> {
  const url = calls.toPath(calls.operatorOverview);
  return (await server.app.inject({ url, headers: operator.headers })).json();
}

describe.each(await rowBackends(isFullLength))("limits of an organization on $name", (backend) => {
  let server: TestApp;
  let operator: Person;
  beforeAll(async () => {
    server = await startAppOn(backend, { at });
    operator = await server.signUp();
  });
  afterAll(() => server.close());

  it("hold for its uploads at once, say whose they are, and leave others alone", async () => {
    const ada = await server.signUp();
    const key = await server.makeKey(ada);
    const otherKey = await server.makeKey(await server.signUp());
    expect((await send(server, key, "a")).statusCode).toBe(200);
    expect((await change(server, operator, ada.orgId, { stored_bytes: bytes })).statusCode).toBe(200);
    const full = await send(server, key, "b");
    expect([full.statusCode, full.json().code]).toEqual([403, "quota_exceeded"]);
    expect(full.json().error).toBe(
      `Your organization stores ${bytes} bytes of profiles; its limit is ${bytes}. Shorten the retention (PUT /api/v1/protected/organization/retention), delete a service, or ask the server's operator, who set this limit for your organization.`,
    );
    expect((await send(server, otherKey, "b")).statusCode).toBe(200);

    await change(server, operator, ada.orgId, { stored_bytes: null, services: 1 });
    expect((await send(server, key, "b")).statusCode).toBe(200);
    const further = await send(server, key, "c", "till");
    expect([further.statusCode, further.json().code]).toEqual([403, "quota_exceeded"]);
    expect(further.json().error).toContain("Your organization has 1 services; its limit is 1, and till");

    await change(server, operator, ada.orgId, { services: null, uploads_per_minute: 0 });
    const often = await send(server, key, "d");
    expect([often.statusCode, often.json().code]).toEqual([429, "rate_limited"]);
    expect(Number(often.headers["retry-after"])).toBeGreaterThan(0);
  });

  it("show their usage to its admins and the operator, and are in its audit log", async () => {
    const ada = await server.signUp();
    const key = await server.makeKey(ada);
    await send(server, key, "a");
    await send(server, key, "b", "till");
    await change(server, operator, ada.orgId, { stored_bytes: 1000 * bytes, retention_days: 7 });
    await change(server, operator, ada.orgId, { stored_bytes: 100 * bytes });
    await change(server, operator, ada.orgId, { stored_bytes: 100 * bytes });
    const limits = await limitsOf(server, ada);
    expect(limits).toEqual({
      stored_bytes: { value: 100 * bytes, used: 2 * bytes, source: "operator" },
      uploads_per_minute: { value: 1_200_000, used: expect.any(Number), source: "server" },
      services: { value: 100_000, used: 2, source: "server" },
      retention_days: { value: 7, used: 7, source: "operator" },
      analyses_per_day: { value: 2000, used: 0, source: "server" },
    });
    const { organizations } = await overviewOf(server, operator);
    expect(organizations.find(({ id }) => id === ada.orgId)).toMatchObject({ limits, storage_cost: null });
    const url = calls.toPath(calls.listAuditEntries);
    const { entries } = (await server.app.inject({ url, headers: ada.headers })).json();
    const changes = entries.filter(({ event }: { event: string }) => event === "organization.limits_changed");
    expect(changes.map(({ target }: { target: string }) => target)).toEqual([
      `stored_bytes: ${100 * bytes} (before: ${1000 * bytes})`,
      `stored_bytes: ${1000 * bytes} (before: the server's default); retention_days: 7 (before: the server's default)`,
    ]);
  });

  it("bound the retention that the organization chooses", async () => {
    const ada = await server.signUp();
    const url = calls.toPath(calls.updateRetention);
    const choose = (retention_days: number | null) =>
      server.app.inject({ method: "PUT", url, headers: ada.headers, payload: { retention_days } });
    expect((await choose(20)).statusCode).toBe(200);
    await change(server, operator, ada.orgId, { retention_days: 10 });
    const kept = await server.app.inject({ url, headers: ada.headers });
    expect(kept.json()).toMatchObject({ retention_days: 10, server_retention_days: 10 });
    const tooLong = await choose(11);
    expect([tooLong.statusCode, tooLong.json().error]).toEqual([
      400,
      "Field 'retention_days' must be at most 10, the operator's limit of your organization",
    ]);
    const key = await server.makeKey(ada);
    const query = { service: "s", started_at: "2026-11-05T12:00:00Z" };
    const old = await server.trySend(payloadOf("old"), { headers: key.headers, query });
    expect(old.json().error).toContain("only 10 days are kept");
    expect((await choose(5)).json()).toMatchObject({ retention_days: 5, server_retention_days: 10 });
    expect((await limitsOf(server, ada)).retention_days).toEqual({ value: 10, used: 5, source: "operator" });
  });

  it("bound its analyses of a day", async () => {
    const ada = await server.signUp();
    const key = await server.makeKey(ada);
    const { profile_id } = (await send(server, key, "a")).json();
    await change(server, operator, ada.orgId, { analyses_per_day: 0 });
    const url = calls.toPath(calls.analyzeProfile, { id: profile_id });
    const refused = await server.app.inject({ method: "POST", url, headers: ada.headers, payload: {} });
    expect([refused.statusCode, refused.json().code]).toEqual([429, "rate_limited"]);
    expect(refused.json().error).toBe(
      "Your organization has reached its daily limit of 0 analyses. For more, ask the server's operator, who set this limit for your organization. The limit resets at midnight UTC.",
    );
  });

  it("hold in other processes within ten seconds", async () => {
    const ada = await server.signUp();
    const { key } = await server.makeKey(ada);
    const elsewhere = openKeyLookup(server.ctx.rows, server.ctx.log, server.clock.now, server.ctx.audit);
    expect((await elsewhere.find(key))?.ownLimits).toEqual({});
    await change(server, operator, ada.orgId, { services: 5 });
    expect((await server.ctx.keys.find(key))?.ownLimits).toEqual({ services: 5 });
    server.clock.advance(10_000);
    expect((await elsewhere.find(key))?.ownLimits).toEqual({ services: 5 });
  });

  it.each([
    [{ stored_bytes: -1 }, "stored_bytes"],
    [{ stored_bytes: 1e300 }, "stored_bytes"],
    [{ services: 1.5 }, "services"],
    [{ services: "5" }, "services"],
    [{ retention_days: 0 }, "retention_days"],
    [{ retention_days: 31 }, "at most 30"],
    [{ unknown: 5 }, "unknown"],
    [{}, "at least one"],
  ])("refuse %j with a sentence", async (limits, expected) => {
    const reply = await change(server, operator, operator.orgId, limits);
    expect([reply.statusCode, reply.json().code]).toEqual([400, "invalid"]);
    expect(reply.json().error).toContain(expected);
  });

  it("refuse what is not JSON", async () => {
    const reply = await server.app.inject({
      method: "PATCH",
      url: calls.toPath(calls.setOrganizationLimits, { id: operator.orgId }),
      headers: { ...operator.headers, "content-type": "application/json" },
      payload: '{"stored_bytes":NaN}',
    });
    expect(reply.statusCode).toBe(400);
  });

  it("are changed by the operator only, and read by admins only", async () => {
    const ada = await server.signUp();
    expect((await change(server, ada, ada.orgId, { services: 5 })).statusCode).toBe(403);
    await server.setRole(ada, "member");
    const url = calls.toPath(calls.getOrganizationLimits);
    expect((await server.app.inject({ url, headers: ada.headers })).statusCode).toBe(403);
  });

  it("of a deleted organization are not found", async () => {
    const ada = await server.signUp();
    await change(server, operator, ada.orgId, { services: 5 });
    const url = calls.toPath(calls.deleteOrganization);
    const payload = { confirm: "Ada's organization" };
    await server.app.inject({ method: "DELETE", url, headers: ada.headers, payload });
    expect((await change(server, operator, ada.orgId, { services: 6 })).statusCode).toBe(404);
    const { organizations } = await overviewOf(server, operator);
    expect(organizations.map(({ id }) => id)).not.toContain(ada.orgId);
  });

  it("are shown with a price of storage, from which the cost of a month follows", async () => {
    const url = calls.toPath(calls.setStoragePrice);
    const set = (storage_price: object | null) =>
      server.app.inject({ method: "PUT", url, headers: operator.headers, payload: { storage_price } });
    const key = await server.makeKey(operator);
    await send(server, key, "paid");
    const price = { per_gb_month: 1000.5, currency: "EUR" };
    expect((await set(price)).json()).toEqual({ storage_price: { ...price, source: "operator" } });
    const overview = await overviewOf(server, operator);
    const own = overview.organizations.find(({ id }) => id === operator.orgId)!;
    expect(own.stored_bytes).toBeGreaterThan(0);
    expect(own.storage_cost).toBe((own.stored_bytes / 2 ** 30) * 1000.5);
    for (const bad of [
      { ...price, per_gb_month: -1 },
      { ...price, per_gb_month: 1e300 },
      { ...price, currency: "<b>" },
    ]) {
      expect((await set(bad)).statusCode).toBe(400);
    }
    expect((await set(null)).json()).toEqual({ storage_price: null });
  });

  it("outlive a restart", async () => {
    const ada = await server.signUp();
    const key = await server.makeKey(ada);
    await change(server, operator, ada.orgId, { stored_bytes: 1 });
    const next = await server.createApp();
    const payload = payloadOf("a");
    const call = {
      method: "POST",
      url: "/api/v1/ingest/profiles?service=s",
      headers: key.headers,
      payload,
    } as const;
    expect((await next.inject(call)).json().code).toBe("quota_exceeded");
    await next.close();
  });
});

describe("limits of the file", () => {
  const folder = temporaryFolder();
  const path = join(folder.path, "limits.json");
  afterAll(() => folder.remove());

  it("are shown as such, and cannot be changed in the app", async () => {
    const orgId = "b2c1f0de-93a4-4e7b-8a56-51d0c7e4f982";
    const price = { per_gb_month: 0.5, currency: "USD" };
    writeFileSync(
      path,
      JSON.stringify({ organizations: { [orgId]: { services: 1 } }, storage_price: price }),
    );
    const server = await startApp({ at, env: { LIMITS_FILE: path } });
    try {
      const operator = await server.signUp();
      expect(server.logged.join("\n")).toContain("LIMITS_FILE has limits of organizations that do not exist");
      // The id of an organization is known only once it is there.
      const { organizations } = server.ctx.config.limitsFile;
      (organizations as Map<string, object>).set(operator.orgId, { services: 1 });
      expect((await limitsOf(server, operator)).services).toMatchObject({ value: 1, source: "file" });
      const refused = await change(server, operator, operator.orgId, { services: 5 });
      expect([refused.statusCode, refused.json().code]).toEqual([409, "conflict"]);
      expect(refused.json().error).toContain("is from LIMITS_FILE");
      expect((await change(server, operator, operator.orgId, { stored_bytes: 5e9 })).statusCode).toBe(200);
      const key = await server.makeKey(operator);
      expect((await send(server, key, "a")).statusCode).toBe(200);
      expect((await send(server, key, "b", "till")).json().error).toContain(
        "limit for your organization in LIMITS_FILE",
      );
      expect((await overviewOf(server, operator)).storage_price).toEqual({ ...price, source: "file" });
      const url = calls.toPath(calls.setStoragePrice);
      const payload = { storage_price: null };
      const own = await server.app.inject({ method: "PUT", url, headers: operator.headers, payload });
      expect(own.statusCode).toBe(409);
    } finally {
      await server.close();
    }
  });

  it("of the demo can be its analyses only, in the app too", async () => {
    writeFileSync(path, JSON.stringify({ organizations: { [demoOrgId]: { analyses_per_day: 5 } } }));
    const server = await startApp({ at, env: { DEMO: "on", LIMITS_FILE: path } });
    try {
      const operator = await server.signUp();
      const bytesOfDemo = await change(server, operator, demoOrgId, { stored_bytes: 5 });
      expect(bytesOfDemo.json()).toMatchObject({
        code: "invalid",
        error: expect.stringContaining("'stored_bytes' cannot be set for the demo"),
      });
      const { organizations } = await overviewOf(server, operator);
      const demo = organizations.find(({ is_demo }) => is_demo);
      expect(demo?.limits.analyses_per_day).toMatchObject({ value: 5, source: "file" });
    } finally {
      await server.close();
    }
  });

  it("of the demo are refused at the start if they are others", async () => {
    writeFileSync(path, JSON.stringify({ organizations: { [demoOrgId]: { stored_bytes: 1 } } }));
    const start = startApp({ env: { DEMO: "on", LIMITS_FILE: path } });
    await expect(start).rejects.toThrow(/stored_bytes cannot be set for the demo.*only analyses_per_day can/);
  });
});
