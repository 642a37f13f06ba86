import { endpoints } from "@flamekeep/contract/schemas";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isAudited, unauditedChanges } from "#audit/audited-calls.ts";
import { rowBackends } from "#store/testing/backends.ts";
import { type Person, type TestApp, testPassword } from "#testing/start-app.ts";
import { startAppOn } from "#testing/start-app-on.ts";

const url = "/api/v1/protected/organization/audit";
const backends = await rowBackends();

it("every call that changes something is audited, or listed as not audited", () => {
  const changes = endpoints.filter(
    ({ method, auth }) => method !== "GET" && (auth === "session" || auth === "none"),
  );
  expect(changes.length).toBeGreaterThan(30);
  const undecided = changes.filter((call) => isAudited(call) === unauditedChanges.has(call));
  expect(undecided.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

describe.each(backends)("the audit log on $name", (backend) => {
  let server: TestApp;
  let ada: Person;
  beforeAll(async () => {
    server = await startAppOn(backend);
    ada = await server.signUp();
  });
  afterAll(() => server.close());

  const post = (path: string, payload: object, headers: object = {}) =>
    server.app.inject({ method: "POST", url: path, payload, headers: { ...headers } });

  async function entries(person: Person, query = "?limit=200") {
    await server.ctx.audit.idle();
    const reply = await server.app.inject({ url: `${url}${query}`, headers: person.headers });
    expect(reply.statusCode).toBe(200);
    return reply.json().entries as { event: string; outcome: string; actor: string; target: string }[];
  }

  it("has who did what, from where, and under which request", async () => {
    const key = await server.makeKey(ada, "=checkout");
    const [entry, ...earlier] = await entries(ada);
    expect(entry).toMatchObject({
      at: "2026-11-20T10:00:00.000Z",
      event: "key.created",
      outcome: "success",
      actor: ada.email,
      target: "=checkout (ingest)",
      address: "127.0.0.1",
      user_agent: "lightMyRequest",
      request_id: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(earlier.map(({ event }) => event)).toEqual(["account.registered"]);
    await server.send(profileOf("main\n1"), { headers: key.headers });
    await expect
      .poll(async () => (await entries(ada))[0])
      .toMatchObject({
        event: "key.first_used",
        actor: "API key",
        target: "=checkout",
      });
    expect(JSON.stringify(await entries(ada))).not.toContain(key.key);
  });

  it("has failed and refused sign-ins, sign-outs, reused tokens and resets, and only of accounts that exist", async () => {
    const person = await server.signUp();
    const login = (password: string, email = person.email) => post("/auth/login", { email, password });
    expect((await login("wrong")).statusCode).toBe(401);
    const { tokens } = (await login(testPassword)).json();
    await post("/auth/logout", {}, { authorization: `Bearer ${tokens.access_token}` });
    await post("/auth/forgot-password", { email: person.email });
    await post("/auth/refresh-token", {}, { authorization: `Bearer ${person.refreshToken}` });
    server.clock.advance(60_000);
    await post("/auth/refresh-token", {}, { authorization: `Bearer ${person.refreshToken}` });
    for (let i = 0; i < 25; i++) await login("wrong");
    const stored = async () => {
      await server.ctx.audit.idle();
      return server.rows.selectFrom("auditEntries").select("id").execute();
    };
    const before = await stored();
    expect((await login("wrong", "nobody@example.com")).statusCode).toBe(401);
    expect(await stored()).toEqual(before);
    const again = await server.signUp();
    await server.rows
      .updateTable("memberships")
      .set({ orgId: person.orgId })
      .where("userId", "=", again.userId)
      .execute();
    const reader = (await post("/auth/login", { email: again.email, password: testPassword })).json();
    const headers = { authorization: `Bearer ${reader.tokens.access_token}` };
    const events = (await entries({ ...again, headers })).map(({ event, outcome }) => `${event} ${outcome}`);
    for (const expected of [
      "session.failed failure",
      "session.started success",
      "session.ended success",
      "password.reset_requested success",
      "session.reused failure",
      "session.locked failure",
    ]) {
      expect(events).toContain(expected);
    }
    // Refused attempts have no limit, so they share an entry.
    expect(events.filter((event) => event.startsWith("session.locked"))).toHaveLength(1);
  });

  it("is read in pages and by event", async () => {
    const person = await server.signUp();
    for (const name of ["a", "b", "c"]) await server.makeKey(person, name);
    const first = (await server.app.inject({ url: `${url}?limit=2`, headers: person.headers })).json();
    expect(first.entries.map(({ target }: { target: string }) => target)).toEqual([
      "c (ingest)",
      "b (ingest)",
    ]);
    const before = encodeURIComponent(first.next);
    const rest = (
      await server.app.inject({ url: `${url}?limit=2&before=${before}`, headers: person.headers })
    ).json();
    expect(rest.entries.map(({ event }: { event: string }) => event)).toEqual([
      "key.created",
      "account.registered",
    ]);
    expect(rest.next).toBeNull();
    expect(await entries(person, "?event=account.registered")).toHaveLength(1);
    expect((await server.app.inject({ url: `${url}?event=x`, headers: person.headers })).statusCode).toBe(
      400,
    );
  });

  it("is exported as CSV without formulas, which is recorded too", async () => {
    const reply = await server.app.inject({ url: `${url}/export`, headers: ada.headers });
    expect(reply.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(reply.headers["content-disposition"]).toBe(
      'attachment; filename="flamekeep-audit-2026-11-20.csv"',
    );
    const [head, ...lines] = reply.body.trimEnd().split("\r\n");
    expect(head).toBe("at,event,description,outcome,actor,target,address,user_agent,request_id");
    expect(lines.length).toBeGreaterThanOrEqual(3);
    expect(reply.body).toContain(",'=checkout (ingest),");
    expect((await entries(ada))[0]).toMatchObject({ event: "audit.exported", actor: ada.email });
  });

  it("is only for admins of the organization", async () => {
    const person = await server.signUp();
    expect(JSON.stringify(await entries(person))).not.toContain(ada.email);
    for (const role of ["member", "viewer"] as const) {
      await server.setRole(person, role);
      for (const path of [url, `${url}/export`]) {
        expect((await server.app.inject({ url: path, headers: person.headers })).statusCode).toBe(403);
      }
    }
  });

  it("cannot be changed in the database", async () => {
    const change = server.rows.updateTable("auditEntries").set({ target: "nothing" } as never);
    await expect(change.execute()).rejects.toThrow("audit entries cannot be changed");
  });
});
