import { profileOf } from "@flamekeep/profile/testing";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rowBackends } from "#store/testing/backends.ts";
import { SoftwareAuthenticator } from "#testing/software-authenticator.ts";
import type { Person, TestApp } from "#testing/start-app.ts";
import { startAppOn } from "#testing/start-app-on.ts";

const backends = await rowBackends(isFullLength);
const api = "/api/v1/protected";
const factors = `${api}/user/second-factor`;

describe.each(backends)("a required second factor on $name", (backend) => {
  let server: TestApp;
  let admin: Person;
  beforeEach(async () => {
    server = await startAppOn(backend, { at: "2026-11-20T10:00:00.000Z" });
    admin = await server.signUp();
  });
  afterEach(() => server.close());

  type Method = "GET" | "POST" | "PUT" | "DELETE";
  const ask = (person: Pick<Person, "headers">, method: Method, url: string, payload?: object) =>
    server.app.inject({ method, url, headers: person.headers, ...(payload && { payload }) });
  const require = (is_required: boolean, person = admin) =>
    ask(person, "PUT", `${api}/organization/second-factor`, { is_required });
  const isAdmitted = async (person: Pick<Person, "headers">) => {
    const reply = await ask(person, "GET", `${api}/services`);
    if (reply.statusCode !== 200) expect(reply.json().code).toBe("second_factor_required");
    return reply.statusCode === 200;
  };

  async function addPasskey(person: Person): Promise<string> {
    const { password } = person;
    const started = await ask(person, "POST", `${factors}/passkeys/options`, { password });
    const passkey = new SoftwareAuthenticator().create(started.json().options);
    const added = await ask(person, "POST", `${factors}/passkeys`, { name: "Laptop", passkey });
    expect(added.statusCode).toBe(201);
    return added.json().passkey.id;
  }

  async function invite(): Promise<string> {
    const reply = await ask(admin, "POST", `${api}/organization/invitations`, { role: "member" });
    return reply.json().url.split("/").at(-1);
  }

  /** A person with an organization as well, whose session is in the admin's. */
  async function member(): Promise<Person> {
    const person = await server.signUp();
    const reply = await ask(person, "POST", `${api}/user/invitations`, { token: await invite() });
    expect(reply.statusCode).toBe(200);
    return { ...person, headers: { authorization: `Bearer ${reply.json().access_token}` } };
  }

  it("is for admins to ask for, once they have one themselves", async () => {
    const refused = await require(true);
    expect([refused.statusCode, refused.json().error]).toEqual([
      409,
      "Set up your own second factor first, under Settings, Account.",
    ]);
    await addPasskey(admin);
    const grace = await member();
    expect((await require(true, grace)).statusCode).toBe(403);
    expect((await require(true)).json()).toMatchObject({
      requires_second_factor: true,
      members_without_second_factor: 1,
    });
    await server.ctx.audit.idle();
    const entries = await server.rows.selectFrom("auditEntries").select(["event", "target"]).execute();
    expect(entries).toContainEqual({ event: "second_factor.requirement_changed", target: "required" });
  });

  it("shuts out members without one at once, and admits them at once when they have one", async () => {
    await addPasskey(admin);
    const grace = await member();
    const key = await server.makeKey(admin, "agent", "read");
    expect(await isAdmitted(grace)).toBe(true);
    await require(true);
    expect([await isAdmitted(grace), await isAdmitted(admin)]).toEqual([false, true]);
    const profile = (await ask(grace, "GET", `${api}/user/profile`)).json();
    expect(profile.user.needs_second_factor).toBe(true);
    const passkey = await addPasskey(grace);
    expect(await isAdmitted(grace)).toBe(true);
    const shown = (await ask(grace, "GET", `${api}/organization`)).json();
    expect(shown).toMatchObject({ requires_second_factor: true, members_without_second_factor: null });
    await ask(grace, "DELETE", `${factors}/passkeys/${passkey}`, { password: grace.password });
    expect(await isAdmitted(grace)).toBe(false);
    const call = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const headers = { ...key.headers, accept: "application/json, text/event-stream" };
    const byKey = await server.app.inject({ method: "POST", url: "/mcp", headers, payload: call });
    expect(byKey.statusCode).toBe(200);
    await require(false);
    expect(await isAdmitted(grace)).toBe(true);
  });

  it("leaves the person's other organizations open", async () => {
    await addPasskey(admin);
    const grace = await member();
    await require(true);
    const moved = await ask(grace, "POST", `${api}/user/organizations/${grace.orgId}/switch`);
    expect(moved.json().user.needs_second_factor).toBe(false);
    const headers = { authorization: `Bearer ${moved.json().access_token}` };
    expect(await isAdmitted({ headers })).toBe(true);
    const { profile_id } = await server.send(profileOf("main\n1"), {
      ...(await server.makeKey(admin)),
      query: { service: "checkout", type: "cpu" },
    });
    const find = (kind: string, id: string) =>
      ask({ headers }, "GET", `${api}/user/organization-of/${kind}/${id}`);
    const found = [await find("profile", profile_id), await find("service", "checkout")];
    expect(found.map((reply) => reply.json())).toEqual([{ organization: null }, { organization: null }]);
    const back = await ask({ headers }, "POST", `${api}/user/organizations/${admin.orgId}/switch`);
    expect(back.json().user.needs_second_factor).toBe(true);
    const left = await ask(
      { headers: { authorization: `Bearer ${back.json().access_token}` } },
      "POST",
      `${api}/user/leave-organization`,
    );
    expect(left.json().moved.user).toMatchObject({
      needs_second_factor: false,
      organization: { id: grace.orgId },
    });
  });

  it("is named in the reply to a sign-in and to a registration by invitation", async () => {
    await addPasskey(admin);
    const grace = await member();
    await require(true);
    const { email, password } = grace;
    const payload = { email, password };
    const signedIn = await server.app.inject({ method: "POST", url: "/auth/login", payload });
    expect(signedIn.json().user).toMatchObject({
      needs_second_factor: true,
      organization: { id: admin.orgId },
    });
    const registered = await server.app.inject({
      method: "POST",
      url: "/auth/register",
      payload: {
        email: "new@example.com",
        password,
        first_name: "New",
        last_name: "Person",
        invitation: await invite(),
      },
    });
    expect(registered.json().user.needs_second_factor).toBe(true);
    const headers = { authorization: `Bearer ${registered.json().tokens.access_token}` };
    expect(await isAdmitted({ headers })).toBe(false);
  });
});
