import { endpoints } from "@flamekeep/contract/schemas";
import { profileOf } from "@flamekeep/profile/testing";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isAudited, unauditedChanges } from "#audit/audited-calls.ts";
import { rowBackends } from "#store/testing/backends.ts";
import { type Person, type TestApp, testPassword } from "#testing/start-app.ts";
import { startAppOn } from "#testing/start-app-on.ts";

const url = "/api/v1/protected/organization/audit";
const backends = await rowBackends(isFullLength);

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

  it("has one entry for a change that is sent twice, as nothing changes the second time", async () => {
    const person = await server.signUp();
    const colleague = await server.signUp();
    const { orgId } = person;
    await server.rows.insertInto("memberships").values(memberOf(orgId, colleague.userId)).execute();
    const send = async (method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, payload: object) => {
      const to = `/api/v1/protected/${path}`;
      const reply = await server.app.inject({ method, url: to, headers: person.headers, payload });
      expect([path, reply.statusCode]).toEqual([path, method === "POST" ? 201 : 200]);
      return reply.json();
    };
    const { rule } = await send("POST", "alerts/rules", ruleBody);
    const dashboard = await send("POST", "dashboards", { name: "Till" });
    const changes = [
      ["PUT", "organization/retention", { retention_days: 7 }],
      ["PUT", "alert-settings", { emails: ["oncall@example.com"] }],
      ["PUT", "alert-settings", { webhook_url: "https://example.com/hook" }],
      ["PUT", "alert-digest", { frequency: "daily", channels: ["email"] }],
      ["PUT", "alert-digest", { frequency: "off", channels: ["email"] }],
      ["PUT", `alerts/rules/${rule.id}`, { ...ruleBody, name: "Renamed" }],
      ["PUT", `alerts/rules/${rule.id}`, { ...ruleBody, name: "Renamed", threshold: 3 }],
      [
        "PUT",
        "services/checkout/source-link",
        { url_pattern: "https://github.com/acme/shop/blob/v{version}/{file}#L{line}" },
      ],
      ["DELETE", "services/checkout/source-link", {}],
      ["PATCH", "organization", { name: "Acme" }],
      ["PUT", "organization/public-links", { is_allowed: true }],
      ["PUT", "organization/public-links", { is_allowed: false }],
      ["PATCH", `organization/members/${colleague.userId}`, { role: "viewer" }],
    ] as const;
    for (const [method, path, body] of changes) {
      const before = (await entries(person)).length;
      const first = await send(method, path, body);
      expect([path, (await entries(person)).length]).toEqual([path, before + 1]);
      expect(await send(method, path, body)).toEqual(first);
      expect([path, (await entries(person)).length]).toEqual([path, before + 1]);
    }
    const { name, description, variables, range, panels, id } = dashboard;
    const body = { name, description, variables, range, panels };
    const saved = await send("PUT", `dashboards/${id}`, { ...body, version: 1 });
    expect(saved.version).toBe(1);
    expect((await entries(person, "?event=dashboard.changed")).length).toBe(0);
    expect((await send("PUT", `dashboards/${id}`, { ...body, name: "Tills", version: 1 })).version).toBe(2);
    expect((await entries(person, "?event=dashboard.changed")).length).toBe(1);
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

const ruleBody = {
  name: "CPU",
  service: "checkout",
  signal: "profile",
  profile_type: "cpu",
  sample_type: "cpu/nanoseconds",
  comparison: "above",
  threshold: 2,
  minutes: 5,
  severity: "warning",
};

function memberOf(orgId: string, userId: string) {
  return { orgId, userId, role: "member", createdAt: "2026-11-20T10:00:00.000Z" } as const;
}
