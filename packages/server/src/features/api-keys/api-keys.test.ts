import { dayMs } from "@flamekeep/contract/durations";
import { writeProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openKeyLookup } from "#auth/keys/key-lookup.ts";
import { rowBackends } from "#store/testing/backends.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { startAppOn } from "#testing/start-app-on.ts";

const url = "/api/v1/protected/api-keys";

const backends = await rowBackends(isFullLength);

describe.each(backends)("API keys on $name", (backend) => {
  let server: TestApp;
  let ada: Person;
  beforeAll(async () => {
    server = await startAppOn(backend);
    ada = await server.signUp();
  });
  afterAll(() => server.close());

  function create(person: Person, payload: object) {
    return server.app.inject({ method: "POST", url, headers: person.headers, payload });
  }

  async function list(person: Person, query = "") {
    const reply = await server.app.inject({ url: `${url}${query}`, headers: person.headers });
    expect(reply.statusCode).toBe(200);
    return reply.json();
  }

  describe("create", () => {
    it("is refused for a member who was removed while the call was on its way", async () => {
      const grace = await server.signUp();
      expect((await create(grace, { name: "before" })).statusCode).toBe(201);
      await server.rows.deleteFrom("memberships").where("userId", "=", grace.userId).execute();
      // The session is still in the cache.
      expect((await create(grace, { name: "after" })).statusCode).toBe(403);
      const names = await server.rows
        .selectFrom("apiKeys")
        .select("name")
        .where("createdBy", "=", grace.userId)
        .execute();
      expect(names).toEqual([{ name: "before" }]);
    });

    it("returns the full key once and stores a hash", async () => {
      const reply = await create(ada, { name: "  checkout  " });
      expect(reply.statusCode).toBe(201);
      const { key, ...rest } = reply.json().api_key;
      expect(key).toMatch(/^fk_[0-9A-Za-z]{61}$/);
      expect(rest).toMatchObject({
        name: "checkout",
        prefix: key.slice(0, 15),
        is_active: true,
        created_at: "2026-11-20T10:00:00.000Z",
        updated_at: "2026-11-20T10:00:00.000Z",
        last_used: null,
      });
      expect((await list(ada)).api_keys).toContainEqual(rest);
      const stored = await server.rows.selectFrom("apiKeys").selectAll().execute();
      expect(JSON.stringify(stored)).not.toContain(key.slice(15));
    });

    it("makes keys of 32 hexadecimal digits for Datadog's libraries, which every call takes", async () => {
      const reply = await create(ada, { name: "datadog", format: "datadog" });
      const { id, key, prefix } = reply.json().api_key;
      expect([key, prefix]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), key.slice(0, 4)]);
      expect(await server.ctx.keys.find(key)).toMatchObject({ keyId: id, scope: "ingest" });
      const other = key.replace(/.$/, (digit: string) => (digit === "0" ? "1" : "0"));
      expect(await server.ctx.keys.find(other)).toBeUndefined();
      await server.send(profileOf("main\n3"), { headers: { "x-api-key": key } });
      await server.app.inject({ method: "DELETE", url: `${url}/${id}`, headers: ada.headers });
      expect(await server.ctx.keys.find(key)).toBeUndefined();
    });

    it.each([
      [{}, "API key name is required"],
      [{ name: "   " }, "API key name is required"],
      [{ name: 7 }, "API key name is required"],
      [{ name: "x".repeat(101) }, "API key name must be at most 100 characters"],
      [
        { name: "a\0b" },
        "API key name must not contain control characters, marks of direction or invisible characters",
      ],
    ])("refuses %j", async (payload, message) => {
      const reply = await create(ada, payload);
      expect(reply.statusCode).toBe(400);
      expect(reply.json()).toMatchObject({ error: message, code: "invalid" });
    });

    it("accepts a name of exactly 100 characters", async () => {
      expect((await create(ada, { name: "x".repeat(100) })).statusCode).toBe(201);
    });

    it("stops at the limit of active keys, and keeps the same number of revoked keys", async () => {
      const env = { ORG_API_KEYS_MAX: "3" };
      const limited = await startApp({ env, config: { rows: (await backend.create()).config } });
      try {
        const person = await limited.signUp();
        const other = await limited.signUp();
        const make = (who = person) =>
          limited.app.inject({ method: "POST", url, headers: who.headers, payload: { name: "key" } });
        const replies = await Promise.all(Array.from({ length: 8 }, () => make()));
        expect(replies.map((reply) => reply.statusCode).toSorted()).toEqual([
          201, 201, 201, 403, 403, 403, 403, 403,
        ]);
        const refused = (await make()).json();
        expect(refused).toMatchObject({
          code: "quota_exceeded",
          error:
            "Your organization has reached its limit of 3 active API keys (ORG_API_KEYS_MAX). Revoke one first.",
        });
        expect((await make(other)).statusCode).toBe(201);
        for (let i = 0; i < 5; i++) {
          const { api_keys: keys } = (await limited.app.inject({ url, headers: person.headers })).json();
          const { id } = keys.find((key: { is_active: boolean }) => key.is_active);
          await limited.app.inject({ method: "DELETE", url: `${url}/${id}`, headers: person.headers });
          limited.clock.advance(1000);
          expect((await make()).statusCode).toBe(201);
        }
        const { api_keys: keys } = (await limited.app.inject({ url, headers: person.headers })).json();
        const active = keys.filter((key: { is_active: boolean }) => key.is_active);
        expect([active.length, keys.length]).toEqual([3, 6]);
      } finally {
        await limited.close();
      }
    });

    it("is refused to viewers", async () => {
      const viewer = await server.signUp();
      await server.setRole(viewer, "viewer");
      const reply = await create(viewer, { name: "mine" });
      expect(reply.statusCode).toBe(403);
      expect(reply.json().error).toMatch(/admin or member/);
      expect((await list(viewer)).total).toBe(0);
    });
  });

  describe("list", () => {
    it("is newest first, in pages", async () => {
      const person = await server.signUp();
      for (const name of ["first", "second", "third"]) {
        await server.makeKey(person, name);
        server.clock.advance(1000);
      }
      const page = await list(person, "?page=1&page_size=2");
      expect(page).toMatchObject({ page: 1, page_size: 2, total: 3 });
      expect(page.api_keys.map((key: { name: string }) => key.name)).toEqual(["third", "second"]);
      const rest = await list(person, "?page=2&page_size=2");
      expect(rest.api_keys.map((key: { name: string }) => key.name)).toEqual(["first"]);
      expect(await list(person)).toMatchObject({ page: 1, page_size: 20 });
    });

    it.each(["page=0", "page=x", "page_size=101"])("refuses %s and names it", async (query) => {
      const reply = await server.app.inject({ url: `${url}?${query}`, headers: ada.headers });
      expect(reply.statusCode).toBe(400);
      expect(reply.json().error).toContain(`'${query.split("=")[0]}'`);
    });
  });

  describe("use", () => {
    it("is recorded at most once a minute", async () => {
      const { id, key } = await server.makeKey(ada);
      const lastUsed = async () => {
        const found = (await list(ada, "?page_size=100")).api_keys.find((k: { id: string }) => k.id === id);
        return found.last_used;
      };
      const first = server.clock.now().toISOString();
      expect(await server.ctx.keys.find(key)).toEqual({
        orgId: ada.orgId,
        keyId: id,
        scope: "ingest",
        orgRetentionDays: null,
        ownLimits: {},
        expiresAt: null,
      });
      await expect.poll(lastUsed).toBe(first);
      server.clock.advance(59_000);
      await server.ctx.keys.find(key);
      expect(await lastUsed()).toBe(first);
      server.clock.advance(1_000);
      await server.ctx.keys.find(key);
      await expect.poll(lastUsed).toBe(server.clock.now().toISOString());
    });

    it("ends at once on revocation, and in other processes within ten seconds", async () => {
      const { id, key } = await server.makeKey(ada);
      const elsewhere = openKeyLookup(server.ctx.rows, server.ctx.log, server.clock.now, server.ctx.audit);
      expect(await server.ctx.keys.find(key)).toBeDefined();
      expect(await elsewhere.find(key)).toBeDefined();
      server.clock.advance(5);
      const reply = await server.app.inject({ method: "DELETE", url: `${url}/${id}`, headers: ada.headers });
      expect(reply.statusCode).toBe(200);
      expect(reply.json().api_key).toMatchObject({ id, is_active: false });
      expect(await server.ctx.keys.find(key)).toBeUndefined();
      server.clock.advance(10_000);
      expect(await elsewhere.find(key)).toBeUndefined();
    });

    it("is refused with another secret after a known public id", async () => {
      const { key } = await server.makeKey(ada);
      const other = await server.makeKey(ada);
      expect(await server.ctx.keys.find(key.slice(0, 15) + other.key.slice(15))).toBeUndefined();
      const row = server.rows.updateTable("apiKeys").set({ secretHash: "00".repeat(32) });
      await row.where("id", "=", other.id).execute();
      expect(await server.ctx.keys.find(other.key)).toBeUndefined();
    });
  });

  describe("expiry", () => {
    async function expiring(person: Person, days: number) {
      const reply = await create(person, { name: "short-lived", expires_in_days: days });
      expect(reply.statusCode).toBe(201);
      return reply.json().api_key;
    }

    it("refuses the key afterwards with a code and a sentence, and lists it as inactive", async () => {
      let person = await server.signUp();
      const { id, key, expires_at } = await expiring(person, 2);
      expect(Date.parse(expires_at) - server.clock.now().getTime()).toBe(2 * dayMs);
      const headers = { "x-api-key": key };
      server.clock.advance(2 * dayMs - 1);
      await server.send(profileOf("main\n1"), { headers });
      server.clock.advance(1);
      const reply = await server.trySend(profileOf("main\n2"), { headers });
      expect(reply.statusCode).toBe(401);
      expect(reply.json()).toMatchObject({
        code: "key_expired",
        error: `This API key expired on ${expires_at.slice(0, 10)}. Create a new one under Settings and replace it in your senders.`,
      });
      person = await signedInAgain(person);
      expect((await list(person)).api_keys).toMatchObject([{ id, is_active: false, expires_at }]);
      expect((await usageOf(person, id)).refusals).toMatchObject([{ code: "key_expired", count: 1 }]);
    });

    it.each([0, -1, 1.5, 3651, "7"])("cannot be after %j days", async (expires_in_days) => {
      const reply = await create(await server.signUp(), { name: "key", expires_in_days });
      expect([reply.statusCode, reply.json().code]).toEqual([400, "invalid"]);
    });
  });

  /** The clock moved past the end of the session's access token. */
  async function signedInAgain(person: Person): Promise<Person> {
    const { email, password } = person;
    const reply = await server.app.inject({
      method: "POST",
      url: "/auth/login",
      payload: { email, password },
    });
    return { ...person, headers: { authorization: `Bearer ${reply.json().tokens.access_token}` } };
  }

  async function usageOf(person: Person, id: string) {
    const reply = await server.app.inject({ url: `${url}/${id}/usage`, headers: person.headers });
    expect(reply.statusCode).toBe(200);
    return reply.json().usage;
  }

  describe("usage", () => {
    it("counts stored profiles, their bytes and refusals by code, for each key", async () => {
      const person = await server.signUp();
      const [key, other] = [await server.makeKey(person), await server.makeKey(person)];
      const sent = writeProfile(profileOf("main\n1"));
      await server.send(sent, key);
      await server.send(sent, key);
      await server.send(profileOf("main\n2"), { ...key, query: { service: "t" } });
      await server.trySend(Buffer.from("not a profile"), key);
      await server.trySend(Buffer.from("nor this"), key);
      const tooLong = { ...key.headers, "content-length": "999999999999" };
      await server.app.inject({ method: "POST", url: "/ingest?name=s", headers: tooLong, payload: "x" });
      const usage = await usageOf(person, key.id);
      const bytes = sent.length + writeProfile(profileOf("main\n2")).length;
      expect(usage).toMatchObject({ profiles: 2, bytes, refused: 3 });
      const day = server.clock.now().toISOString().slice(0, 10);
      expect(usage.days).toEqual([{ day, profiles: 2, bytes, refused: 3 }]);
      expect(usage.refusals.map(({ code, count }: never) => [code, count])).toEqual([
        ["invalid", 2],
        ["too_large", 1],
      ]);
      expect(usage.refusals[0].last_message).toMatch(/profile/);
      expect(await usageOf(person, other.id)).toMatchObject({ profiles: 0, bytes: 0, refused: 0, days: [] });
    });

    it("adds up over the days that are shown, and forgets older ones", async () => {
      let person = await server.signUp();
      const { id } = await server.makeKey(person);
      const key = { orgId: person.orgId, keyId: id };
      server.ctx.keyUsage.countStored(key, 5, 500);
      server.ctx.keyUsage.countRefused(key, { code: "rate_limited", message: "first" });
      await server.ctx.keyUsage.flush();
      server.clock.advance(29 * dayMs);
      server.ctx.keyUsage.countStored(key, 1, 100);
      server.ctx.keyUsage.countRefused(key, { code: "rate_limited", message: "a\0b" });
      person = await signedInAgain(person);
      const usage = await usageOf(person, id);
      expect(usage).toMatchObject({ profiles: 6, bytes: 600, refused: 2 });
      expect(usage.days).toHaveLength(2);
      expect(usage.refusals).toMatchObject([{ code: "rate_limited", count: 2, last_message: "ab" }]);
      server.clock.advance(dayMs);
      person = await signedInAgain(person);
      expect(await usageOf(person, id)).toMatchObject({ profiles: 1, bytes: 100, refused: 1 });
    });

    it("keeps counts that could not be written, and loses those of a removed key only", async () => {
      const person = await server.signUp();
      const [kept, removed] = [await server.makeKey(person), await server.makeKey(person)];
      const counts = server.ctx.keyUsage;
      await server.rows.schema.alterTable("apiKeyUsage").renameTo("usageAway").execute();
      for (const { id } of [kept, removed]) counts.countStored({ orgId: person.orgId, keyId: id }, 1, 10);
      const key = { orgId: person.orgId, keyId: kept.id };
      counts.countRefused(key, { code: "rate_limited", message: "first" });
      const writing = counts.flush();
      await Promise.resolve();
      // While the others are written.
      counts.countStored(key, 2, 20);
      counts.countRefused(key, { code: "rate_limited", message: "second" });
      counts.countRefused(key, { code: "too_large", message: "too large" });
      await writing;
      await server.rows.schema.alterTable("usageAway").renameTo("apiKeyUsage").execute();
      await server.rows.deleteFrom("apiKeys").where("id", "=", removed.id).execute();
      expect(await usageOf(person, kept.id)).toMatchObject({
        profiles: 3,
        bytes: 30,
        refusals: [
          { code: "rate_limited", count: 2, last_message: "second" },
          { code: "too_large", count: 1 },
        ],
      });
    });

    it("counts nothing twice if only a part could be written", async () => {
      const person = await server.signUp();
      const [first, last] = [await server.makeKey(person), await server.makeKey(person)];
      const counts = server.ctx.keyUsage;
      const { orgId } = person;
      await counts.flush();
      counts.countStored({ orgId, keyId: first.id }, 1, 10);
      // Parts have 500 rows. Those of unknown keys are not written.
      for (let i = 0; i < 500; i++) counts.countStored({ orgId, keyId: crypto.randomUUID() }, 1, 10);
      const unwritable = { orgId: null as unknown as string, keyId: last.id };
      counts.countStored(unwritable, 1, 10);
      await counts.flush();
      await server.rows.deleteFrom("apiKeys").where("id", "=", last.id).execute();
      expect(await usageOf(person, first.id)).toMatchObject({ profiles: 1, bytes: 10 });
    });

    it("of another organization is not found", async () => {
      const { id } = await server.makeKey(await server.signUp());
      const eve = await server.signUp();
      const reply = await server.app.inject({ url: `${url}/${id}/usage`, headers: eve.headers });
      expect([reply.statusCode, reply.json().error]).toEqual([404, `API key with ID ${id} not found`]);
    });
  });

  it("revoking a revoked key changes nothing, and is recorded once", async () => {
    const person = await server.signUp();
    const { id } = await server.makeKey(person, "once");
    const revoke = () =>
      server.app.inject({ method: "DELETE", url: `${url}/${id}`, headers: person.headers });
    const first = await revoke();
    server.clock.advance(60_000);
    const second = await revoke();
    expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
    expect(first.json().api_key).toMatchObject({ is_active: false });
    expect(second.json()).toEqual(first.json());
    const entries = server.rows
      .selectFrom("auditEntries")
      .select("target")
      .where("event", "=", "key.revoked");
    expect(await entries.where("orgId", "=", person.orgId).execute()).toEqual([{ target: "once" }]);
  });

  it("names who created each key", async () => {
    const person = await server.signUp();
    await server.makeKey(person, "theirs");
    const [{ created_by: creator }] = (await list(person)).api_keys;
    expect(creator).toEqual({ name: "Ada Lovelace", is_member: true });
  });

  it("revoking an unknown key answers 404", async () => {
    const { headers } = await server.signUp();
    const reply = await server.app.inject({ method: "DELETE", url: `${url}/nothing`, headers });
    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toMatchObject({ error: "API key with ID nothing not found", code: "not_found" });
  });
});
