import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { rowBackends } from "#store/testing/backends.ts";
import { startApp, type TestApp, testPassword } from "#testing/start-app.ts";
import { attemptLimits, countSession } from "./attempts.ts";
import { deviceCookie } from "./device-cookie.ts";

const backends = await rowBackends(isFullLength);

describe.each(backends)("sign-in limits on $name", (backend) => {
  let server: TestApp;
  let store: Awaited<ReturnType<typeof backend.create>>;
  let addresses = 0;
  beforeAll(async () => {
    store = await backend.create();
    server = await startServer();
  });
  afterAll(async () => {
    await server.close();
    await store.remove();
  });

  function startServer(at = "2026-11-20T10:00:00.000Z"): Promise<TestApp> {
    const env = { AUTH_SECRET: "a secret that outlives the server's restart" };
    return startApp({ at, env, config: { rows: store.config } });
  }

  /** An address that nothing was counted for yet. */
  function newAddress(): string {
    addresses++;
    return `198.51.${addresses >> 8}.${addresses & 255}`;
  }

  function attempt(email: string, password: string, remoteAddress: string, headers: object = {}) {
    const payload = { email, password };
    const sent = {
      method: "POST",
      url: "/auth/login",
      payload,
      remoteAddress,
      headers: { ...headers },
    } as const;
    return server.app.inject(sent);
  }

  async function signUp(email: string, remoteAddress: string): Promise<void> {
    const payload = { email, password: testPassword, first_name: "Ada", last_name: "Lovelace" };
    const reply = await server.app.inject({ method: "POST", url: "/auth/register", payload, remoteAddress });
    expect(reply.statusCode).toBe(201);
  }

  const wrong = "not the password";

  function statusesOf(replies: readonly { readonly statusCode: number }[]): Record<number, number> {
    const counts: Record<number, number> = {};
    for (const { statusCode } of replies) counts[statusCode] = (counts[statusCode] ?? 0) + 1;
    return counts;
  }

  it("evaluates no more than the limit of 100 concurrent guesses from one address", async () => {
    await signUp("parallel@example.com", newAddress());
    const attacker = newAddress();
    const guesses = Array.from({ length: 100 }, (_, i) =>
      attempt("parallel@example.com", `guess ${i}`, attacker),
    );
    const { capacity } = attemptLimits.accountAndAddress;
    expect(statusesOf(await Promise.all(guesses))).toEqual({ 401: capacity, 429: 100 - capacity });
  });

  it("evaluates no more than the limit of the account of 100 guesses from 100 addresses", async () => {
    await signUp("many-addresses@example.com", newAddress());
    const guesses = Array.from({ length: 100 }, (_, i) =>
      attempt("many-addresses@example.com", `guess ${i}`, newAddress()),
    );
    const { capacity } = attemptLimits.account;
    expect(statusesOf(await Promise.all(guesses))).toEqual({ 401: capacity, 429: 100 - capacity });
  });

  it("counts the addresses of one IPv6 /64 together", async () => {
    const guesses = Array.from({ length: 15 }, (_, i) =>
      attempt("six@example.com", wrong, `2001:db8:1:2:${i.toString(16)}::1`),
    );
    const { capacity } = attemptLimits.accountAndAddress;
    expect(statusesOf(await Promise.all(guesses))).toEqual({ 401: capacity, 429: 15 - capacity });
    expect((await attempt("six@example.com", wrong, "2001:db8:1:3::1")).statusCode).toBe(401);
  });

  it("lets the owner in from a known address while five other addresses keep guessing", async () => {
    const home = newAddress();
    await signUp("owner@example.com", home);
    const attackers = Array.from({ length: 5 }, newAddress);
    for (let round = 0; round < 3; round++) {
      const guesses = attackers.flatMap((from) =>
        Array.from({ length: 12 }, () => attempt("owner@example.com", wrong, from)),
      );
      await Promise.all(guesses);
      server.clock.advance(60_000);
    }
    expect((await attempt("owner@example.com", testPassword, newAddress())).statusCode).toBe(429);
    expect((await attempt("owner@example.com", testPassword, home)).statusCode).toBe(200);
  });

  it("lets the owner in with a known device while guesses come from the same address", async () => {
    const shared = newAddress();
    await signUp("device@example.com", shared);
    const signedIn = await attempt("device@example.com", testPassword, shared);
    const cookie = String(signedIn.headers["set-cookie"]).split(";")[0] as string;
    await Promise.all(Array.from({ length: 25 }, () => attempt("device@example.com", wrong, shared)));
    expect((await attempt("device@example.com", testPassword, shared)).statusCode).toBe(429);
    expect((await attempt("device@example.com", testPassword, shared, { cookie })).statusCode).toBe(200);
    expect((await attempt("device@example.com", testPassword, newAddress(), { cookie })).statusCode).toBe(
      200,
    );
  });

  it("allows one device a fixed number of attempts, however often its cookie is sent", async () => {
    const shared = newAddress();
    await signUp("stolen@example.com", shared);
    const signedIn = await attempt("stolen@example.com", testPassword, shared);
    const cookie = String(signedIn.headers["set-cookie"]).split(";")[0] as string;
    const guesses = Array.from({ length: 20 }, () =>
      attempt("stolen@example.com", wrong, newAddress(), { cookie }),
    );
    const { capacity } = attemptLimits.device;
    expect(statusesOf(await Promise.all(guesses))).toEqual({ 401: capacity, 429: 20 - capacity });
  });

  it("refuses device cookies that belong to another account or were changed", async () => {
    const shared = newAddress();
    await signUp("first@example.com", shared);
    await signUp("second@example.com", shared);
    const setCookie = String(
      (await attempt("first@example.com", testPassword, shared)).headers["set-cookie"],
    );
    expect(setCookie).toMatch(/; Path=\/auth\/login; Max-Age=15552000; HttpOnly; SameSite=Strict$/);
    const overHttps = { ...server.ctx, config: { ...server.ctx.config, publicUrl: "https://example.com" } };
    expect(deviceCookie(overHttps, "first@example.com", undefined)).toMatch(/; SameSite=Strict; Secure$/);
    const [name = "", value = ""] = (setCookie.split(";")[0] as string).split("=");
    const ofSecond = String(
      (await attempt("second@example.com", testPassword, shared)).headers["set-cookie"],
    );
    const nameOfSecond = ofSecond.split("=")[0] as string;
    await Promise.all(Array.from({ length: 10 }, () => attempt("first@example.com", wrong, shared)));
    await Promise.all(Array.from({ length: 10 }, () => attempt("second@example.com", wrong, shared)));
    const stretched = value.replace(/\.(\d+)\./, (_, expires) => `.${Number(expires) + 1}.`);
    const tries = [
      ["first@example.com", `${name}=${stretched}`],
      ["second@example.com", `${nameOfSecond}=${value}`],
      ["second@example.com", `${name}=${value}`],
    ] as const;
    for (const [email, cookie] of tries) {
      expect((await attempt(email, testPassword, shared, { cookie })).statusCode).toBe(429);
    }
    const cookie = `${name}=${value}`;
    expect((await attempt("first@example.com", testPassword, shared, { cookie })).statusCode).toBe(200);
  });

  it("does not block an office where 60 wrong passwords were tried", async () => {
    const office = newAddress();
    await signUp("colleague@example.com", office);
    await Promise.all(Array.from({ length: 60 }, (_, i) => attempt(`nobody${i}@example.com`, wrong, office)));
    expect((await attempt("colleague@example.com", testPassword, office)).statusCode).toBe(200);
  });

  it("bounds the guesses of one address over all accounts, and gives the same reply for accounts that know it", async () => {
    const office = newAddress();
    const emails = Array.from({ length: 21 }, (_, i) => `sprayed${i}@example.com`);
    await signUp(emails[0]!, office);
    await signUp(emails[1]!, office);
    const cookie = String((await attempt(emails[0]!, testPassword, office)).headers["set-cookie"]).split(
      ";",
    )[0] as string;
    const { capacity } = attemptLimits.address;
    // Registered accounts are included: 10 guesses at each of 20 accounts.
    const statuses: number[] = [];
    for (const email of emails.slice(0, 20)) {
      const guesses = await Promise.all(Array.from({ length: 10 }, () => attempt(email, wrong, office)));
      statuses.push(...guesses.map(({ statusCode }) => statusCode));
    }
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(statuses).toHaveLength(capacity);
    for (const email of [...emails, "not-registered@example.com"]) {
      expect((await attempt(email, wrong, office)).statusCode).toBe(429);
    }
    expect((await attempt(emails[0]!, testPassword, office, { cookie })).statusCode).toBe(200);
  });

  it("does not store the address of an untrusted proxy as a known address", async () => {
    const proxy = newAddress();
    const forwarded = { "x-forwarded-for": "192.0.2.1" };
    const email = "behind-proxy@example.com";
    const payload = { email, password: testPassword, first_name: "Ada", last_name: "Lovelace" };
    const url = "/auth/register";
    await server.app.inject({ method: "POST", url, payload, remoteAddress: proxy, headers: forwarded });
    expect((await attempt(email, testPassword, proxy, forwarded)).statusCode).toBe(200);
    const known = await server.rows
      .selectFrom("knownAddresses")
      .innerJoin("users", "users.id", "knownAddresses.userId")
      .select("addressHash")
      .where("emailKey", "=", email)
      .execute();
    expect(known).toEqual([]);
  });

  it("gives an unknown account the same replies with the same waits", async () => {
    await signUp("known@example.com", newAddress());
    const seen: string[][] = [];
    for (const email of ["known@example.com", "unknown@example.com"]) {
      const from = newAddress();
      const replies: string[] = [];
      for (let i = 0; i < 14; i++) {
        const { statusCode, headers, body } = await attempt(email, wrong, from);
        const { request_id: _, ...rest } = JSON.parse(body);
        replies.push(JSON.stringify([statusCode, headers["retry-after"], headers["set-cookie"], rest]));
      }
      seen.push(replies);
    }
    expect(seen[0]).toEqual(seen[1]);
    expect(seen[0]?.at(-1)).toContain("Too many failed attempts. Try again in 10 minutes.");
  });

  it("reports when the next attempt is possible, and accepts it then", async () => {
    const from = newAddress();
    await Promise.all(Array.from({ length: 10 }, () => attempt("wait@example.com", wrong, from)));
    const refused = await attempt("wait@example.com", wrong, from);
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "600"]);
    server.clock.advance(599_000);
    expect((await attempt("wait@example.com", wrong, from)).headers["retry-after"]).toBe("1");
    server.clock.advance(1000);
    expect((await attempt("wait@example.com", wrong, from)).statusCode).toBe(401);
    expect((await attempt("wait@example.com", wrong, from)).statusCode).toBe(429);
  });

  it("does not count right passwords, and a right one clears the wrong ones before it", async () => {
    const from = newAddress();
    await signUp("careful@example.com", newAddress());
    for (let round = 0; round < 4; round++) {
      for (let i = 0; i < 4; i++)
        expect((await attempt("careful@example.com", wrong, from)).statusCode).toBe(401);
      expect((await attempt("careful@example.com", testPassword, from)).statusCode).toBe(200);
    }
  });

  it("bounds the number of sessions that right passwords create", async () => {
    const count = () => countSession(server.ctx, "somebody");
    for (let i = 0; i < 60; i++) await count();
    await expect(count()).rejects.toThrow("Too many sign-ins. Try again in 2 s.");
    server.clock.advance(2000);
    await count();
  });

  it("starts no session beyond that bound, and forgives no failed attempt", async () => {
    const from = newAddress();
    await signUp("often@example.com", newAddress());
    const person = server.rows.selectFrom("users").select("id").where("emailKey", "=", "often@example.com");
    const { id } = await person.executeTakeFirstOrThrow();
    const sessions = async () =>
      (await server.rows.selectFrom("sessions").select("id").where("userId", "=", id).execute()).length;
    for (let i = 0; i < 60; i++) await countSession(server.ctx, id);
    const before = await sessions();
    for (let i = 0; i < 8; i++) await attempt("often@example.com", wrong, from);
    expect((await attempt("often@example.com", testPassword, from)).statusCode).toBe(429);
    expect(await sessions()).toBe(before);
    expect((await attempt("often@example.com", wrong, from)).statusCode).toBe(401);
    expect((await attempt("often@example.com", wrong, from)).statusCode).toBe(429);
  });

  it("does not lock anybody out after the clock ran four years ahead", async () => {
    const from = newAddress();
    await signUp("clock@example.com", newAddress());
    const subjects = async () =>
      (await server.rows.selectFrom("tokenBuckets").select("subject").execute()).map((row) => row.subject);
    const before = new Set(await subjects());
    await attempt("clock@example.com", wrong, from);
    const added = (await subjects()).filter((subject) => !before.has(subject));
    expect(added).toHaveLength(3);
    const ahead = server.clock.now().getTime() + 4 * 365 * 86_400_000;
    await server.rows
      .updateTable("tokenBuckets")
      .set({ fullAtMs: ahead })
      .where("subject", "in", added)
      .execute();
    const guesses = Array.from({ length: 20 }, () => attempt("clock@example.com", wrong, from));
    const { capacity } = attemptLimits.accountAndAddress;
    expect(statusesOf(await Promise.all(guesses))).toEqual({ 401: capacity, 429: 20 - capacity });
  });

  it("says how long the empty bucket takes, although the clock ran ahead for another one", async () => {
    const from = newAddress();
    const email = "wait@example.com";
    await signUp(email, newAddress());
    const { capacity, refillMs } = attemptLimits.accountAndAddress;
    await Promise.all(Array.from({ length: capacity }, () => attempt(email, wrong, from)));
    const ahead = server.clock.now().getTime() + 4 * 365 * 86_400_000;
    await server.rows
      .updateTable("tokenBuckets")
      .set({ fullAtMs: ahead })
      .where("subject", "like", "account:%")
      .execute();
    const refused = await attempt(email, wrong, from);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(refillMs / 1000);
    await server.rows.deleteFrom("tokenBuckets").where("subject", "like", "account:%").execute();
  });

  it("remembers refused attempts and requests for a reset without what was typed as address", async () => {
    const subjects: string[] = [];
    vi.spyOn(server.ctx.audit, "recordThrottled").mockImplementation(
      (subject) => void subjects.push(subject),
    );
    const typed = `${"typed".repeat(40)}@example.com`;
    const attacker = newAddress();
    for (let i = 0; i <= attemptLimits.accountAndAddress.capacity; i++) await attempt(typed, wrong, attacker);
    const payload = { email: typed };
    await server.app.inject({
      method: "POST",
      url: "/auth/forgot-password",
      payload,
      remoteAddress: attacker,
    });
    const expected = ["locked", "reset"].map((kind) => expect.stringMatching(`^${kind}:[0-9a-f]{64}$`));
    expect(subjects).toEqual(expected);
  });

  it("records no lock-out when the attempt could not be counted", async () => {
    const from = newAddress();
    await signUp("uncounted@example.com", newAddress());
    const locked = async () => {
      await server.ctx.audit.idle();
      const entries = server.rows
        .selectFrom("auditEntries")
        .select("id")
        .where("event", "=", "session.locked");
      return (await entries.execute()).length;
    };
    const before = await locked();
    await server.rows.schema.alterTable("tokenBuckets").renameTo("away").execute();
    const failed = await attempt("uncounted@example.com", wrong, from);
    await server.rows.schema.alterTable("away").renameTo("tokenBuckets").execute();
    expect(failed.statusCode).toBe(500);
    expect(await locked()).toBe(before);
    const { capacity } = attemptLimits.accountAndAddress;
    for (let i = 0; i < capacity; i++) await attempt("uncounted@example.com", wrong, from);
    expect((await attempt("uncounted@example.com", wrong, from)).statusCode).toBe(429);
    expect(await locked()).toBe(before + 1);
  });

  it("stores 20 addresses of an account", async () => {
    await signUp("traveller@example.com", newAddress());
    for (let i = 0; i < 22; i++) {
      server.clock.advance(10_000);
      expect((await attempt("traveller@example.com", testPassword, newAddress())).statusCode).toBe(200);
    }
    const found = await server.rows
      .selectFrom("knownAddresses")
      .innerJoin("users", "users.id", "knownAddresses.userId")
      .select("addressHash")
      .where("emailKey", "=", "traveller@example.com")
      .execute();
    expect(found).toHaveLength(20);
    expect(JSON.stringify(found)).not.toContain("198.51");
  });

  it("keeps its counts and known addresses after a restart", async () => {
    const home = newAddress();
    const attacker = newAddress();
    await signUp("restart@example.com", home);
    await Promise.all(Array.from({ length: 10 }, () => attempt("restart@example.com", wrong, attacker)));
    const at = server.clock.now().toISOString();
    await server.close();
    server = await startServer(at);
    expect((await attempt("restart@example.com", wrong, attacker)).statusCode).toBe(429);
    await Promise.all(Array.from({ length: 20 }, () => attempt("restart@example.com", wrong, newAddress())));
    const signedIn = await attempt("restart@example.com", testPassword, home);
    expect(signedIn.statusCode).toBe(200);
    const cookie = String(signedIn.headers["set-cookie"]).split(";")[0] as string;
    // Neither the address nor the device is known for longer than that.
    server.clock.advance(180 * 86_400_000);
    await Promise.all(Array.from({ length: 20 }, () => attempt("restart@example.com", wrong, newAddress())));
    expect((await attempt("restart@example.com", testPassword, home, { cookie })).statusCode).toBe(429);
  });
});
