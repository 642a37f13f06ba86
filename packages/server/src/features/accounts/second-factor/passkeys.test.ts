import type { NewCredential, UsedCredential } from "@flamekeep/contract";
import { limits } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rowBackends } from "#store/testing/backends.ts";
import { SoftwareAuthenticator } from "#testing/software-authenticator.ts";
import type { Person, TestApp } from "#testing/start-app.ts";
import { startAppOn } from "#testing/start-app-on.ts";

const backends = await rowBackends(isFullLength);
const path = "/api/v1/protected/user/second-factor";

describe.each(backends)("passkeys on $name", (backend) => {
  let server: TestApp;
  let ada: Person;
  let key: SoftwareAuthenticator;
  beforeEach(async () => {
    server = await startAppOn(backend, { at: "2026-11-20T10:00:00.000Z" });
    ada = await server.signUp();
    key = new SoftwareAuthenticator();
  });
  afterEach(() => server.close());

  const send = (url: string, payload: object) => server.app.inject({ method: "POST", url, payload });
  const asPerson = (method: "GET" | "POST" | "DELETE", url: string, payload?: object, person = ada) =>
    server.app.inject({ method, url, headers: person.headers, ...(payload && { payload }) });

  async function creation(person = ada) {
    const { password } = person;
    const reply = await asPerson("POST", `${path}/passkeys/options`, { password }, person);
    expect(reply.statusCode).toBe(200);
    return reply.json().options;
  }

  const add = (passkey: NewCredential, name = "Laptop", person = ada) =>
    asPerson("POST", `${path}/passkeys`, { name, passkey }, person);

  /** Adds the key, and returns the recovery codes that came with it. */
  async function enrol(authenticator = key, person = ada): Promise<string[] | null> {
    const { challenge } = await creation(person);
    const reply = await add(authenticator.create({ challenge }), "Laptop", person);
    expect(reply.statusCode).toBe(201);
    return reply.json().recovery_codes;
  }

  async function challenge(token?: string): Promise<string> {
    const reply = await send("/auth/login/passkey/options", token === undefined ? {} : { token });
    expect(reply.statusCode).toBe(200);
    return reply.json().options.challenge;
  }

  const signIn = (passkey: UsedCredential, token?: string) =>
    send("/auth/login/passkey", { passkey, ...(token !== undefined && { token }) });

  const passwordStep = async ({ email, password } = ada) =>
    (await send("/auth/login", { email, password })).json();

  async function auditedEvents(): Promise<string[]> {
    await server.ctx.audit.idle();
    const entries = server.rows.selectFrom("auditEntries").select("event").where("orgId", "=", ada.orgId);
    return (await entries.orderBy("id").execute()).map(({ event }) => event);
  }

  it("are added by name with the password, listed, and removed with the password", async () => {
    expect((await asPerson("POST", `${path}/passkeys/options`, { password: "wrong" })).statusCode).toBe(400);
    const options = await creation();
    expect(options).toMatchObject({
      rp: { id: "localhost", name: "Flamekeep" },
      user: { name: ada.email },
      attestation: "none",
      authenticatorSelection: { residentKey: "required" },
    });
    const added = await add(key.create(options));
    expect(added.json().recovery_codes).toHaveLength(10);
    const { passkey } = added.json();
    const listed = (await asPerson("GET", path)).json();
    expect(listed).toEqual({
      totp_since: null,
      passkeys: [
        { id: passkey.id, name: "Laptop", created_at: "2026-11-20T10:00:00.000Z", last_used_at: null },
      ],
      recovery_codes_left: 10,
      can_add_passkeys: true,
    });
    expect((await creation()).excludeCredentials).toMatchObject([{ id: key.id }]);
    expect(await enrol(new SoftwareAuthenticator())).toBeNull();

    const url = `${path}/passkeys/${passkey.id}`;
    const eve = await server.signUp();
    expect((await asPerson("DELETE", url, { password: "wrong" })).statusCode).toBe(400);
    expect((await asPerson("DELETE", url, { password: eve.password }, eve)).statusCode).toBe(404);
    expect((await asPerson("DELETE", url, { password: ada.password })).json().passkey.name).toBe("Laptop");
    expect((await asPerson("DELETE", url, { password: ada.password })).statusCode).toBe(404);
    expect((await signIn(key.sign({ challenge: await challenge() }))).statusCode).toBe(401);
    const last = (await asPerson("GET", path)).json().passkeys[0].id;
    await asPerson("DELETE", `${path}/passkeys/${last}`, { password: ada.password });
    expect((await asPerson("GET", path)).json()).toMatchObject({ passkeys: [], recovery_codes_left: 0 });
    expect((await passwordStep()).tokens).toBeDefined();
    expect(await auditedEvents()).toEqual(expect.arrayContaining(["passkey.added", "passkey.removed"]));
  });

  it("are renamed by their owner, with an entry in the audit log", async () => {
    await enrol();
    const [{ id }] = (await asPerson("GET", path)).json().passkeys;
    const rename = (name: string, person = ada) =>
      server.app.inject({
        method: "PATCH",
        url: `${path}/passkeys/${id}`,
        headers: person.headers,
        payload: { name },
      });
    expect((await rename(" Security key ")).json().passkey).toMatchObject({ id, name: "Security key" });
    expect((await asPerson("GET", path)).json().passkeys).toMatchObject([{ id, name: "Security key" }]);
    expect((await rename(" ")).statusCode).toBe(400);
    expect((await rename("mine", await server.signUp())).statusCode).toBe(404);
    expect((await asPerson("GET", path)).json().passkeys).toMatchObject([{ name: "Security key" }]);
    expect(await auditedEvents()).toContain("passkey.renamed");
  });

  it("sign in without a password, and are then in use", async () => {
    await enrol();
    const options = (await send("/auth/login/passkey/options", {})).json().options;
    expect(options).toMatchObject({ rpId: "localhost", userVerification: "required" });
    expect(options.allowCredentials ?? []).toEqual([]);
    const reply = await signIn(key.sign(options));
    expect([reply.statusCode, reply.json().user?.id]).toEqual([200, ada.userId]);
    expect(reply.headers["set-cookie"]).toContain("Path=/auth/login;");
    const [passkey] = (await asPerson("GET", path)).json().passkeys;
    expect(passkey.last_used_at).toBe("2026-11-20T10:00:00.000Z");
    expect(await auditedEvents()).toContain("session.started");
  });

  it("are the second factor of a password, also if the device did not verify the person", async () => {
    const codes = await enrol();
    const { second_factor } = await passwordStep();
    expect(second_factor.methods).toEqual(["passkey", "recovery_code"]);
    const { token } = second_factor;
    const named = (await send("/auth/login/passkey/options", { token })).json().options;
    expect(named.allowCredentials).toMatchObject([{ id: key.id, transports: ["usb"] }]);
    const signature = key.sign({ challenge: named.challenge, isVerified: false });
    expect((await signIn(signature, token)).statusCode).toBe(200);
    // The token is used up, and so is the challenge.
    expect((await signIn(signature, token)).statusCode).toBe(400);
    const again = (await passwordStep()).second_factor.token;
    expect((await signIn(signature, again)).statusCode).toBe(401);
    const withCode = await send("/auth/login/second-factor", { token: again, code: codes?.[0] });
    expect(withCode.statusCode).toBe(200);
  });

  it("are refused alike for every fault of a signature", async () => {
    await enrol();
    const faults: readonly (readonly [string, (challenge: string) => UsedCredential])[] = [
      ["origin", (own) => key.sign({ challenge: own, origin: "https://evil.example" })],
      ["host", (own) => key.sign({ challenge: own, rpId: "evil.example" })],
      ["person not verified", (own) => key.sign({ challenge: own, isVerified: false })],
      ["unknown key", (own) => new SoftwareAuthenticator().sign({ challenge: own })],
      ["other challenge", () => key.sign({ challenge: Buffer.from("never given").toString("base64url") })],
      [
        "signature of another key",
        (own) => ({ ...new SoftwareAuthenticator().sign({ challenge: own }), id: key.id, rawId: key.id }),
      ],
      [
        "no client data",
        (own) => {
          const used = key.sign({ challenge: own });
          return { ...used, response: { ...used.response, clientDataJSON: "bm90IGpzb24" } };
        },
      ],
    ];
    const answers = [];
    for (const [name, make] of faults) {
      const { statusCode, body } = await signIn(make(await challenge()));
      answers.push([name, statusCode, JSON.parse(body).error]);
    }
    expect(answers).toEqual(faults.map(([name]) => [name, 401, "The passkey was rejected."]));
    expect((await signIn(key.sign({ challenge: await challenge() }))).statusCode).toBe(200);
  });

  it("with an id longer than any authenticator makes are refused unread", async () => {
    const used = key.sign({ challenge: await challenge() });
    const withId = (length: number) => signIn({ ...used, id: "A".repeat(length) });
    expect((await withId(1364)).statusCode).toBe(401);
    expect((await withId(1365)).statusCode).toBe(400);
  });

  it("are refused if their count does not rise: somebody may have copied the key", async () => {
    await enrol();
    expect((await signIn(key.sign({ challenge: await challenge(), counter: 5 }))).statusCode).toBe(200);
    for (const counter of [5, 4, 0]) {
      expect((await signIn(key.sign({ challenge: await challenge(), counter }))).statusCode).toBe(401);
    }
    expect((await signIn(key.sign({ challenge: await challenge(), counter: 6 }))).statusCode).toBe(200);
  });

  it("that do not count sign in again and again", async () => {
    await enrol();
    for (let i = 0; i < 3; i++) {
      const used = key.sign({ challenge: await challenge(), counter: 0 });
      expect((await signIn(used)).statusCode).toBe(200);
    }
  });

  it("sign in once with a challenge, also among 20 concurrent requests, and not after five minutes", async () => {
    await enrol();
    const used = key.sign({ challenge: await challenge(), counter: 0 });
    const replies = await Promise.all(Array.from({ length: 20 }, () => signIn(used)));
    const statuses = replies.map(({ statusCode }) => statusCode).toSorted();
    expect(statuses).toEqual([200, ...Array(19).fill(401)]);
    const late = key.sign({ challenge: await challenge(), counter: 0 });
    server.clock.advance(5 * minuteMs);
    expect((await signIn(late)).statusCode).toBe(401);
    const options = await asPerson("POST", `${path}/passkeys/options`, { password: ada.password });
    server.clock.advance(5 * minuteMs);
    const added = await add(new SoftwareAuthenticator().create(options.json().options));
    expect(added.statusCode).toBe(400);
  });

  it("of another account, and challenges for another purpose or person, are refused", async () => {
    const eve = await server.signUp();
    const evesKey = new SoftwareAuthenticator();
    await enrol();
    await enrol(evesKey, eve);
    const adasToken = (await passwordStep()).second_factor.token;
    const evesToken = (await passwordStep(eve)).second_factor.token;
    // Eve knows Ada's password, and has her own key.
    const named = await challenge(adasToken);
    expect((await signIn(evesKey.sign({ challenge: named }), adasToken)).statusCode).toBe(401);
    expect(
      (await signIn(evesKey.sign({ challenge: await challenge(evesToken) }), adasToken)).statusCode,
    ).toBe(401);
    expect((await signIn(key.sign({ challenge: await challenge() }), adasToken)).statusCode).toBe(401);
    expect((await signIn(key.sign({ challenge: await challenge(adasToken) }))).statusCode).toBe(401);
    const { challenge: forEve } = await creation(eve);
    expect((await add(new SoftwareAuthenticator().create({ challenge: forEve }))).statusCode).toBe(400);
    const { challenge: own } = await creation();
    expect((await signIn(key.sign({ challenge: own }))).statusCode).toBe(401);
    const again = await add(evesKey.create({ challenge: (await creation()).challenge }));
    expect(again.statusCode).toBe(409);
    expect((await signIn(key.sign({ challenge: await challenge(adasToken) }), adasToken)).statusCode).toBe(
      200,
    );
  });

  it("do not sign in to a closed account, and an account has a limited number", async () => {
    const [codes] = [await enrol()];
    expect(codes).toHaveLength(10);
    await server.rows.updateTable("users").set({ isActive: 0 }).where("id", "=", ada.userId).execute();
    expect((await signIn(key.sign({ challenge: await challenge() }))).statusCode).toBe(401);
    await server.rows.updateTable("users").set({ isActive: 1 }).where("id", "=", ada.userId).execute();
    for (let count = 1; count < limits.passkeysMax; count++) {
      const row = await server.rows.selectFrom("passkeys").selectAll().executeTakeFirstOrThrow();
      const copy = { ...row, id: crypto.randomUUID(), credentialId: `copy${count}` };
      await server.rows.insertInto("passkeys").values(copy).execute();
    }
    const full = await asPerson("POST", `${path}/passkeys/options`, { password: ada.password });
    expect([full.statusCode, full.json().code]).toEqual([403, "quota_exceeded"]);
  });
});

it("passkeys are not offered at an address without TLS or without a name", async () => {
  const server = await startAppOn(backends[0] as (typeof backends)[0], {
    env: { PUBLIC_URL: "http://192.0.2.1:4040" },
  });
  const ada = await server.signUp();
  const headers = ada.headers;
  const factors = await server.app.inject({ url: path, headers });
  expect(factors.json().can_add_passkeys).toBe(false);
  const options = await server.app.inject({
    method: "POST",
    url: `${path}/passkeys/options`,
    headers,
    payload: { password: ada.password },
  });
  expect(options.statusCode).toBe(409);
  await server.close();
});
