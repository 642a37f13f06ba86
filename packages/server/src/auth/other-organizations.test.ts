import { type Endpoint, organizationHeader, toPath } from "@flamekeep/contract";
import { endpoints } from "@flamekeep/contract/schemas";
import { profileOf } from "@flamekeep/profile/testing";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rowBackends } from "#store/testing/backends.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { startAppOn } from "#testing/start-app-on.ts";

const backends = await rowBackends(isFullLength);
const api = "/api/v1/protected";
const isOpen = ({ isOpenToOtherOrganizations }: Endpoint) => isOpenToOtherOrganizations;
const someId = "3f9a1c07-be52-4d8e-8460-b7c91691e9f4";

describe.each(backends)("another organization of a person on $name", (backend) => {
  let server: TestApp;
  let admin: Person;
  /** The session is in the person's first organization. */
  let grace: Person;
  let stranger: Person;
  let projectId: string;

  beforeAll(async () => {
    server = await startAppOn(backend, { at: "2026-11-20T10:00:00.000Z" });
    [admin, grace, stranger] = [await server.signUp(), await server.signUp(), await server.signUp()];
    await join(grace);
    const { headers } = await server.makeKey(admin);
    const query = { service: "checkout", type: "cpu", started_at: "2026-11-20T09:55:00.000Z" };
    await server.send(profileOf("main;pay\n5", { sampleTypes: ["cpu/nanoseconds"] }), { headers, query });
    const heap = { ...query, type: "memory" };
    await server.send(profileOf("main;pay\n5", { sampleTypes: ["inuse_space/bytes"] }), {
      headers,
      query: heap,
    });
    const metric = { timestamp: Date.parse(query.started_at), duration: 1, status_code: 500, path: "/" };
    const sent = await ask({ headers }, "POST", "/api/v1/ingest/http-metrics?service=checkout", [
      { ...metric, method: "GET" },
    ]);
    expect(sent.statusCode).toBe(200);
    const project = await ask(admin, "POST", `${api}/projects`, { name: "Shop", services: ["checkout"] });
    projectId = project.json().project.id;
  });
  afterAll(() => server.close());

  const ask = (
    { headers }: { readonly headers: Readonly<Record<string, string>> },
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    url: string,
    payload?: object,
  ) => server.app.inject({ method, url, headers: { ...headers }, ...(payload && { payload }) });

  /** Adds the person to the organization of the admin; their session stays in their own. */
  async function join(person: Person): Promise<void> {
    const invited = await ask(admin, "POST", `${api}/organization/invitations`, { role: "viewer" });
    const token = invited.json().url.split("/").at(-1);
    const joined = await ask(person, "POST", `${api}/user/invitations`, { token });
    expect(joined.statusCode).toBe(200);
    const { access_token: token2 } = joined.json();
    const back = await ask(
      { headers: { authorization: `Bearer ${token2}` } },
      "POST",
      `${api}/user/organizations/${person.orgId}/switch`,
    );
    expect(back.statusCode).toBe(200);
  }

  const urlOf = (call: Endpoint) =>
    toPath(call, { id: projectId, service: "checkout" }, { from: "1h", type: "cpu" });
  const inOrganization = (person: Person, orgId: string) => ({
    headers: { ...person.headers, [organizationHeader]: orgId },
  });
  const services = (person: Person, orgId = admin.orgId) =>
    ask(inOrganization(person, orgId), "GET", `${api}/services?since=1h`);

  it("is read by the calls that compare, as its own members read it", async () => {
    const open = endpoints.filter(isOpen);
    expect(open.length).toBeGreaterThan(9);
    for (const call of open) {
      const own = await ask(admin, "GET", urlOf(call));
      const read = await ask(inOrganization(grace, admin.orgId.toUpperCase()), "GET", urlOf(call));
      expect([call.path, own.statusCode, read.statusCode]).toEqual([call.path, 200, 200]);
      expect(read.json()).toEqual(own.json());
      expect(read.body).not.toBe((await ask(grace, "GET", urlOf(call))).body);
    }
  });

  it("is not found by people who are no members, in the demo, or under a name that is no id", async () => {
    const notFound = { code: "not_found", error: "Organization not found" };
    for (const call of endpoints.filter(isOpen)) {
      const refused = await ask(inOrganization(stranger, admin.orgId), "GET", urlOf(call));
      expect([call.path, refused.statusCode, refused.json()]).toMatchObject([call.path, 404, notFound]);
    }
    for (const orgId of [
      someId,
      "",
      "0",
      "null",
      `${admin.orgId}, ${admin.orgId}`,
      "' OR 1=1 --",
      "x".repeat(4000),
    ])
      expect((await services(grace, orgId)).json()).toMatchObject(notFound);
    const own = await services(grace, grace.orgId);
    expect(own.json()).toMatchObject({ services: [] });
  });

  it("is not reached by any other call, which changes nothing", async () => {
    const others = endpoints.filter((call) => call.auth === "session" && !isOpen(call));
    expect(others.length).toBeGreaterThan(50);
    for (const call of others) {
      const url = toPath(call, {
        id: projectId,
        profileId: projectId,
        service: "checkout",
        kind: "profile",
        type: "cpu",
        recommendation: "r1",
        comment: someId,
      });
      const refused = await ask(inOrganization(grace, admin.orgId), call.method, url);
      expect([call.path, refused.statusCode]).toEqual([call.path, 400]);
      expect(refused.json().error).toContain("Leave out the header X-Organization");
    }
  });

  it("is closed at once to a member who is removed, or lacks a factor that it requires", async () => {
    expect((await services(grace)).statusCode).toBe(200);
    await server.rows
      .updateTable("organizations")
      .set({ requiresSecondFactor: 1 })
      .where("id", "=", admin.orgId)
      .execute();
    server.ctx.sessions.forgetOrganization(admin.orgId);
    expect((await services(grace)).json().code).toBe("second_factor_required");
    expect((await services(grace, grace.orgId)).statusCode).toBe(200);
    await server.rows.updateTable("organizations").set({ requiresSecondFactor: 0 }).execute();
    server.ctx.sessions.forgetOrganization(admin.orgId);
    expect((await services(grace)).statusCode).toBe(200);
    const removed = await ask(admin, "DELETE", `${api}/organization/members/${grace.userId}`);
    expect(removed.statusCode).toBeLessThan(300);
    expect((await services(grace)).statusCode).toBe(404);
    await join(grace);
    expect((await services(grace)).statusCode).toBe(200);
    await ask(grace, "POST", "/auth/logout");
    expect((await services(grace)).statusCode).toBe(401);
  });
});

it("cannot be named by visitors of the demo", async () => {
  const demo = await startApp({ env: { DEMO: "on" } });
  try {
    const { orgId } = await demo.signUp();
    const headers = { authorization: "Bearer test-api-key", [organizationHeader]: orgId };
    const reply = await demo.app.inject({ url: `${api}/services`, headers });
    expect([reply.statusCode, reply.json().error]).toEqual([404, "Organization not found"]);
  } finally {
    await demo.close();
  }
});
