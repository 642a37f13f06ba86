import { minuteMs } from "@flamekeep/contract/durations";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ownAccount } from "#accounts/people/queries.ts";
import { startSession } from "#auth/sessions/session.ts";
import { rowBackends } from "#store/testing/backends.ts";
import { type MailServer, startMailServer, tokenIn } from "#testing/mail-server.ts";
import { startApp, type TestApp, testPassword } from "#testing/start-app.ts";
import { startAppOn } from "#testing/start-app-on.ts";

const backends = await rowBackends(isFullLength);
const newPassword = "a new staple for the battery";
/** Texts for databases, mail, HTML, paths and programs, and values of other types. */
const hostileValues: readonly unknown[] = [
  ...[
    "'",
    '"',
    "\\",
    "' OR '1'='1",
    "'; DROP TABLE users; --",
    "%",
    "_%",
    "a\u0000b",
    "\r\nBcc: eve@example.com",
    "a@b.c\r\nX: y",
  ],
  ...[
    "<script>alert(1)</script>@example.com",
    "<img/src=x>@b.c",
    "{{7*7}}",
    "#{7*7}",
    "../../etc/passwd",
    "|id",
    "$(id)",
    "`id`",
  ],
  ...[
    "__proto__",
    "constructor",
    "\ud800",
    "\u202eecila@example.com",
    "é@例え.jp",
    `${"a".repeat(300)}@b.c`,
    "x".repeat(60_000),
  ],
  ...["a,b@c.d", "<a@b.c>", '"a b"@c.d', "a@b.c,d", "a@b.c;d", "(x)a@b.c", "=?utf-8?q?x?=@b.c"],
  ...[0, -1, null, true, [], {}, ["ada@example.com"], { $gt: "" }, { toString: "x" }, 1e308],
];
const invalidToken = "Invalid or missing reset token. Please request a new password reset.";

describe.each(backends)("passwords on $name", (backend) => {
  let server: TestApp;
  let mailServer: MailServer;
  let addresses = 0;

  beforeAll(async () => {
    mailServer = await startMailServer();
    const env = { SMTP_URL: mailServer.url, PUBLIC_URL: "https://flamekeep.example.com" };
    server = await startAppOn(backend, { env });
  });
  afterAll(async () => {
    await server.close();
    await mailServer[Symbol.asyncDispose]();
  });
  afterEach(async () => {
    await server.ctx.mailQueue.idle();
    mailServer.mails.length = 0;
  });

  /** Each call comes from another network, whose limits are full, unless it says otherwise. */
  function post(
    url: string,
    payload: object,
    { headers = {}, from }: { headers?: object; from?: string } = {},
  ) {
    addresses++;
    const remoteAddress = from ?? `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
    return server.app.inject({ method: "POST", url, payload, remoteAddress, headers: { ...headers } });
  }

  const forgot = (email: string, from?: string) =>
    post("/auth/forgot-password", { email }, from === undefined ? {} : { from });
  const reset = (token: string, new_password = newPassword) =>
    post("/auth/reset-password", { token, new_password });
  const login = (email: string, password: string, from?: string) =>
    post("/auth/login", { email, password }, from === undefined ? {} : { from });
  const me = async (accessToken: string) =>
    (
      await server.app.inject({
        url: "/api/v1/protected/user/profile",
        headers: { authorization: `Bearer ${accessToken}` },
      })
    ).statusCode;

  /** The mails to an address about passwords, when all are sent. */
  async function mailsTo(email: string) {
    await server.ctx.mailQueue.idle();
    return mailServer.mails.filter(
      ({ to, source }) => to.includes(email) && !source.includes("verify-email"),
    );
  }

  async function tokenFor(email: string): Promise<string> {
    const before = (await mailsTo(email)).length;
    await forgot(email);
    const mails = await mailsTo(email);
    expect(mails).toHaveLength(before + 1);
    return tokenIn(mails.at(-1)?.source ?? "");
  }

  describe("forgotten", () => {
    it.each([
      [{}, "Please enter your email address"],
      [{ email: " " }, "Please enter your email address"],
      [{ email: "ada" }, "Please enter a valid email address"],
      [{ email: "ada@example.com\nBcc: eve@example.com" }, "Please enter a valid email address"],
    ])("are asked for with an address: %j", async (payload, message) => {
      const reply = await post("/auth/forgot-password", payload);
      expect([reply.statusCode, reply.json().error]).toEqual([400, message]);
    });

    it("give the same reply for addresses with and without an account, and only one mail", async () => {
      const { email } = await server.signUp();
      const replies = [await forgot(` ${email.toUpperCase()}`), await forgot("nobody@example.com")];
      expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
      expect(replies[0]?.json()).toEqual(replies[1]?.json());
      const sent = (await mailsTo(email)).concat(await mailsTo("nobody@example.com"));
      expect(sent.map(({ to }) => to)).toEqual([[email]]);
    });

    it("are reset by a link to the public address, never to a host that the request names", async () => {
      const { email } = await server.signUp();
      // Any address may be the Host; other names are refused.
      const headers = {
        host: "203.0.113.66",
        "x-forwarded-host": "evil.example.com",
        origin: "https://evil",
      };
      expect((await post("/auth/forgot-password", { email }, { headers })).statusCode).toBe(200);
      const [mail] = await mailsTo(email);
      expect(mail?.source).toContain("https://flamekeep.example.com/reset-password?token=");
      expect(mail?.source).not.toMatch(/evil|203\.0\.113/);
    });

    it("send three mails to an address in an hour, with the same reply to more requests", async () => {
      const { email } = await server.signUp();
      const replies = await Promise.all(Array.from({ length: 6 }, () => forgot(email)));
      expect(new Set(replies.map(({ body }) => body)).size).toBe(1);
      expect(await mailsTo(email)).toHaveLength(3);
      server.clock.advance(20 * minuteMs);
      await forgot(email);
      expect(await mailsTo(email)).toHaveLength(4);
    });

    it("answer 429 to the eleventh request from one network", async () => {
      const replies = await Promise.all(
        Array.from({ length: 12 }, (_, i) => forgot(`nobody${i}@example.com`, "198.51.100.7")),
      );
      expect(replies.filter(({ statusCode }) => statusCode === 429)).toHaveLength(2);
      expect((await forgot("nobody@example.com", "198.51.100.8")).statusCode).toBe(200);
    });

    it("send no mail to a closed account", async () => {
      const { email, userId } = await server.signUp();
      await server.rows.updateTable("users").set({ isActive: 0 }).where("id", "=", userId).execute();
      expect((await forgot(email)).statusCode).toBe(200);
      expect(await mailsTo(email)).toEqual([]);
    });
  });

  describe("reset", () => {
    it.each([
      [{}, "Both password fields are required"],
      [{ token: "", new_password: "" }, "Both password fields are required"],
      [{ token: "", new_password: "1234567" }, "Password must be at least 8 characters long"],
      [{ new_password: newPassword }, "Invalid or missing reset token"],
      [{ token: "x", new_password: newPassword }, invalidToken],
      [{ token: "A".repeat(43), new_password: newPassword }, invalidToken],
      [{ token: "' OR 1=1 --", new_password: newPassword }, invalidToken],
    ])("report errors in the order of the specification for %j", async (payload, message) => {
      const reply = await post("/auth/reset-password", payload);
      expect([reply.statusCode, reply.json().error]).toEqual([400, message]);
    });

    it("replace the old password, end every session and tell the owner", async () => {
      const person = await server.signUp();
      const elsewhere = (await login(person.email, testPassword)).json().tokens;
      const reply = await reset(await tokenFor(person.email));
      expect([reply.statusCode, Object.keys(reply.json())]).toEqual([200, ["message"]]);
      expect((await login(person.email, testPassword)).statusCode).toBe(401);
      expect((await login(person.email, newPassword)).statusCode).toBe(200);
      expect([await me(person.accessToken), await me(elsewhere.access_token)]).toEqual([401, 401]);
      for (const token of [person.refreshToken, elsewhere.refresh_token]) {
        const renewal = await post(
          "/auth/refresh-token",
          {},
          { headers: { authorization: `Bearer ${token}` } },
        );
        expect(renewal.statusCode).toBe(401);
      }
      const notice = (await mailsTo(person.email)).at(-1)?.source;
      expect(notice).toContain("Your Flamekeep password was changed");
    });

    it("accept a token once, of a hundred concurrent uses", async () => {
      const { email } = await server.signUp();
      const token = await tokenFor(email);
      const uses = await Promise.all(
        Array.from({ length: 100 }, (_, i) => reset(token, `the password of use ${i}`)),
      );
      const winners = uses.flatMap(({ statusCode }, i) => (statusCode === 200 ? [i] : []));
      expect(winners).toHaveLength(1);
      expect(new Set(uses.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 400]));
      expect((await login(email, `the password of use ${winners[0]}`)).statusCode).toBe(200);
      expect((await reset(token)).json().error).toBe(invalidToken);
    });

    it("accept a token for thirty minutes, and only the newest", async () => {
      const { email } = await server.signUp();
      const [first, second] = [await tokenFor(email), await tokenFor(email)];
      expect((await reset(first)).json().error).toBe(invalidToken);
      server.clock.advance(30 * minuteMs);
      expect((await reset(second)).json().error).toBe(invalidToken);
      const third = await tokenFor(email);
      server.clock.advance(30 * minuteMs - 1);
      expect((await reset(third)).statusCode).toBe(200);
    });

    it("do not accept the token that confirms an address", async () => {
      const { email } = await server.signUp();
      await server.ctx.mailQueue.idle();
      const verification = mailServer.mails.find(({ to }) => to.includes(email));
      expect((await reset(tokenIn(verification?.source ?? ""))).json().error).toBe(invalidToken);
    });

    it("end a lock-out, for every address", async () => {
      const { email } = await server.signUp();
      const lock = async (from: string) => {
        for (let i = 0; i < 10; i++) await login(email, "wrong password", from);
        expect((await login(email, testPassword, from)).statusCode).toBe(429);
      };
      await lock("198.51.100.20");
      await lock("198.51.100.21");
      // The limit of the account itself: a guess from elsewhere is refused too.
      expect((await login(email, testPassword, "198.51.100.22")).statusCode).toBe(429);
      expect((await reset(await tokenFor(email))).statusCode).toBe(200);
      for (const from of ["198.51.100.20", "198.51.100.21", "198.51.100.22"]) {
        expect([from, (await login(email, newPassword, from)).statusCode]).toEqual([from, 200]);
      }
    });

    it("refuse common passwords and the person's own name, and keep the token", async () => {
      const { email } = await server.signUp("grace.hopper@example.com");
      const token = await tokenFor(email);
      for (const common of [
        "Password1",
        "aaaaaaaaaaaa",
        "QWERTYUIOP",
        "Grace.Hopper-1906",
        "FlameKeep2026!",
      ]) {
        const { statusCode, body } = await reset(token, common);
        expect([common, statusCode, body]).toEqual([
          common,
          400,
          expect.stringContaining("Choose another one"),
        ]);
      }
      expect((await reset(token)).statusCode).toBe(200);
    });

    it("let no sign-in start a session that checked the former password", async () => {
      const { email, orgId, userId } = await server.signUp();
      const before = await ownAccount(server, { orgId, userId });
      await reset(await tokenFor(email));
      const origin = { address: "198.51.100.9", userAgent: undefined };
      expect(await startSession(server.ctx, before, origin)).toBeUndefined();
      const after = await ownAccount(server, { orgId, userId });
      expect(await startSession(server.ctx, after, origin)).toBeDefined();
      const { numSessions } = await server.rows
        .selectFrom("sessions")
        .select(({ fn }) => fn.countAll().as("numSessions"))
        .where("userId", "=", userId)
        .where("endedAt", "is", null)
        .executeTakeFirstOrThrow();
      expect(Number(numSessions)).toBe(1);
    });

    it("store and log no token", async () => {
      const { email } = await server.signUp();
      const token = await tokenFor(email);
      const stored = JSON.stringify(await server.rows.selectFrom("mailTokens").selectAll().execute());
      expect(stored).toContain("reset password");
      expect(stored + server.logged.join("\n")).not.toContain(token);
    });
  });

  describe("changed in a session", () => {
    const change = (headers: object, current_password: string, new_password = newPassword) =>
      post("/api/v1/protected/user/password", { current_password, new_password }, { headers });

    it("need the current one, and end all other sessions at once", async () => {
      const person = await server.signUp();
      const elsewhere = (await login(person.email, testPassword)).json().tokens;
      const wrong = await change(person.headers, "not the current one");
      expect([wrong.statusCode, wrong.json().error]).toEqual([400, "The current password is not correct"]);
      expect(await me(elsewhere.access_token)).toBe(200);
      expect((await change(person.headers, testPassword)).statusCode).toBe(200);
      expect([await me(person.accessToken), await me(elsewhere.access_token)]).toEqual([200, 401]);
      expect((await login(person.email, newPassword)).statusCode).toBe(200);
      expect(await mailsTo(person.email)).toHaveLength(1);
    });

    it("send three notices at most at once, so that nobody fills a mailbox", async () => {
      const person = await server.signUp();
      const passwords = [
        testPassword,
        ...Array.from({ length: 5 }, (_, i) => `staple number ${i} of the horse`),
      ];
      for (let i = 1; i < passwords.length; i++) {
        expect((await change(person.headers, passwords[i - 1]!, passwords[i])).statusCode).toBe(200);
      }
      expect(await mailsTo(person.email)).toHaveLength(3);
    });

    it("change once for several changes of the same password at a time", async () => {
      const person = await server.signUp();
      const changes = await Promise.all(
        ["first", "second", "third"].map((word) =>
          change(person.headers, testPassword, `the ${word} staple`),
        ),
      );
      expect(changes.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400, 400]);
    });

    it("make an earlier reset link useless", async () => {
      const person = await server.signUp();
      const token = await tokenFor(person.email);
      await change(person.headers, testPassword);
      expect((await reset(token, "yet another password")).json().error).toBe(invalidToken);
    });

    it("are guessed five times at once", async () => {
      const person = await server.signUp();
      const guesses = await Promise.all(
        Array.from({ length: 20 }, (_, i) => change(person.headers, `guess ${i}`)),
      );
      expect(guesses.filter(({ statusCode }) => statusCode === 400)).toHaveLength(5);
      expect(guesses.filter(({ statusCode }) => statusCode === 429)).toHaveLength(15);
    });
  });

  it("answer hostile texts in every field of every call with a failure of the caller", async () => {
    const person = await server.signUp();
    const calls = [
      ["/auth/forgot-password", ["email"]],
      ["/auth/reset-password", ["token", "new_password"]],
      ["/auth/verify-email", ["token"]],
      ["/api/v1/protected/user/password", ["current_password", "new_password"]],
    ] as const;
    const seen = new Set<number>();
    for (const [url, fields] of calls) {
      for (const field of fields) {
        for (const value of hostileValues) {
          const usual = { email: "ada@example.com", token: "A".repeat(43), new_password: newPassword };
          const payload = { ...usual, current_password: "x", [field]: value };
          const { statusCode, body } = await post(url, payload, { headers: person.headers });
          seen.add(statusCode);
          // A text of 1,024 characters is a password, and an odd address may belong to somebody.
          expect([url, field, value, statusCode < 500]).toEqual([url, field, value, true]);
          expect(body).not.toMatch(/sqlite|postgres|syntax error|\.ts:/i);
        }
      }
      for (const value of hostileValues) {
        if (typeof value !== "string" || value === "" || !value.isWellFormed()) continue;
        const path = `/api/v1/protected/user/sessions/${encodeURIComponent(value)}`;
        const { headers } = person;
        const reply = await server.app.inject({ method: "DELETE", url: path, headers });
        expect([value, reply.statusCode]).toEqual([
          value,
          expect.toSatisfy((code: number) => code >= 400 && code < 500),
        ]);
      }
    }
    expect(seen).toContain(400);
  });

  describe("email addresses", () => {
    const verify = (token: string) => post("/auth/verify-email", { token });
    const isVerified = async (headers: object) => {
      const reply = await server.app.inject({
        url: "/api/v1/protected/user/profile",
        headers: { ...headers },
      });
      return reply.json().user.is_verified;
    };

    it("are confirmed by the link that a new account gets, once", async () => {
      const person = await server.signUp();
      await server.ctx.mailQueue.idle();
      const token = tokenIn(mailServer.mails.find(({ to }) => to.includes(person.email))?.source ?? "");
      expect(await isVerified(person.headers)).toBe(false);
      expect((await verify(token)).statusCode).toBe(200);
      expect(await isVerified(person.headers)).toBe(true);
      expect((await verify(token)).statusCode).toBe(400);
      const again = await post("/api/v1/protected/user/verification", {}, { headers: person.headers });
      expect(again.statusCode).toBe(409);
    });

    it("get another link on request, three at once with the first", async () => {
      const person = await server.signUp();
      const ask = () => post("/api/v1/protected/user/verification", {}, { headers: person.headers });
      const statuses = [await ask(), await ask(), await ask()].map((reply) => reply.statusCode);
      expect(statuses).toEqual([200, 200, 429]);
      await server.ctx.mailQueue.idle();
      const links = mailServer.mails.filter(({ to }) => to.includes(person.email));
      expect(links).toHaveLength(3);
      // Only the latest one works. Mails may arrive in another order than they were sent in.
      const outcomes: number[] = [];
      for (const { source } of links) outcomes.push((await verify(tokenIn(source))).statusCode);
      expect(outcomes.toSorted()).toEqual([200, 400, 400]);
    });

    it("are confirmed by a reset link that arrived by mail", async () => {
      const person = await server.signUp();
      await reset(await tokenFor(person.email));
      const signedIn = (await login(person.email, newPassword)).json();
      expect(signedIn.user.is_verified).toBe(true);
    });
  });
});

it("a server without SMTP_URL says whom to ask, writes the link into the outbox and confirms no address", async () => {
  const server = await startApp();
  const person = await server.signUp();
  const post = (url: string, payload: object) =>
    server.app.inject({ method: "POST", url, payload, headers: person.headers });
  const reply = await post("/auth/forgot-password", { email: person.email });
  expect(reply.json().message).toContain("ask its operator");
  await server.ctx.mailQueue.idle();
  expect(await server.ctx.mailer.waiting()).toBe(1);
  expect((await post("/api/v1/protected/user/verification", {})).statusCode).toBe(409);
  await server.close();
});
