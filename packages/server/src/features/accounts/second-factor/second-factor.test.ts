import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { minuteMs } from "@flamekeep/contract/durations";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { totpCode, totpStep } from "#auth/second-factor/totp.ts";
import { endLockOut } from "#auth/sign-in-limits/attempts.ts";
import { resealTotpSecrets } from "#store/row/reseal-totp-secrets.ts";
import { openSeal } from "#store/row/seal.ts";
import { keepingLog, rowBackends } from "#store/testing/backends.ts";
import type { Person, TestApp } from "#testing/start-app.ts";
import { startAppOn } from "#testing/start-app-on.ts";

const backends = await rowBackends(isFullLength);
const path = "/api/v1/protected/user/second-factor";

describe.each(backends)("an authenticator app on $name", (backend) => {
  let server: TestApp;
  let ada: Person;
  let secret: Buffer;
  beforeEach(async () => {
    server = await startAppOn(backend, { at: "2026-11-20T10:00:00.000Z" });
    ada = await server.signUp();
  });
  afterEach(() => server.close());

  const send = (url: string, payload: object, remoteAddress = "127.0.0.1") =>
    server.app.inject({ method: "POST", url, payload, remoteAddress });
  const asPerson = (method: "GET" | "POST" | "DELETE", url: string, payload?: object, person = ada) =>
    server.app.inject({ method, url, headers: person.headers, ...(payload && { payload }) });
  const codeAt = (steps = 0) => totpCode(secret, totpStep(server.clock.now()) + steps);

  /** Sets an app up, and returns the recovery codes. */
  async function enrol(person = ada): Promise<string[]> {
    const started = await asPerson("POST", `${path}/totp`, { password: person.password }, person);
    expect(started.statusCode).toBe(200);
    secret = fromBase32(started.json().secret);
    expect(started.json().uri).toContain(`secret=${started.json().secret}&`);
    const confirmed = await asPerson("POST", `${path}/totp/confirm`, { code: codeAt() }, person);
    expect(confirmed.statusCode).toBe(200);
    return confirmed.json().recovery_codes;
  }

  async function challenge(person = ada, password = person.password, address?: string): Promise<string> {
    const reply = await send("/auth/login", { email: person.email, password }, address);
    expect(reply.statusCode).toBe(200);
    expect(reply.json().tokens).toBeUndefined();
    return reply.json().second_factor.token;
  }

  const finish = (token: string, code: string, address?: string) =>
    send("/auth/login/second-factor", { token, code }, address);

  async function auditedEvents(): Promise<string[]> {
    await server.ctx.audit.idle();
    const entries = server.rows.selectFrom("auditEntries").select("event").where("orgId", "=", ada.orgId);
    return (await entries.orderBy("id").execute()).map(({ event }) => event);
  }

  it("is in use only after its first code, and then every sign-in needs one", async () => {
    const factors = async () => (await asPerson("GET", path)).json();
    expect(await factors()).toMatchObject({ totp_since: null, recovery_codes_left: 0 });
    const { email, password } = ada;
    expect((await asPerson("POST", `${path}/totp`, { password: "wrong" })).statusCode).toBe(400);
    await asPerson("POST", `${path}/totp`, { password });
    expect((await asPerson("POST", `${path}/totp/confirm`, { code: "000000" })).statusCode).toBe(400);
    expect((await send("/auth/login", { email, password })).json().tokens).toBeDefined();

    const codes = await enrol();
    expect(new Set(codes).size).toBe(10);
    expect(await factors()).toMatchObject({
      totp_since: "2026-11-20T10:00:00.000Z",
      recovery_codes_left: 10,
    });
    expect((await asPerson("POST", `${path}/totp`, { password })).statusCode).toBe(409);
    server.clock.advance(minuteMs);
    const first = await send("/auth/login", { email, password });
    expect(first.json()).toEqual({
      second_factor: {
        token: expect.stringMatching(/^[\w-]{43}$/),
        methods: ["totp", "recovery_code"],
        expires_at: "2026-11-20T10:06:00.000Z",
      },
    });
    expect(first.headers["set-cookie"]).toBeUndefined();
    const signedIn = await finish(first.json().second_factor.token, codeAt());
    expect(signedIn.statusCode).toBe(200);
    expect(signedIn.headers["set-cookie"]).toContain("Path=/auth/login;");
    const headers = { authorization: `Bearer ${signedIn.json().tokens.access_token}` };
    expect((await server.app.inject({ url: "/api/v1/protected/user/profile", headers })).statusCode).toBe(
      200,
    );
    // The entry of the challenge is written after the reply, so the entry of the session may be before it.
    expect((await auditedEvents()).toSorted()).toEqual([
      ...[
        "account.registered",
        "password.refused",
        "session.challenged",
        "session.started",
        "session.started",
        "totp.added",
      ],
    ]);
  });

  it("has its secret encrypted, and its recovery codes hashed, in the database", async () => {
    const codes = await enrol();
    const { secret: stored } = await server.rows
      .selectFrom("totpSecrets")
      .select("secret")
      .executeTakeFirstOrThrow();
    expect(stored).toMatch(/^v1\./);
    const opened = server.ctx.factorSeal.open(stored, { userId: ada.userId, field: "totp" });
    expect(opened).toEqual({ ok: true, text: secret.toString("hex") });
    const elsewhere = server.ctx.factorSeal.open(stored, { userId: crypto.randomUUID(), field: "totp" });
    expect(elsewhere).toEqual({ ok: false, reason: "changed" });
    const rows = await server.rows.selectFrom("recoveryCodes").selectAll().execute();
    expect(rows).toHaveLength(10);
    for (const code of codes) {
      expect(JSON.stringify(rows)).not.toContain(code.replaceAll("-", ""));
      expect(server.logged.join()).not.toContain(code);
    }
    expect(server.logged.join()).not.toContain(secret.toString("hex"));
  });

  it("refuses a code that was used, also that of the setup, and the next one signs in", async () => {
    await enrol();
    expect((await finish(await challenge(), codeAt())).statusCode).toBe(401);
    server.clock.advance(minuteMs);
    const code = codeAt();
    expect((await finish(await challenge(), code)).statusCode).toBe(200);
    expect((await finish(await challenge(), code)).statusCode).toBe(401);
    // The one before is refused after a later one, although the clock would allow it.
    expect((await finish(await challenge(), codeAt(-1))).statusCode).toBe(401);
    expect((await finish(await challenge(), codeAt(1))).statusCode).toBe(200);
    const events = await auditedEvents();
    expect(events.filter((event) => event === "session.code_refused")).toHaveLength(3);
    expect(events.filter((event) => event === "session.challenged")).toHaveLength(5);
  });

  it("accepts a code once among 20 concurrent sign-ins, and so does a recovery code", async () => {
    const [recoveryCode = ""] = await enrol();
    server.clock.advance(minuteMs);
    for (const code of [codeAt(), recoveryCode]) {
      const tokens: string[] = [];
      // From several networks, so that the limits of one do not end it.
      const addresses = Array.from({ length: 20 }, (_, i) => `203.0.${113 + i}.7`);
      for (const address of addresses) tokens.push(await challenge(ada, ada.password, address));
      const replies = await Promise.all(
        tokens.map((token, i) => finish(token, code, addresses[i] as string)),
      );
      const statuses = replies.map(({ statusCode }) => statusCode).toSorted();
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.every((status) => [200, 401, 429].includes(status))).toBe(true);
      server.clock.advance(300 * minuteMs);
    }
  });

  it("opens one session with one challenge among 20 concurrent recovery codes", async () => {
    const codes = await enrol();
    const token = await challenge();
    const tries = Array.from({ length: 20 }, (_, i) => finish(token, codes[i % codes.length] as string));
    const statuses = (await Promise.all(tries)).map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    const used = server.rows.selectFrom("recoveryCodes").select("usedAt").where("usedAt", "is not", null);
    expect(await used.execute()).toHaveLength(1);
    expect((await finish(token, codes.at(-1) as string)).statusCode).toBe(400);
  });

  it("gives the same answer for a challenge that expired, was used, or never existed", async () => {
    const codes = await enrol();
    const late = await challenge();
    const used = await challenge();
    expect((await finish(used, codes[0] as string)).statusCode).toBe(200);
    server.clock.advance(5 * minuteMs);
    const answers = [];
    for (const token of [late, used, randomBytes(32).toString("base64url"), "", "x"]) {
      const { statusCode, body } = await finish(token, codes[1] as string);
      answers.push([statusCode, JSON.parse(body).error]);
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify([400, "Your sign-in took too long. Enter your password again."])]),
    );
    expect((await finish(await challenge(), codes[1] as string)).statusCode).toBe(200);
  });

  it("of another account does not finish a sign-in", async () => {
    const eve = await server.signUp();
    const evesCodes = await enrol(eve);
    const evesSecret = secret;
    const adasCodes = await enrol();
    server.clock.advance(minuteMs);
    const token = await challenge();
    const evesCode = totpCode(evesSecret, totpStep(server.clock.now()));
    expect((await finish(token, evesCode)).statusCode).toBe(401);
    expect((await finish(token, evesCodes[0] as string)).statusCode).toBe(401);
    const evesToken = await challenge(eve);
    expect((await finish(evesToken, adasCodes[0] as string)).statusCode).toBe(401);
    const reply = await finish(evesToken, evesCodes[0] as string);
    expect(reply.json().user.id).toBe(eve.userId);
    expect((await finish(token, adasCodes[0] as string)).json().user.id).toBe(ada.userId);
  });

  it("has limited guesses, which a right password and a reset do not renew, and a recovery code still works", async () => {
    const codes = await enrol();
    const wrong = () => (codeAt() === "000000" ? "111111" : "000000");
    let refused = 0;
    const limited = new Set<number>();
    for (let network = 0; network < 6; network++) {
      const address = `198.51.${network}.7`;
      // A reset of the password makes room for passwords.
      await server.rows.deleteFrom("tokenBuckets").where("subject", "like", "account%").execute();
      const token = await challenge(ada, ada.password, address);
      for (let i = 0; i < 6; i++) {
        const { statusCode } = await finish(token, wrong(), address);
        if (statusCode === 401) refused++;
        else limited.add(statusCode);
      }
    }
    expect([refused, [...limited]]).toEqual([20, [429]]);
    await server.rows.deleteFrom("tokenBuckets").where("subject", "like", "account%").execute();
    const address = "192.0.2.9";
    const token = await challenge(ada, ada.password, address);
    expect((await finish(token, codeAt(), address)).statusCode).toBe(429);
    expect((await finish(token, codes[0] as string, address)).statusCode).toBe(200);
    expect(await auditedEvents()).toContain("session.locked");
  });

  it("has limited guesses on a known device too, which a reset of the password does not renew", async () => {
    await enrol();
    server.clock.advance(minuteMs);
    const signedIn = await finish(await challenge(), codeAt());
    const cookie = String(signedIn.headers["set-cookie"]).split(";")[0] as string;
    const guess = async () => {
      const { email, password } = ada;
      const asked = await server.app.inject({
        method: "POST",
        url: "/auth/login",
        payload: { email, password },
        headers: { cookie },
      });
      const token = asked.json().second_factor?.token;
      const code = codeAt() === "000000" ? "111111" : "000000";
      const payload = { token, code };
      const url = "/auth/login/second-factor";
      return (await server.app.inject({ method: "POST", url, payload, headers: { cookie } })).statusCode;
    };
    const statuses: number[] = [];
    for (let i = 0; i < 22; i++) {
      if (i % 5 === 0) await endLockOut(server.ctx, ada.email);
      statuses.push(await guess());
    }
    expect(statuses).toEqual([...Array(20).fill(401), 429, 429]);
  });

  it("counts wrong codes with wrong passwords: after ten, the right password is refused too", async () => {
    await enrol();
    const address = "198.51.100.7";
    const token = await challenge(ada, ada.password, address);
    const wrong = codeAt() === "000000" ? "111111" : "000000";
    for (let i = 0; i < 10; i++) expect((await finish(token, wrong, address)).statusCode).toBe(401);
    const { email, password } = ada;
    expect((await send("/auth/login", { email, password }, address)).statusCode).toBe(429);
  });

  it("is needed after a reset of the password, which ends sign-ins that wait for a code", async () => {
    await enrol();
    const token = await challenge();
    await send("/auth/forgot-password", { email: ada.email });
    const new_password = "a new staple for the battery";
    const reset = await resetToken();
    const done = await send("/auth/reset-password", { token: reset, new_password });
    expect(done.statusCode).toBe(200);
    expect(done.json().tokens).toBeUndefined();
    server.clock.advance(minuteMs);
    expect((await finish(token, codeAt())).statusCode).toBe(400);
    expect((await finish(await challenge(ada, new_password), codeAt())).statusCode).toBe(200);
  });

  it("is removed with the password, and its recovery codes with it", async () => {
    const codes = await enrol();
    const token = await challenge();
    expect((await asPerson("DELETE", `${path}/totp`, { password: "wrong" })).statusCode).toBe(400);
    expect((await asPerson("POST", `${path}/recovery-codes`, { password: "wrong" })).statusCode).toBe(400);
    const renewed = await asPerson("POST", `${path}/recovery-codes`, { password: ada.password });
    expect(renewed.json().recovery_codes).toHaveLength(10);
    expect((await finish(token, codes[0] as string)).statusCode).toBe(401);
    const removed = await asPerson("DELETE", `${path}/totp`, { password: ada.password });
    expect(removed.json()).toMatchObject({ totp_since: null, recovery_codes_left: 0 });
    expect((await finish(token, renewed.json().recovery_codes[0])).statusCode).toBe(401);
    const { email, password } = ada;
    expect((await send("/auth/login", { email, password })).json().tokens).toBeDefined();
    expect((await asPerson("DELETE", `${path}/totp`, { password })).statusCode).toBe(404);
    expect((await asPerson("POST", `${path}/recovery-codes`, { password })).statusCode).toBe(409);
    expect(await auditedEvents()).toEqual(
      expect.arrayContaining(["totp.removed", "recovery_codes.replaced", "session.code_refused"]),
    );
  });

  it("has new recovery codes after an operator removed it, and those from before do not work", async () => {
    const [lost = ""] = await enrol();
    // As docs/security.md says for people who lost everything.
    await server.rows.deleteFrom("totpSecrets").where("userId", "=", ada.userId).execute();
    expect(await enrol()).toHaveLength(10);
    expect((await finish(await challenge(), lost)).statusCode).toBe(401);
  });

  it("is encrypted again at the start after a change of the secret; without the former one only recovery codes work", async () => {
    const codes = await enrol();
    const [former, current, foreign] = [randomBytes(32), randomBytes(32), randomBytes(32)];
    const place = { userId: ada.userId, field: "totp" };
    const sealed = openSeal([former]).seal(secret.toString("hex"), place);
    const stored = () => server.rows.selectFrom("totpSecrets").select("secret").executeTakeFirstOrThrow();
    await server.rows.updateTable("totpSecrets").set({ secret: sealed }).execute();
    const log = keepingLog();
    await resealTotpSecrets(server.rows, openSeal([current, former]), log);
    expect(openSeal([current]).open((await stored()).secret, place)).toMatchObject({ ok: true });
    await resealTotpSecrets(server.rows, openSeal([foreign]), log);
    expect(log.lines.map(({ level, fields }) => [level, fields])).toEqual([
      ["info", { resealed: 1 }],
      ["warn", { people: 1 }],
    ]);
    const token = await challenge();
    server.clock.advance(minuteMs);
    expect((await finish(token, codeAt())).statusCode).toBe(409);
    expect((await finish(token, codes[0] as string)).statusCode).toBe(200);
  });

  it("is set up again if its first code takes longer than a quarter of an hour", async () => {
    const started = await asPerson("POST", `${path}/totp`, { password: ada.password });
    secret = fromBase32(started.json().secret);
    server.clock.advance(16 * minuteMs);
    const { email, password } = ada;
    const { access_token } = (await send("/auth/login", { email, password })).json().tokens;
    ada = { ...ada, headers: { authorization: `Bearer ${access_token}` } };
    const late = await asPerson("POST", `${path}/totp/confirm`, { code: codeAt() });
    expect([late.statusCode, late.json().error]).toEqual([
      400,
      "The setup of the app took too long. Start again.",
    ]);
    expect(await enrol()).toHaveLength(10);
  });

  it("is reported by a mail that leads to where it can be removed: a new password does not remove it", async () => {
    await enrol();
    const { publicUrl } = server.ctx.config;
    const [mail = ""] = (await outbox()).filter((text) => text.includes("An authenticator app was added"));
    expect(mail).toContain(`${publicUrl}/settings`);
    expect(mail).not.toContain("forgot-password");
  });

  /** The token of the reset link in the outbox. */
  async function resetToken(): Promise<string> {
    for (const mail of await outbox()) {
      const token = /reset-password\?token=([\w-]{43})/.exec(mail)?.[1];
      if (token !== undefined) return token;
    }
    throw new Error("no mail with a reset link");
  }

  async function outbox(): Promise<string[]> {
    await server.ctx.mailQueue.idle();
    const folder = `${server.ctx.config.dataDir}/outbox`;
    const names = await readdir(folder);
    return Promise.all(names.map((name) => readFile(`${folder}/${name}`, "utf8")));
  }
});

function fromBase32(text: string): Buffer {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
