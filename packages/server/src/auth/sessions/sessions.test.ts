import type { Tokens } from "@flamekeep/contract";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rowBackends } from "#store/testing/backends.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { startSession } from "./session.ts";
import { openSessionLookup } from "./session-lookup.ts";

const backends = await rowBackends(isFullLength);
const graceMs = 20_000;
const [first, second] = [
  "the first secret of this server, long enough",
  "the second secret of this server, as long",
] as const;

describe.each(backends)("sessions on $name", (backend) => {
  let store: Awaited<ReturnType<typeof backend.create>>;
  beforeAll(async () => {
    store = await backend.create();
  });
  afterAll(() => store.remove());

  const start = (env: Record<string, string>) =>
    startApp({ at: "2026-11-20T10:00:00.000Z", env, config: { rows: store.config } });

  async function refresh(server: TestApp, token: string) {
    const headers = { authorization: `Bearer ${token}` };
    const reply = await server.app.inject({ method: "POST", url: "/auth/refresh-token", headers });
    const tokens: Partial<Tokens> = reply.json().tokens ?? {};
    return { status: reply.statusCode, ...tokens };
  }

  async function status(server: TestApp, accessToken: string) {
    const headers = { authorization: `Bearer ${accessToken}` };
    return (await server.app.inject({ url: "/api/v1/protected/user/profile", headers })).statusCode;
  }

  describe("of a server that runs on", () => {
    let server: TestApp;
    beforeAll(async () => {
      server = await start({ AUTH_SECRET: first });
    });
    afterAll(() => server.close());

    it("keep one chain when twenty tabs renew at once, and end when an old token comes after the grace", async () => {
      let { refreshToken } = await server.signUp();
      for (let round = 0; round < 5; round++) {
        const replies = await Promise.all(Array.from({ length: 20 }, () => refresh(server, refreshToken)));
        expect(replies.map((reply) => reply.status)).toEqual(Array(20).fill(200));
        const children = new Set(replies.map((reply) => reply.refresh_token));
        expect(children.size).toBe(1);
        refreshToken = [...children][0] as string;
      }
      const spent = refreshToken;
      const { refresh_token } = await refresh(server, spent);
      server.clock.advance(graceMs + 1);
      expect((await refresh(server, spent)).status).toBe(401);
      expect((await refresh(server, refresh_token ?? "")).status).toBe(401);
    });

    it("do not start for an account that is disabled while it signs in", async () => {
      const { userId: id, orgId } = await server.signUp("disabled@example.com");
      const account = server.rows.selectFrom("users").select("passwordHash").where("id", "=", id);
      const { passwordHash } = await account.executeTakeFirstOrThrow();
      const owner = { id, orgId, role: "admin", passwordHash } as const;
      const origin = { address: "127.0.0.1", userAgent: undefined };
      expect(await startSession(server.ctx, owner, origin)).toBeDefined();
      await server.rows.updateTable("users").set({ isActive: 0 }).where("id", "=", id).execute();
      expect(await startSession(server.ctx, owner, origin)).toBeUndefined();
    });

    it("do not start for somebody who is removed from the organization while they sign in", async () => {
      const { userId: id, orgId } = await server.signUp("removed@example.com");
      const account = server.rows.selectFrom("users").select("passwordHash").where("id", "=", id);
      const { passwordHash } = await account.executeTakeFirstOrThrow();
      await server.rows.deleteFrom("memberships").where("userId", "=", id).execute();
      const sessions = server.rows.selectFrom("sessions").select("id").where("userId", "=", id);
      const before = await sessions.execute();
      const owner = { id, orgId, role: "admin", passwordHash } as const;
      const origin = { address: "127.0.0.1", userAgent: undefined };
      expect(await startSession(server.ctx, owner, origin)).toBeUndefined();
      expect(await sessions.execute()).toEqual(before);
    });

    it.each(["session", "person", "organization"])(
      "are not kept if those of the %s end while they are read",
      async (what) => {
        const { userId, orgId } = await server.signUp();
        const row = server.rows.selectFrom("sessions").select("id").where("userId", "=", userId);
        const { id } = await row.executeTakeFirstOrThrow();
        const lookup = openSessionLookup(server.rows, server.clock.now);
        const reading = lookup.find(id);
        if (what === "session") lookup.forget(id);
        else if (what === "person") lookup.forgetUser(userId);
        else lookup.forgetOrganization(orgId);
        expect(await reading).toMatchObject({ userId, orgId });
        await server.rows.updateTable("users").set({ isActive: 0 }).where("id", "=", userId).execute();
        expect(await lookup.find(id)).toBeUndefined();
      },
    );
  });

  it("survive a change of the secret while the former one is set, then go on with the new one alone", async () => {
    const before = await start({ AUTH_SECRET: first });
    const { accessToken, refreshToken } = await before.signUp("rotated@example.com");
    const child = (await refresh(before, refreshToken)).refresh_token;
    await before.close();

    const both = await start({ AUTH_SECRET: second, AUTH_SECRET_PREVIOUS: first });
    expect(await status(both, accessToken)).toBe(200);
    // A tab that did not get the reply before the restart asks again.
    expect((await refresh(both, refreshToken)).refresh_token).toBe(child);
    const renewed = await refresh(both, child ?? "");
    expect(await status(both, renewed.access_token ?? "")).toBe(200);
    await both.close();

    const after = await start({ AUTH_SECRET: second });
    expect(await status(after, accessToken)).toBe(401);
    expect(await status(after, renewed.access_token ?? "")).toBe(200);
    expect((await refresh(after, renewed.refresh_token ?? "")).status).toBe(200);
    await after.close();
  });
});
