import { limits } from "@flamekeep/contract";
import { dayMs, minuteMs } from "@flamekeep/contract/durations";
import { decodeFlameGraph } from "@flamekeep/flame";
import { decodeComparison } from "@flamekeep/flame/compare";
import { profileOf } from "@flamekeep/profile/testing";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import type { InjectOptions } from "fastify";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { rowBackends } from "#store/testing/backends.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { startAppOn } from "#testing/start-app-on.ts";

const links = "/api/v1/protected/organization/shared-links";
const allowance = "/api/v1/protected/organization/public-links";
const gone = {
  error: "This link does not exist, has expired or was revoked.",
  code: "not_found",
};

const backends = await rowBackends(isFullLength);

describe.each(backends)("public links on $name", (backend) => {
  let server: TestApp;
  let ada: Person;
  let profileId: string;
  beforeAll(async () => {
    server = await startAppOn(backend);
    ({ person: ada, profileId } = await newOrganization());
  });
  afterAll(() => server.close());

  const picture = (value: number) => profileOf(`main main\nwork idle\n${value} 10`);

  async function newOrganization() {
    const person = await server.signUp();
    const { headers } = await server.makeKey(person);
    const started_at = new Date(server.clock.now().getTime() - 10 * minuteMs).toISOString();
    const query = { service: "checkout", type: "cpu", started_at };
    const sent = await server.send(picture(30), { headers, query });
    await allow(person, true);
    return { person, keyHeaders: headers, profileId: sent.profile_id };
  }

  function request(person: Person, options: InjectOptions) {
    return server.app.inject({ ...options, headers: person.headers });
  }

  async function allow(person: Person, is_allowed: boolean) {
    const reply = await request(person, { method: "PUT", url: allowance, payload: { is_allowed } });
    expect(reply.json()).toEqual({ is_allowed });
  }

  const ofProfile = (id: string, more: object = {}) => ({ kind: "profile", profile_id: id, ...more });
  const around = () => {
    const now = server.clock.now().getTime();
    return {
      from: new Date(now - 60 * minuteMs).toISOString(),
      to: new Date(now + 5 * minuteMs).toISOString(),
    };
  };

  async function create(person: Person, graph: object, more: object = {}) {
    const payload = { graph, expires_in_days: 7, ...more };
    const reply = await request(person, { method: "POST", url: links, payload });
    expect([reply.statusCode, reply.body]).toEqual([201, expect.anything()]);
    const { shared_link, url } = reply.json();
    return { link: shared_link, token: String(url.split("/").at(-1)), url };
  }

  const view = (payload: object) => server.app.inject({ method: "POST", url: "/api/v1/shared", payload });
  const graph = (payload: object) =>
    server.app.inject({ method: "POST", url: "/api/v1/shared/graph", payload });

  async function expectGone(token: string) {
    for (const reply of [await view({ token }), await graph({ token })]) {
      const { request_id: _, ...body } = reply.json();
      expect([reply.statusCode, body]).toEqual([404, gone]);
      expect(reply.headers["cache-control"]).toBe("no-store");
    }
  }

  async function opens(token: string) {
    return [(await view({ token })).statusCode, (await graph({ token })).statusCode];
  }

  it("shows one profile with the stored view, and stores only a hash of the token", async () => {
    const look = { q: "work", zoom: "0" };
    const { token, url, link } = await create(ada, ofProfile(profileId, { group_by: "line" }), { look });
    expect(url).toBe(`${server.ctx.config.publicUrl}/shared/${token}`);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(link).toMatchObject({ kind: "profile", service: "checkout", is_revocable: true });
    const shown = (await view({ token })).json();
    expect(shown).toMatchObject({
      graph: { kind: "profile", profile_id: profileId, group_by: "line" },
      service: "checkout",
      look,
      expires_at: link.expires_at,
    });
    const drawn = await graph({ token });
    const { tree } = decodeFlameGraph(new Uint8Array(drawn.rawPayload));
    expect(tree.width[0]).toBe(40);
    expect(drawn.headers["cache-control"]).toBe("no-store");
    expect(drawn.headers.etag).toBeUndefined();
    const stored = await server.rows.selectFrom("sharedLinks").selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(server.logged.join("")).not.toContain(token);
  });

  it("shows a range and a comparison", async () => {
    const range = { kind: "range", service: "checkout", type: "cpu", ...around() };
    const merged = await create(ada, range);
    const { tree, meta } = decodeFlameGraph(
      new Uint8Array((await graph({ token: merged.token })).rawPayload),
    );
    expect(tree.width[0]).toBe(40);
    expect(meta.merge?.service).toBe("checkout");
    const side = { service: "checkout", ...around() };
    const compared = await create(ada, { kind: "comparison", type: "cpu", before: side, after: side });
    const reply = await graph({ token: compared.token });
    expect(decodeComparison(new Uint8Array(reply.rawPayload)).meta.after.service).toBe("checkout");
    const profiles = { ...side, profile_id: profileId };
    const two = await create(ada, { kind: "comparison", type: "cpu", before: profiles, after: profiles });
    expect(await opens(two.token)).toEqual([200, 200]);
  });

  it("ends a range that lies ahead ten minutes after it was created", async () => {
    const now = server.clock.now().getTime();
    const later = new Date(now + 20 * 60 * minuteMs).toISOString();
    const { token } = await create(ada, {
      kind: "range",
      service: "checkout",
      type: "cpu",
      ...around(),
      to: later,
    });
    const { to, graph: stored } = (await view({ token })).json();
    expect(stored.to).toBe(to);
    expect(Date.parse(to)).toBeLessThan(now + 11 * minuteMs);
  });

  it("does not name other tags and sample types to the visitor", async () => {
    const range = { kind: "range", service: "checkout", type: "cpu", ...around() };
    for (const more of [{ tags: { customer: "acme" } }, { sample_type: "nothing" }]) {
      const { token } = await create(ada, { ...range, ...more });
      const reply = await graph({ token });
      expect([reply.statusCode, reply.json().error]).toEqual([
        422,
        "This graph cannot be drawn. Ask for a new link.",
      ]);
    }
    const { token } = await create(ada, range);
    expect((await graph({ token, root: "root_9" })).json().error).toBe('The graph has no frame "root_9"');
    const payload = { graph: { ...range, tags: { "a:b": "c" } }, expires_in_days: 7 };
    const refused = await request(ada, { method: "POST", url: links, payload });
    expect([refused.statusCode, refused.json().error]).toEqual([400, expect.stringContaining("colon")]);
  });

  it("does not let the visitor change a parameter", async () => {
    const { token } = await create(ada, ofProfile(profileId));
    for (const changed of [{ service: "other" }, { graph: {} }, { sample_type: "x" }, { max_nodes: 1 }]) {
      expect((await graph({ token, ...changed })).statusCode).toBe(400);
      expect((await view({ token, ...changed })).statusCode).toBe(400);
    }
    const inQuery = { sample_type: "nothing", root: "root_9", from: "1h", service: "other" };
    const url = "/api/v1/shared/graph";
    const reply = await server.app.inject({ method: "POST", url, query: inQuery, payload: { token } });
    expect(decodeFlameGraph(new Uint8Array(reply.rawPayload)).tree.width[0]).toBe(40);
    const zoomed = await graph({ token, root: "root_0" });
    expect(decodeFlameGraph(new Uint8Array(zoomed.rawPayload)).tree.width[0]).toBe(40);
  });

  it("gives one 404 if it is unknown, malformed, expired, revoked or not allowed any more", async () => {
    const { token } = await create(ada, ofProfile(profileId));
    await expectGone("A".repeat(43));
    await expectGone("");
    await expectGone(`${token}x`);
    await allow(ada, false);
    await expectGone(token);
    await allow(ada, true);
    // It ended for good.
    await expectGone(token);
    const { token: next, link: nextLink } = await create(ada, ofProfile(profileId));
    expect(await opens(next)).toEqual([200, 200]);
    const reply = await request(ada, { method: "DELETE", url: `${links}/${nextLink.id}` });
    expect(reply.json().shared_link.id).toBe(nextLink.id);
    await expectGone(next);
    expect((await request(ada, { method: "DELETE", url: `${links}/${nextLink.id}` })).statusCode).toBe(404);
  });

  it("is refused while the organization does not allow it, to viewers, and for what is not there", async () => {
    const person = await server.signUp();
    const ask = (graphOf: object, more: object = {}) =>
      request(person, {
        method: "POST",
        url: links,
        payload: { graph: graphOf, expires_in_days: 7, ...more },
      });
    const range = { kind: "range", service: "checkout", type: "cpu", ...around() };
    expect((await ask(range)).json().error).toMatch(/does not allow public links/);
    expect((await request(person, { url: links })).json()).toEqual({ is_allowed: false, shared_links: [] });
    await allow(person, true);
    expect((await ask(ofProfile(profileId))).statusCode).toBe(404);
    const sides = { before: { profile_id: profileId, service: "a", ...around() } };
    const compared = { kind: "comparison", type: "cpu", ...sides, after: { service: "a", ...around() } };
    expect((await ask(compared)).statusCode).toBe(404);
    expect((await ask({ ...range, from: range.to })).statusCode).toBe(400);
    const later = new Date(server.clock.now().getTime() + 2 * dayMs).toISOString();
    expect((await ask({ ...range, to: later })).json().error).toBe("Field 'to' must not be in the future");
    expect((await ask({ ...range, org_id: ada.orgId })).statusCode).toBe(400);
    expect((await ask(range, { expires_in_days: 91 })).statusCode).toBe(400);
    await server.setRole(person, "viewer");
    expect((await ask(range)).statusCode).toBe(403);
    expect((await request(person, { url: links })).statusCode).toBe(403);
  });

  it("is not created when an admin forbids links at the same moment", async () => {
    const { person, profileId: id } = await newOrganization();
    const read = server.ctx.profiles.read;
    const reading = vi.spyOn(server.ctx.profiles, "read").mockImplementation(async (...args) => {
      await allow(person, false);
      return read(...args);
    });
    const payload = { graph: ofProfile(id), expires_in_days: 7 };
    const reply = await request(person, { method: "POST", url: links, payload });
    expect(reading).toHaveBeenCalledOnce();
    reading.mockRestore();
    expect([reply.statusCode, reply.json().error]).toEqual([
      403,
      expect.stringMatching(/does not allow public links/),
    ]);
    await allow(person, true);
    const listed = (await request(person, { url: links })).json();
    expect(listed).toEqual({ is_allowed: true, shared_links: [] });
  });

  it("is listed in its organization with its author and last opening, and revoked by its author or an admin", async () => {
    const { person } = await newOrganization();
    const { token, link } = await create(person, { kind: "range", service: "a", type: "cpu", ...around() });
    const list = async (of: Person) => (await request(of, { url: links })).json();
    expect((await list(person)).shared_links).toMatchObject([{ id: link.id, last_opened_at: null }]);
    const openedAt = server.clock.now().toISOString();
    await view({ token });
    server.clock.advance(minuteMs / 2);
    await view({ token });
    expect(await list(person)).toMatchObject({
      is_allowed: true,
      shared_links: [{ created_by: "Ada Lovelace", last_opened_at: openedAt, is_revocable: true }],
    });
    const eve = await server.signUp();
    expect((await list(eve)).shared_links).toEqual([]);
    server.clock.advance(minuteMs);
    await graph({ token });
    const readAt = server.clock.now().toISOString();
    expect((await list(person)).shared_links).toMatchObject([{ last_opened_at: readAt }]);
    expect((await request(eve, { method: "DELETE", url: `${links}/${link.id}` })).statusCode).toBe(404);
    const colleague = await join(person, "member");
    expect((await list(colleague)).shared_links).toMatchObject([{ id: link.id, is_revocable: false }]);
    expect((await request(colleague, { method: "DELETE", url: `${links}/${link.id}` })).statusCode).toBe(403);
    const audit = (await request(person, { url: "/api/v1/protected/organization/audit" })).json().entries;
    const events = audit.map(({ event, target }: { event: string; target: string }) => [event, target]);
    expect(events).toContainEqual(["sharing.changed", "public links allowed"]);
    expect(events).toContainEqual(["link.created", `range of a, cpu, until ${link.expires_at.slice(0, 10)}`]);
  });

  /** Signs up a person who joins the organization of another one. */
  async function join(person: Person, role: "member" | "viewer"): Promise<Person> {
    const url = "/api/v1/protected/organization/invitations";
    const invited = (await request(person, { method: "POST", url, payload: { role } })).json();
    const token = invited.url.split("/").at(-1);
    const colleague = await server.signUp();
    const accept = { method: "POST", url: "/api/v1/protected/user/invitations", payload: { token } } as const;
    const { access_token } = (await request(colleague, accept)).json();
    const headers = { authorization: `Bearer ${access_token}` };
    return { ...colleague, orgId: person.orgId, accessToken: access_token, headers };
  }

  it("ends while its author is a viewer, and when the author leaves the organization", async () => {
    const { person, profileId: id } = await newOrganization();
    const colleague = await join(person, "member");
    const { token } = await create(colleague, ofProfile(id));
    expect(await opens(token)).toEqual([200, 200]);
    await server.setRole(colleague, "viewer");
    await expectGone(token);
    await server.setRole(colleague, "member");
    expect(await opens(token)).toEqual([200, 200]);
    const url = `/api/v1/protected/organization/members/${colleague.userId}`;
    expect((await request(person, { method: "DELETE", url })).statusCode).toBe(200);
    await expectGone(token);
    expect((await request(person, { url: links })).json().shared_links).toEqual([]);
    // It stays gone if the person joins again.
    const payload = { role: "member" };
    const invitations = "/api/v1/protected/organization/invitations";
    const invited = await request(person, { method: "POST", url: invitations, payload });
    const invitation = invited.json().url.split("/").at(-1);
    const { email, password } = colleague;
    const again = { method: "POST", url: "/auth/login", payload: { email, password, invitation } } as const;
    expect((await server.app.inject(again)).statusCode).toBe(200);
    await expectGone(token);
  });

  it("ends while its author is disabled, and is not listed then", async () => {
    const { person, profileId: id } = await newOrganization();
    const colleague = await join(person, "member");
    const { token } = await create(colleague, ofProfile(id));
    const setActive = (isActive: 0 | 1) =>
      server.rows.updateTable("users").set({ isActive }).where("id", "=", colleague.userId).execute();
    const listed = async () => (await request(person, { url: links })).json().shared_links.length;
    await setActive(0);
    await expectGone(token);
    expect(await listed()).toBe(0);
    await setActive(1);
    expect([await opens(token), await listed()]).toEqual([[200, 200], 1]);
  });

  it("can be created while links that are not listed would fill the organization", async () => {
    const { person, profileId: id } = await newOrganization();
    const colleague = await join(person, "member");
    const { link } = await create(colleague, ofProfile(id));
    const row = await server.rows
      .selectFrom("sharedLinks")
      .selectAll()
      .where("orgId", "=", person.orgId)
      .where("id", "=", link.id)
      .executeTakeFirstOrThrow();
    const copies = Array.from({ length: limits.sharedLinksMax - 1 }, (_, i) => ({
      ...row,
      id: crypto.randomUUID(),
      tokenHash: `copy ${i} of ${link.id}`,
    }));
    await server.rows.insertInto("sharedLinks").values(copies).execute();
    const payload = { graph: ofProfile(id), expires_in_days: 7 };
    const full = await request(person, { method: "POST", url: links, payload });
    expect(full.json().code).toBe("quota_exceeded");
    await server.setRole(colleague, "viewer");
    expect((await request(person, { url: links })).json().shared_links).toEqual([]);
    await create(person, ofProfile(id));
  });

  it("ends with its organization", async () => {
    const { person, profileId: id } = await newOrganization();
    const { token } = await create(person, ofProfile(id));
    const { name } = (await request(person, { url: "/api/v1/protected/organization" })).json();
    const url = "/api/v1/protected/organization";
    expect((await request(person, { method: "DELETE", url, payload: { confirm: name } })).statusCode).toBe(
      200,
    );
    await expectGone(token);
  });

  it("ends with its service", async () => {
    const { person, profileId: id } = await newOrganization();
    const [one, range] = [
      await create(person, ofProfile(id)),
      await create(person, { kind: "range", service: "checkout", type: "cpu", ...around() }),
    ];
    const url = "/api/v1/protected/services/checkout";
    const reply = await request(person, { method: "DELETE", url, payload: { confirm: "checkout" } });
    expect([reply.statusCode, reply.body]).toEqual([200, expect.anything()]);
    await expectGone(one.token);
    await expectGone(range.token);
  });

  it("expires", async () => {
    const { person, profileId: id } = await newOrganization();
    const { token } = await create(person, ofProfile(id), { expires_in_days: 1 });
    server.clock.advance(dayMs - 1);
    expect(await opens(token)).toEqual([200, 200]);
    server.clock.advance(1);
    await expectGone(token);
  });
});

it("is opened sixty times a minute from one address, and is not offered to visitors of the demo", async () => {
  const server = await startApp({ env: { DEMO: "on" } });
  try {
    const call = { method: "POST", url: "/api/v1/shared", payload: { token: "x" } } as const;
    const statuses: number[] = [];
    for (let i = 0; i < 61; i++) statuses.push((await server.app.inject(call)).statusCode);
    expect(statuses).toEqual([...new Array(60).fill(404), 429]);
    const headers = { authorization: "Bearer test-api-key" };
    expect((await server.app.inject({ url: links, headers })).statusCode).toBe(403);
    const payload = { graph: { kind: "profile", profile_id: "0".repeat(32) }, expires_in_days: 1 };
    expect((await server.app.inject({ method: "POST", url: links, headers, payload })).statusCode).toBe(403);
  } finally {
    await server.close();
  }
});
