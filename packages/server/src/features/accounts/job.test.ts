import { dayMs } from "@flamekeep/contract/durations";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import fastify from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rowBackends } from "#store/testing/backends.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { startAppOn } from "#testing/start-app-on.ts";
import { registerExpiryJob, removeExpired } from "./job.ts";

it("removes expired sessions and tokens while the server listens, again and again, until it stops", async () => {
  const server = await startApp({ at: "2026-11-20T10:00:00.000Z" });
  const rows = async () => {
    const sessions = await server.rows.selectFrom("sessions").select("id").execute();
    const tokens = await server.rows.selectFrom("refreshTokens").select("id").execute();
    return [sessions.length, tokens.length];
  };
  const app = fastify();
  registerExpiryJob(app, server.ctx, { firstAfterMs: 1, everyMs: 10 });
  await app.listen({ host: "127.0.0.1", port: 0 });
  for (let round = 0; round < 2; round++) {
    await server.signUp();
    expect(await rows()).toEqual([1, 1]);
    server.clock.advance(40 * dayMs);
    await expect.poll(rows, { timeout: 20_000 }).toEqual([0, 0]);
  }
  await app.close();
  await server.signUp();
  server.clock.advance(40 * dayMs);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await rows()).toEqual([1, 1]);
  await server.close();
});

const backends = await rowBackends(isFullLength);

describe.each(backends)("the removal of expired rows on $name", (backend) => {
  let server: TestApp;
  beforeEach(async () => {
    server = await startAppOn(backend);
  });
  afterEach(() => server.close());

  const remove = () => removeExpired(server.ctx.rows, server.clock.now());

  async function count(table: "sessions" | "refreshTokens" | "tokenBuckets" | "knownAddresses") {
    const query = server.rows.selectFrom(table).select(({ fn }) => fn.countAll<number>().as("count"));
    return (await query.executeTakeFirstOrThrow()).count;
  }

  async function post(url: string, token: string) {
    const headers = { authorization: `Bearer ${token}` };
    return server.app.inject({ method: "POST", url, headers });
  }

  it("keeps active sessions, and deletes those that ended or were idle for too long", async () => {
    const idle = await server.signUp();
    const signedOut = await server.signUp();
    const busy = await server.signUp();
    await post("/auth/logout", signedOut.accessToken);
    expect(await remove()).toMatchObject({ refreshTokens: 0, sessions: 1 });
    server.clock.advance(10 * dayMs);
    const { refresh_token: next } = (await post("/auth/refresh-token", busy.refreshToken)).json().tokens;
    expect(await remove()).toMatchObject({ refreshTokens: 0, sessions: 0 });
    server.clock.advance(5 * dayMs);
    expect(await remove()).toMatchObject({ refreshTokens: 2, sessions: 1 });
    expect([await count("sessions"), await count("refreshTokens")]).toEqual([1, 1]);
    expect((await post("/auth/refresh-token", idle.refreshToken)).statusCode).toBe(401);
    expect((await post("/auth/refresh-token", next)).statusCode).toBe(200);
  });

  it("deletes invitations that nobody accepted in time", async () => {
    const { headers } = await server.signUp();
    const url = "/api/v1/protected/organization/invitations";
    for (const expires_in_days of [1, 3]) {
      const reply = await server.app.inject({ method: "POST", url, headers, payload: { expires_in_days } });
      expect(reply.statusCode).toBe(201);
    }
    expect(await remove()).toMatchObject({ invitations: 0 });
    server.clock.advance(2 * dayMs);
    expect(await remove()).toMatchObject({ invitations: 1 });
  });

  it("deletes public links that have expired", async () => {
    const { headers } = await server.signUp();
    const url = "/api/v1/protected/organization";
    const allow = { method: "PUT", url: `${url}/public-links`, payload: { is_allowed: true } } as const;
    await server.app.inject({ ...allow, headers });
    const times = { from: "2026-11-20T09:00:00Z", to: "2026-11-20T10:00:00Z" };
    const graph = { kind: "range", service: "checkout", type: "cpu", ...times };
    for (const expires_in_days of [1, 7]) {
      const payload = { graph, expires_in_days };
      const reply = await server.app.inject({ method: "POST", url: `${url}/shared-links`, headers, payload });
      expect(reply.statusCode).toBe(201);
    }
    expect(await remove()).toMatchObject({ sharedLinks: 0 });
    server.clock.advance(2 * dayMs);
    expect(await remove()).toMatchObject({ sharedLinks: 1 });
  });

  it("deletes the usage of API keys after 30 days", async () => {
    const person = await server.signUp();
    const { id } = await server.makeKey(person);
    const key = { orgId: person.orgId, keyId: id };
    server.ctx.keyUsage.countStored(key, 1, 10);
    server.ctx.keyUsage.countRefused(key, { code: "too_large", message: "too large" });
    await server.ctx.keyUsage.flush();
    server.clock.advance(29 * dayMs);
    expect(await remove()).toMatchObject({ keyUsageDays: 0 });
    server.clock.advance(dayMs);
    expect(await remove()).toMatchObject({ keyUsageDays: 2 });
  });

  it("deletes more rows than fit into one step", async () => {
    const { userId, orgId } = await server.signUp();
    const createdAt = server.clock.now().toISOString();
    const sessions = Array.from({ length: 1200 }, (_, i) => ({
      id: `session-${i}`,
      userId,
      orgId,
      createdAt,
      expiresAt: createdAt,
    }));
    await server.rows.insertInto("sessions").values(sessions).execute();
    expect(await remove()).toMatchObject({ sessions: 1200 });
    expect(await count("sessions")).toBe(1);
  });

  it("deletes unused addresses in steps, so that requests are served in between", async () => {
    const { userId } = await server.signUp();
    await server.rows.deleteFrom("knownAddresses").execute();
    const lastUsedAt = new Date(server.clock.now().getTime() - 181 * dayMs).toISOString();
    const addresses = Array.from({ length: 1200 }, (_, i) => ({
      userId,
      addressHash: `hash-${i}`,
      lastUsedAt,
    }));
    await server.rows.insertInto("knownAddresses").values(addresses).execute();
    const deleted: number[] = [];
    const observed = server.ctx.rows.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        deleted.push(Number(result.numAffectedRows));
        return result;
      },
    });
    expect(await removeExpired(observed, server.clock.now())).toMatchObject({ knownAddresses: 1200 });
    expect(deleted.filter((rows) => rows > 0)).toEqual([500, 500, 200]);
  });

  it("deletes token buckets that are full again, and addresses unused for 180 days", async () => {
    await server.signUp();
    const payload = { email: "nobody@example.com", password: "wrong" };
    await server.app.inject({ method: "POST", url: "/auth/login", payload });
    expect(await remove()).toMatchObject({ tokenBuckets: 0, knownAddresses: 0 });
    expect(await count("tokenBuckets")).toBe(3);
    server.clock.advance(60_000);
    expect(await remove()).toMatchObject({ tokenBuckets: 1 });
    server.clock.advance(180 * dayMs);
    expect(await remove()).toMatchObject({ tokenBuckets: 2, knownAddresses: 1 });
    expect([await count("tokenBuckets"), await count("knownAddresses")]).toEqual([0, 0]);
  });
});
