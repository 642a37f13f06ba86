import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashPassword } from "#auth/passwords/password.ts";
import { rowBackends } from "#store/testing/backends.ts";
import { startApp, type TestApp, testPassword } from "#testing/start-app.ts";
import { startAppOn } from "#testing/start-app-on.ts";

const sender = { email: "ada@example.com", password: testPassword, first_name: "Ada", last_name: "Lovelace" };

const backends = await rowBackends(isFullLength);

describe.each(backends)("accounts on $name", (backend) => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startAppOn(backend);
  });
  afterAll(() => server.close());

  function post(url: string, payload: object, headers: Record<string, string> = {}) {
    return server.app.inject({ method: "POST", url, payload, headers });
  }

  function refresh(token: string) {
    return server.app.inject({
      method: "POST",
      url: "/auth/refresh-token",
      headers: { authorization: `Bearer ${token}` },
    });
  }

  function me(token: string) {
    const headers = { authorization: `Bearer ${token}` };
    return server.app.inject({ url: "/api/v1/protected/user/profile", headers });
  }

  describe("register", () => {
    it("creates a user, an organization with the user as admin, and a session", async () => {
      const reply = await post("/auth/register", sender);
      expect(reply.statusCode).toBe(201);
      const { user, tokens } = reply.json();
      expect(user).toMatchObject({
        email: "ada@example.com",
        first_name: "Ada",
        last_name: "Lovelace",
        name: "Ada Lovelace",
        role: "admin",
        is_active: true,
        is_verified: false,
        created_at: "2026-11-20T10:00:00.000Z",
        last_login_at: "2026-11-20T10:00:00.000Z",
      });
      const profile = await me(tokens.access_token);
      expect(profile.json().user).toEqual(user);
      expect(reply.headers["cache-control"]).toBe("no-store");
    });

    it("answers 409 for an address that is taken, in any case", async () => {
      const reply = await post("/auth/register", { ...sender, email: " ADA@Example.com" });
      expect(reply.statusCode).toBe(409);
      expect(reply.json()).toMatchObject({ code: "conflict" });
    });

    it("accepts only one of two concurrent registrations", async () => {
      const both = await Promise.all(
        [1, 2].map(() => post("/auth/register", { ...sender, email: "twin@example.com" })),
      );
      expect(both.map((reply) => reply.statusCode).sort()).toEqual([201, 409]);
    });

    it.each([
      [{}, "All fields are required"],
      [{ ...sender, last_name: undefined, email: "no" }, "All fields are required"],
      [{ ...sender, first_name: " " }, "All fields are required"],
      [{ ...sender, email: "no", password: "short" }, "Please enter a valid email address"],
      [{ ...sender, email: "a b@c.de" }, "Please enter a valid email address"],
      [{ ...sender, email: "ada\u200b@example.com" }, "Please enter a valid email address"],
      [{ ...sender, email: "ada@exam\u00adple.com" }, "Please enter a valid email address"],
      [
        { ...sender, email: "new@example.com", password: "1234567" },
        "Password must be at least 8 characters long",
      ],
      [
        { ...sender, email: "new@example.com", password: "x".repeat(1025) },
        "Password must be at most 1024 characters long",
      ],
      [
        { ...sender, email: "new@example.com", first_name: "A\u2066a" },
        "A name must not contain control characters, marks of direction or invisible characters",
      ],
      [
        { ...sender, email: "new@example.com", last_name: "evil\u200fmoc" },
        "A name must not contain control characters, marks of direction or invisible characters",
      ],
      [
        { ...sender, email: "new@example.com", last_name: "Love\u200blace" },
        "A name must not contain control characters, marks of direction or invisible characters",
      ],
    ])("reports errors in the order of the specification for %j", async (payload, message) => {
      const reply = await post("/auth/register", payload);
      expect(reply.statusCode).toBe(400);
      expect(reply.json()).toMatchObject({ error: message, code: "invalid" });
    });

    it("is refused if sign-up is not open", async () => {
      const closed = await startApp({ env: { SIGNUP: "invite" } });
      const signUpMode = async () => (await closed.app.inject("/api/v1/config")).json().sign_up;
      // The first account is admitted.
      const modes = [await signUpMode()];
      await closed.signUp();
      modes.push(await signUpMode());
      const reply = await closed.app.inject({ method: "POST", url: "/auth/register", payload: sender });
      await closed.close();
      expect(modes).toEqual(["open", "invite"]);
      expect(reply.statusCode).toBe(403);
      expect(reply.json().error).toMatch(/Ask an admin of your organization/);
    });
  });

  describe("login", () => {
    it("accepts an address in any case", async () => {
      const reply = await post("/auth/login", { email: "ADA@example.COM", password: testPassword });
      expect(reply.statusCode).toBe(200);
      expect(reply.json().user.email).toBe("ada@example.com");
      expect((await me(reply.json().tokens.access_token)).statusCode).toBe(200);
    });

    it.each([[{}], [{ email: "a@b.de" }], [{ email: "", password: "x" }]])(
      "asks for both fields, given %j",
      async (payload) => {
        const reply = await post("/auth/login", payload);
        expect(reply.statusCode).toBe(400);
        expect(reply.json().error).toBe("Email and password are required");
      },
    );

    it.each([
      [{ email: `${"a".repeat(250)}@b.de`, password: "x" }, "Please enter a valid email address"],
      [{ email: "a@b.de", password: "x".repeat(1025) }, "Password must be at most 1024 characters long"],
    ])("refuses a field that is longer than any account has", async (payload, message) => {
      const reply = await post("/auth/login", payload);
      expect(reply.statusCode).toBe(400);
      expect(reply.json().error).toBe(message);
    });

    it("replaces a hash that was made at another cost", async () => {
      const person = await server.signUp();
      const other = await hashPassword(testPassword, { memoryCost: 2048, timeCost: 1, parallelism: 1 });
      const users = () =>
        server.rows.selectFrom("users").select("passwordHash").where("id", "=", person.userId);
      await server.rows
        .updateTable("users")
        .set({ passwordHash: other })
        .where("id", "=", person.userId)
        .execute();
      const attempt = (password: string) => post("/auth/login", { email: person.email, password });
      expect((await attempt("not the one")).statusCode).toBe(401);
      expect(await users().executeTakeFirst()).toEqual({ passwordHash: other });
      const both = await Promise.all([attempt(testPassword), attempt(testPassword)]);
      expect(both.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
      const { passwordHash } = await users().executeTakeFirstOrThrow();
      expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=1024,t=1,p=1\$/);
      expect((await attempt(testPassword)).statusCode).toBe(200);
      expect(await users().executeTakeFirst()).toEqual({ passwordHash });
    });

    it("gives the same reply for an unknown address and a wrong password", async () => {
      const wrong = await post("/auth/login", { email: sender.email, password: "not the one" });
      const unknown = await post("/auth/login", { email: "nobody@example.com", password: "not the one" });
      expect(wrong.statusCode).toBe(401);
      expect(unknown.statusCode).toBe(401);
      expect(unknown.json().error).toBe(wrong.json().error);
      expect(unknown.headers["www-authenticate"]).toBe(wrong.headers["www-authenticate"]);
    });

    it("stores and logs no password and no token", async () => {
      const person = await server.signUp("canary@example.com");
      const tables = [
        "users",
        "sessions",
        "refreshTokens",
        "tokenBuckets",
        "knownAddresses",
        "apiKeys",
      ] as const;
      const key = await server.makeKey(person);
      const dump = JSON.stringify(
        await Promise.all(tables.map((t) => server.rows.selectFrom(t).selectAll().execute())),
      );
      const whole = dump + server.logged.join("\n");
      expect(dump).toContain("canary@example.com");
      for (const secret of [testPassword, person.refreshToken, person.accessToken, key.key]) {
        expect(whole).not.toContain(secret);
      }
    });
  });

  describe("refresh", () => {
    it("exchanges a token for the next pair repeatedly", async () => {
      const person = await server.signUp();
      let token = person.refreshToken;
      for (let i = 0; i < 3; i++) {
        const reply = await refresh(token);
        expect(reply.statusCode).toBe(200);
        const { tokens } = reply.json();
        expect(tokens.refresh_token).not.toBe(token);
        expect((await me(tokens.access_token)).statusCode).toBe(200);
        token = tokens.refresh_token;
        server.clock.advance(60_000);
      }
    });

    it("gives two tabs the same child within twenty seconds", async () => {
      const person = await server.signUp();
      const both = await Promise.all([refresh(person.refreshToken), refresh(person.refreshToken)]);
      expect(both.map((reply) => reply.statusCode)).toEqual([200, 200]);
      server.clock.advance(20_000);
      const later = await refresh(person.refreshToken);
      const children = new Set([...both, later].map((reply) => reply.json().tokens.refresh_token));
      expect(children.size).toBe(1);
    });

    it("revokes the session if an exchanged token is reused after the grace period", async () => {
      const person = await server.signUp();
      const child = (await refresh(person.refreshToken)).json().tokens;
      server.clock.advance(20_001);
      expect((await refresh(person.refreshToken)).statusCode).toBe(401);
      expect((await refresh(child.refresh_token)).statusCode).toBe(401);
      expect((await me(child.access_token)).statusCode).toBe(401);
    });

    it("never accepts the token before the parent, even within the grace period", async () => {
      const person = await server.signUp();
      const child = (await refresh(person.refreshToken)).json().tokens.refresh_token;
      const grandchild = (await refresh(child)).json().tokens.refresh_token;
      expect((await refresh(person.refreshToken)).statusCode).toBe(401);
      expect((await refresh(grandchild)).statusCode).toBe(401);
    });

    it("ends idle sessions after 14 days and every session after 90", async () => {
      const idle = await server.signUp();
      const busy = await server.signUp();
      let token = busy.refreshToken;
      const day = 86_400_000;
      server.clock.advance(13 * day);
      token = (await refresh(token)).json().tokens.refresh_token;
      server.clock.advance(day);
      expect((await refresh(idle.refreshToken)).statusCode).toBe(401);
      // From day 14 on, at last a millisecond before the end of day 90.
      for (const pauseMs of [...Array(6).fill(12 * day), 4 * day - 1, 1]) {
        const reply = await refresh(token);
        expect(reply.statusCode).toBe(200);
        token = reply.json().tokens.refresh_token;
        server.clock.advance(pauseMs);
      }
      expect((await refresh(token)).statusCode).toBe(401);
    });

    it.each(["", "junk", "test-api-key", `fr_${"0".repeat(32)}${"A".repeat(43)}`])(
      "answers 401 to %j",
      async (token) => {
        expect((await refresh(token)).statusCode).toBe(401);
      },
    );

    it("accepts no access token, and a refresh token is not accepted as access token", async () => {
      const person = await server.signUp();
      expect((await refresh(person.accessToken)).statusCode).toBe(401);
      expect((await me(person.refreshToken)).statusCode).toBe(401);
    });

    it("accepts no token with a different secret", async () => {
      const person = await server.signUp();
      const last = person.refreshToken.at(-2) === "A" ? "B" : "A";
      expect(
        (await refresh(`${person.refreshToken.slice(0, -2)}${last}${person.refreshToken.at(-1)}`)).statusCode,
      ).toBe(401);
      expect((await refresh(person.refreshToken)).statusCode).toBe(200);
    });
  });

  describe("sessions", () => {
    it("end at once on logout, by access token or by refresh token", async () => {
      for (const pick of ["accessToken", "refreshToken"] as const) {
        const person = await server.signUp();
        expect((await me(person.accessToken)).statusCode).toBe(200);
        const reply = await post("/auth/logout", {}, { authorization: `Bearer ${person[pick]}` });
        expect(reply.statusCode).toBe(200);
        expect((await me(person.accessToken)).statusCode).toBe(401);
        expect((await refresh(person.refreshToken)).statusCode).toBe(401);
      }
    });

    it("answer 401 after fifteen minutes without a new access token", async () => {
      const person = await server.signUp();
      server.clock.advance(899_000);
      expect((await me(person.accessToken)).statusCode).toBe(200);
      server.clock.advance(1_000);
      expect((await me(person.accessToken)).statusCode).toBe(401);
    });

    it("end within ten seconds if another process deactivates the user", async () => {
      const person = await server.signUp();
      expect((await me(person.accessToken)).statusCode).toBe(200);
      await server.rows.updateTable("users").set({ isActive: 0 }).where("id", "=", person.userId).execute();
      server.clock.advance(10_000);
      expect((await me(person.accessToken)).statusCode).toBe(401);
      const login = await post("/auth/login", { email: person.email, password: testPassword });
      expect(login.statusCode).toBe(401);
    });
  });
});

it("calls without a session are bounded per address", async () => {
  const server = await startApp();
  const statuses = new Map<number, number>();
  for (let i = 0; i < 32; i++) {
    const reply = await server.app.inject({ method: "POST", url: "/auth/register", payload: {} });
    statuses.set(reply.statusCode, (statuses.get(reply.statusCode) ?? 0) + 1);
  }
  const elsewhere = {
    method: "POST",
    url: "/auth/register",
    payload: {},
    remoteAddress: "10.0.0.9",
  } as const;
  const other = await server.app.inject(elsewhere);
  await server.close();
  expect(Object.fromEntries(statuses)).toEqual({ 400: 30, 429: 2 });
  expect(other.statusCode).toBe(400);
});

it("calls without a session from one IPv6 /64 are counted together", async () => {
  const server = await startApp();
  const statuses = new Map<number, number>();
  const call = (remoteAddress: string) =>
    server.app.inject({ method: "POST", url: "/auth/register", payload: {}, remoteAddress });
  for (let i = 0; i < 32; i++) {
    const { statusCode } = await call(`2001:db8:1:2:${i.toString(16)}::1`);
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
  }
  const other = await call("2001:db8:1:3::1");
  await server.close();
  expect([Object.fromEntries(statuses), other.statusCode]).toEqual([{ 400: 30, 429: 2 }, 400]);
});
