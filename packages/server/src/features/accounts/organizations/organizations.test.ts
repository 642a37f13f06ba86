import { readdir, readFile } from "node:fs/promises";
import { profileOf } from "@flamekeep/profile/testing";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countSession } from "#auth/sign-in-limits/attempts.ts";
import { readAccessToken } from "#auth/tokens/access-token.ts";
import type { UserActor } from "#context";
import { isRemovedSince } from "#store/row/service-removals.ts";
import { rowBackends } from "#store/testing/backends.ts";
import { type Person, startApp, type TestApp, testPassword } from "#testing/start-app.ts";
import { startAppOn } from "#testing/start-app-on.ts";
import { storeAlert } from "#testing/store-alert.ts";
import { deleteOrganization } from "./operations.ts";

const own = "/api/v1/protected/user";
const organizationUrl = "/api/v1/protected/organization";
const membersUrl = `${organizationUrl}/members`;
const invitationsUrl = `${organizationUrl}/invitations`;
const dayMs = 86_400_000;

const backends = await rowBackends(isFullLength);

describe.each(backends)("organizations on $name", (backend) => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startAppOn(backend);
  });
  afterAll(() => server.close());

  let people = 0;
  const signUp = () => server.signUp(undefined, `203.0.113.${++people}`);

  type Sender = Pick<Person, "headers">;
  const post = (by: Sender | undefined, url: string, payload: object = {}) =>
    server.app.inject({ method: "POST", url, payload, ...(by && { headers: by.headers }) });
  const patch = (by: Sender, url: string, payload: object) =>
    server.app.inject({ method: "PATCH", url, payload, headers: by.headers });
  const remove = (by: Sender, url: string, payload?: object) =>
    server.app.inject({ method: "DELETE", url, headers: by.headers, ...(payload && { payload }) });
  const read = (by: Sender, url: string) => server.app.inject({ url, headers: by.headers });
  const bearer = (token: string): Sender => ({ headers: { authorization: `Bearer ${token}` } });

  async function invite(by: Sender, payload: object = {}): Promise<string> {
    // Invitations of an organization are limited.
    server.clock.advance(120_000);
    const reply = await post(by, invitationsUrl, payload);
    expect(reply.statusCode).toBe(201);
    return reply.json().url.replace(/^.*\/invite\//, "");
  }

  /** Joins the organization of `by`; the person with the token of the session there. */
  async function join(by: Sender, role = "member"): Promise<Person> {
    const person = await signUp();
    const reply = await post(person, `${own}/invitations`, { token: await invite(by, { role }) });
    expect(reply.statusCode).toBe(200);
    const { access_token, user } = reply.json();
    return { ...person, orgId: user.organization.id, accessToken: access_token, ...bearer(access_token) };
  }

  async function actorOf({ accessToken }: Person): Promise<UserActor> {
    const claims = await readAccessToken(server.ctx.accessKeys, accessToken, server.clock.now());
    const session = await server.ctx.sessions.find(claims!.sessionId);
    return { kind: "user", sessionId: claims!.sessionId, ...session! };
  }

  async function rolesIn(by: Sender): Promise<Record<string, string>> {
    const { members } = (await read(by, membersUrl)).json();
    return Object.fromEntries(members.map((each: { id: string; role: string }) => [each.id, each.role]));
  }

  describe("invitations", () => {
    it("say what they are for, are used up by the first who accepts, and store a hash of the token", async () => {
      const ada = await signUp();
      const grace = await signUp();
      const token = await invite(ada, { role: "viewer" });
      expect((await post(undefined, "/auth/invitation", { token })).json()).toMatchObject({
        organization: "Ada's organization",
        role: "viewer",
        email: null,
      });
      const stored = JSON.stringify(await server.rows.selectFrom("invitations").selectAll().execute());
      expect(stored).not.toContain(token);
      const others = await Promise.all(Array.from({ length: 5 }, () => signUp()));
      const replies = await Promise.all(
        [grace, ...others].map((person) => post(person, `${own}/invitations`, { token })),
      );
      expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400, 400, 400, 400, 400]);
      const accepted = replies.find(({ statusCode }) => statusCode === 200)?.json();
      expect(accepted.user).toMatchObject({ role: "viewer", organization: { id: ada.orgId } });
      expect((await post(undefined, "/auth/invitation", { token })).statusCode).toBe(400);
      expect(Object.keys(await rolesIn(ada))).toHaveLength(2);
    });

    it("of an admin whose account is disabled do not work", async () => {
      const ada = await signUp();
      const grace = await join(ada, "admin");
      const token = await invite(grace, { role: "admin" });
      const active = (isActive: 0 | 1) =>
        server.rows.updateTable("users").set({ isActive }).where("id", "=", grace.userId).execute();
      await active(0);
      expect((await post(undefined, "/auth/invitation", { token })).statusCode).toBe(400);
      await active(1);
      expect((await post(undefined, "/auth/invitation", { token })).statusCode).toBe(200);
    });

    it("are not stored for an admin who was removed while the call was on its way", async () => {
      const ada = await signUp();
      const grace = await join(ada, "admin");
      expect((await read(grace, `${own}/profile`)).statusCode).toBe(200);
      await server.rows.deleteFrom("memberships").where("userId", "=", grace.userId).execute();
      // The session is still in the cache.
      const reply = await post(grace, invitationsUrl, { role: "admin" });
      expect([reply.statusCode, reply.json().error]).toEqual([
        403,
        "You are no longer a member of this organization.",
      ]);
    });

    it("create an account in that organization and no other one", async () => {
      const ada = await signUp();
      const token = await invite(ada);
      const email = `new-${ada.userId}@example.com`;
      const account = { email, password: testPassword, first_name: "Grace", last_name: "Hopper" };
      const reply = await post(undefined, "/auth/register", { ...account, invitation: token });
      expect(reply.statusCode).toBe(201);
      expect(reply.json().user).toMatchObject({ role: "member", organization: { id: ada.orgId } });
      const grace = bearer(reply.json().tokens.access_token);
      expect((await read(grace, `${own}/organizations`)).json().organizations).toHaveLength(1);
    });

    it("are accepted with a sign-in, which begins there", async () => {
      const ada = await signUp();
      const grace = await signUp();
      const credentials = { email: grace.email, password: testPassword };
      const wrong = { ...credentials, password: "not the password", invitation: await invite(ada) };
      expect((await post(undefined, "/auth/login", wrong)).statusCode).toBe(401);
      const reply = await post(undefined, "/auth/login", { ...wrong, ...credentials });
      expect(reply.statusCode).toBe(200);
      expect(reply.json().user.organization.id).toBe(ada.orgId);
      const again = await post(undefined, "/auth/login", credentials);
      expect(again.json().user.organization.id).toBe(ada.orgId);
      const { organizations } = (
        await read(bearer(again.json().tokens.access_token), `${own}/organizations`)
      ).json();
      expect(organizations).toMatchObject([
        { id: grace.orgId, role: "admin", is_current: false },
        { id: ada.orgId, role: "member", is_current: true },
      ]);
    });

    it("that do not work any more count as no wrong password", async () => {
      const ada = await signUp();
      const { email } = await signUp();
      const token = await invite(ada);
      await post(await signUp(), `${own}/invitations`, { token });
      const enter = (invitation?: string) =>
        post(undefined, "/auth/login", { email, password: testPassword, invitation });
      for (let i = 0; i < 30; i++) expect((await enter(token)).statusCode).toBe(400);
      expect((await enter()).statusCode).toBe(200);
    });

    it("that somebody else uses at the same moment count as no wrong password", async () => {
      const ada = await signUp();
      const { email } = await signUp();
      const token = await invite(ada);
      const enter = () =>
        post(undefined, "/auth/login", { email, password: testPassword, invitation: token });
      const failures = () =>
        server.rows
          .selectFrom("tokenBuckets")
          .select("subject")
          .where("fullAtMs", ">", server.clock.now().getTime())
          .where("subject", "like", "a%")
          .execute();
      const before = await failures();
      const other = await signUp();
      const credentials = { email: other.email, password: testPassword, invitation: token };
      const replies = await Promise.all([enter(), post(undefined, "/auth/login", credentials)]);
      expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
      expect(await failures()).toEqual(before);
    });

    it("are not used up by a sign-in that fails, nor by a member, who simply signs in", async () => {
      const ada = await signUp();
      const grace = await signUp();
      const token = await invite(ada);
      const enter = ({ email }: Person) =>
        post(undefined, "/auth/login", { email, password: testPassword, invitation: token });
      for (let i = 0; i < 60; i++) await countSession(server.ctx, grace.userId);
      expect((await enter(grace)).statusCode).toBe(429);
      expect(Object.keys(await rolesIn(ada))).toHaveLength(1);
      const asMember = await enter(ada);
      expect([asMember.statusCode, asMember.json().user?.role]).toEqual([200, "admin"]);
      server.clock.advance(120_000);
      const joined = await enter(grace);
      expect(joined.json().user).toMatchObject({ role: "member", organization: { id: ada.orgId } });
      const entries = server.rows.selectFrom("auditEntries").select("actorId").where("orgId", "=", ada.orgId);
      expect(await entries.where("event", "=", "member.joined").execute()).toEqual([
        { actorId: grace.userId },
      ]);
    });

    it("do not work after they expired or were revoked, nor for another address than the invited one", async () => {
      const ada = await signUp();
      const grace = await signUp();
      const accept = (token: string, by: Sender = grace) => post(by, `${own}/invitations`, { token });
      const expired = await invite(ada, { expires_in_days: 1 });
      server.clock.advance(dayMs);
      const admin = bearer((await signIn(ada)).access_token);
      const member = bearer((await signIn(grace)).access_token);
      expect((await accept(expired, member)).statusCode).toBe(400);
      const revoked = await invite(admin);
      const [{ id }] = (await read(admin, invitationsUrl)).json().invitations;
      expect((await remove(admin, `${invitationsUrl}/${id}`)).statusCode).toBe(200);
      expect((await remove(admin, `${invitationsUrl}/${id}`)).statusCode).toBe(404);
      expect((await accept(revoked, member)).statusCode).toBe(400);
      const personal = await invite(admin, { email: "Somebody@example.com" });
      expect((await accept(personal, member)).statusCode).toBe(403);
      expect(
        (await accept(await invite(admin, { email: grace.email.toUpperCase() }), member)).statusCode,
      ).toBe(200);
      const joined = bearer((await signIn(grace)).access_token);
      expect((await accept(await invite(admin), joined)).statusCode).toBe(409);
    });

    it("say in the mail who invites to what, without links in names, and lead to the page that was asked for", async () => {
      const ada = await signUp();
      await patch(ada, organizationUrl, { name: "Acme: http://evil.example/win <b>" });
      server.clock.advance(120_000);
      const email = `invited-${ada.userId}@example.com`;
      const return_to = "/profiles/service/checkout/cpu?range=1h&q=a b".replace(" ", "%20");
      const reply = await post(ada, invitationsUrl, { email, return_to });
      expect(reply.statusCode).toBe(201);
      const { url } = reply.json();
      expect(new URL(url).searchParams.get("return_to")).toBe(return_to);
      await server.ctx.mailQueue.idle();
      const outbox = `${server.ctx.config.dataDir}/outbox`;
      const mails = await Promise.all(
        (await readdir(outbox)).map((name) => readFile(`${outbox}/${name}`, "utf8")),
      );
      const mail = mails.find((text) => text.includes(`To: ${email}`))?.replace(/=\r?\n/g, "");
      expect(mail).toContain(` (${ada.email}) invited you to Acme http evil example win b on this server.`);
      for (const wrong of ["//evil.example", "https://evil.example", "alerts", "/\\evil.example"]) {
        server.clock.advance(120_000);
        const refused = await post(ada, invitationsUrl, { return_to: wrong });
        expect([refused.statusCode, refused.json().error]).toEqual([
          400,
          expect.stringContaining("return_to must be the path of a page of this server"),
        ]);
      }
      for (const hidden of ["/alerts\u202e", "/\u2066alerts", "/al\u0007erts", "/alerts\u200b"]) {
        const refused = await post(ada, invitationsUrl, { return_to: hidden });
        expect([refused.statusCode, refused.json().error]).toEqual([
          400,
          expect.stringContaining("return_to must not contain control characters"),
        ]);
      }
    });

    async function signIn({ email }: Person) {
      return (await post(undefined, "/auth/login", { email, password: testPassword })).json().tokens;
    }

    it("are limited, and end with the role of who made them", async () => {
      const ada = await signUp();
      const grace = await join(ada, "admin");
      const token = await invite(grace);
      await patch(ada, `${membersUrl}/${grace.userId}`, { role: "member" });
      expect((await post(undefined, "/auth/invitation", { token })).statusCode).toBe(400);
      const replies = [];
      for (let i = 0; i < 40; i++) replies.push((await post(ada, invitationsUrl)).statusCode);
      expect(new Set(replies)).toEqual(new Set([201, 429]));
      expect(replies.filter((status) => status === 201).length).toBeLessThanOrEqual(30);
    });
  });

  describe("a member of several organizations", () => {
    it("switches between them; the former token and other sessions' data stay apart", async () => {
      const ada = await signUp();
      const grace = await join(ada);
      const key = await server.makeKey(ada, "adas");
      expect((await read(grace, "/api/v1/protected/api-keys")).json().total).toBe(1);
      const [home] = (await read(grace, `${own}/organizations`)).json().organizations;
      const reply = await post(grace, `${own}/organizations/${home.id}/switch`);
      expect(reply.json().user).toMatchObject({ role: "admin", organization: { id: home.id } });
      expect((await read(grace, `${own}/profile`)).statusCode).toBe(401);
      const atHome = bearer(reply.json().access_token);
      expect((await read(atHome, "/api/v1/protected/api-keys")).json().total).toBe(0);
      expect((await remove(atHome, `/api/v1/protected/api-keys/${key.id}`)).statusCode).toBe(404);
      // The refresh token goes on with the organization of the session.
      const renewed = await post(bearer(grace.refreshToken), "/auth/refresh-token");
      expect((await read(bearer(renewed.json().tokens.access_token), organizationUrl)).json().id).toBe(
        home.id,
      );
    });

    it("cannot switch to an organization of others, which answers like one that does not exist", async () => {
      const ada = await signUp();
      const eve = await signUp();
      const replies = [];
      for (const id of [ada.orgId, "00000000-0000-4000-8000-000000000000", "0", "null", ada.userId]) {
        const reply = await post(eve, `${own}/organizations/${id}/switch`);
        replies.push([reply.statusCode, reply.json().error.replace(id, "ID")]);
      }
      expect(replies).toEqual(Array(5).fill([404, "Organization with ID ID not found"]));
    });

    it("learns which other organization has what a link names, and nobody else does", async () => {
      const ada = await signUp();
      const eve = await signUp();
      const grace = await join(ada);
      const { headers } = await server.makeKey(ada);
      const query = { service: "team/service:1", type: "cpu" };
      const { profile_id } = await server.send(profileOf("main\n1"), { headers, query });
      const opened = { orgId: ada.orgId, service: query.service, at: server.clock.now().toISOString() };
      const incident = await storeAlert(server.rows, { ...opened, profileId: profile_id });
      const [home] = (await read(grace, `${own}/organizations`)).json().organizations;
      const moved = bearer((await post(grace, `${own}/organizations/${home.id}/switch`)).json().access_token);
      expect((await read(moved, `/api/v1/protected/profile/${profile_id}`)).statusCode).toBe(404);
      // Calls come at any moment, not only at full seconds.
      server.clock.advance(1_234);
      const linked = { profile: profile_id, service: encodeURIComponent(query.service), incident };
      for (const [kind, id] of Object.entries(linked)) {
        const find = (as: Sender, name: string) => read(as, `${own}/organization-of/${kind}/${name}`);
        const found = await find(moved, id);
        expect(found.json()).toEqual({ organization: { id: ada.orgId, name: "Ada's organization" } });
        const none = [await find(eve, id), await find(eve, "nothing")];
        expect(none.map((reply) => reply.json())).toEqual([{ organization: null }, { organization: null }]);
      }
      expect((await read(moved, `${own}/organization-of/key/1`)).statusCode).toBe(400);
    });
  });

  describe("members", () => {
    it("get another role at once, and only from an admin", async () => {
      const ada = await signUp();
      const grace = await join(ada, "viewer");
      const make = () => post(grace, "/api/v1/protected/api-keys", { name: "x" });
      expect((await make()).statusCode).toBe(403);
      expect((await patch(grace, `${membersUrl}/${grace.userId}`, { role: "admin" })).statusCode).toBe(403);
      expect((await patch(ada, `${membersUrl}/${grace.userId}`, { role: "owner" })).statusCode).toBe(400);
      expect((await patch(ada, `${membersUrl}/${grace.userId}`, { role: "member" })).statusCode).toBe(200);
      expect((await make()).statusCode).toBe(201);
      expect(await rolesIn(grace)).toEqual({ [ada.userId]: "admin", [grace.userId]: "member" });
    });

    it("always include an admin, also when two admins step down at once", async () => {
      const ada = await signUp();
      const alone = [
        await patch(ada, `${membersUrl}/${ada.userId}`, { role: "viewer" }),
        await post(ada, `${own}/leave-organization`),
        await remove(ada, `${membersUrl}/${ada.userId}`),
      ];
      expect(alone.map(({ statusCode }) => statusCode)).toEqual([409, 409, 409]);
      const grace = await join(ada, "admin");
      const replies = await Promise.all([
        patch(ada, `${membersUrl}/${ada.userId}`, { role: "member" }),
        patch(grace, `${membersUrl}/${grace.userId}`, { role: "member" }),
      ]);
      expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
      expect(Object.values(await rolesIn(ada)).toSorted()).toEqual(["admin", "member"]);
    });

    it("count as admins only while they can sign in", async () => {
      const ada = await signUp();
      const grace = await join(ada, "admin");
      await server.rows.updateTable("users").set({ isActive: 0 }).where("id", "=", grace.userId).execute();
      const { members } = (await read(ada, membersUrl)).json();
      const activity = members.map((each: { id: string; is_active: boolean }) => [each.id, each.is_active]);
      expect(Object.fromEntries(activity)).toEqual({ [ada.userId]: true, [grace.userId]: false });
      const alone = [
        await patch(ada, `${membersUrl}/${ada.userId}`, { role: "viewer" }),
        await post(ada, `${own}/leave-organization`),
        await post(ada, `${membersUrl}/${grace.userId}/transfer`),
      ];
      expect(alone.map(({ statusCode }) => statusCode)).toEqual([409, 409, 409]);
      expect((await remove(ada, `${membersUrl}/${grace.userId}`)).statusCode).toBe(200);
    });

    it("hand the organization over in one step", async () => {
      const ada = await signUp();
      const grace = await join(ada);
      expect((await post(ada, `${membersUrl}/${grace.userId}/transfer`)).statusCode).toBe(200);
      expect(await rolesIn(ada)).toEqual({ [ada.userId]: "member", [grace.userId]: "admin" });
      expect((await post(ada, `${membersUrl}/${ada.userId}/transfer`)).statusCode).toBe(403);
    });

    it("that are removed lose their sessions there at once, and sign in to their own organization", async () => {
      const ada = await signUp();
      const grace = await join(ada);
      expect((await remove(ada, `${membersUrl}/${grace.userId}`)).statusCode).toBe(200);
      expect((await read(grace, `${own}/profile`)).statusCode).toBe(401);
      expect((await post(bearer(grace.refreshToken), "/auth/refresh-token")).statusCode).toBe(401);
      const { user } = (
        await post(undefined, "/auth/login", { email: grace.email, password: testPassword })
      ).json();
      expect(user.organization.id).not.toBe(ada.orgId);
    });

    it("have a count of working API keys, which are revoked with their removal only if the admin wants it", async () => {
      const ada = await signUp();
      const own = await server.makeKey(ada);
      for (const revokes of [false, true]) {
        const grace = await join(ada);
        const { id } = await server.makeKey(grace, `of ${grace.userId}`);
        const listed = (await read(ada, membersUrl)).json().members;
        const counts = listed.map((each: { active_api_keys: number }) => each.active_api_keys);
        expect(counts).toEqual([1, 1]);
        const reply = await remove(ada, `${membersUrl}/${grace.userId}?revoke_api_keys=${revokes}`);
        expect(reply.json()).toMatchObject({ revoked_api_keys: revokes ? 1 : 0 });
        const { api_keys } = (await read(ada, "/api/v1/protected/api-keys")).json();
        const found = api_keys.find((each: { id: string }) => each.id === id);
        expect(found).toMatchObject({ is_active: !revokes, created_by: { is_member: false } });
        const mine = api_keys.find((each: { id: string }) => each.id === own.id);
        expect(mine).toMatchObject({ is_active: true, created_by: { is_member: true } });
        const recorded = server.rows
          .selectFrom("auditEntries")
          .select("target")
          .where("event", "=", "key.revoked")
          .where("orgId", "=", ada.orgId);
        const targets = (await recorded.execute()).map(({ target }) => target);
        expect(targets).toEqual(revokes ? [`of ${grace.userId}`] : []);
      }
    });

    it("that leave move to their next organization", async () => {
      const ada = await signUp();
      const grace = await join(ada);
      const { moved } = (await post(grace, `${own}/leave-organization`)).json();
      expect(moved.user.organization.id).not.toBe(ada.orgId);
      expect((await read(bearer(moved.access_token), organizationUrl)).statusCode).toBe(200);
      expect(Object.keys(await rolesIn(ada))).toEqual([ada.userId]);
    });

    it("of other organizations answer like those who do not exist", async () => {
      const ada = await signUp();
      const eve = await signUp();
      for (const change of [
        (id: string) => patch(eve, `${membersUrl}/${id}`, { role: "viewer" }),
        (id: string) => remove(eve, `${membersUrl}/${id}`),
        (id: string) => post(eve, `${membersUrl}/${id}/transfer`),
      ]) {
        const replies = [await change(ada.userId), await change("nobody")];
        expect(replies.map(({ statusCode }) => statusCode)).toEqual([404, 404]);
      }
      expect(await rolesIn(ada)).toEqual({ [ada.userId]: "admin" });
    });
  });

  describe("an organization", () => {
    it("is renamed by its admins", async () => {
      const ada = await signUp();
      const viewer = await join(ada, "viewer");
      expect((await patch(viewer, organizationUrl, { name: "Mine" })).statusCode).toBe(403);
      expect((await patch(ada, organizationUrl, { name: " " })).json().error).toBe(
        "Organization name is required",
      );
      expect((await patch(ada, organizationUrl, { name: " Acme " })).json()).toMatchObject({
        name: "Acme",
        members: 2,
      });
      expect((await read(viewer, organizationUrl)).json().name).toBe("Acme");
    });

    it("is deleted once, also when two admins delete it at the same time", async () => {
      const ada = await signUp();
      const grace = await join(ada, "admin");
      // Not through HTTP: the first deletion ends the session of the other admin, which would get 401 if it were looked up later.
      const actors = await Promise.all([ada, grace].map(actorOf));
      const confirm = "Ada's organization";
      const deletions = actors.map((actor) => deleteOrganization(server.ctx, actor, { confirm }));
      const outcomes = (await Promise.allSettled(deletions)).map((each) =>
        each.status === "fulfilled" ? "deleted" : each.reason.code,
      );
      expect(outcomes.toSorted()).toEqual(["conflict", "deleted"]);
    });

    it("ends for everybody at once when it is deleted", async () => {
      const ada = await signUp();
      const grace = await join(ada);
      const key = await server.makeKey(ada);
      const token = await invite(ada);
      const upload = { orgId: ada.orgId, service: "till", at: new Date() };
      expect(await isRemovedSince(server.rows, upload)).toBe(false);
      expect((await remove(grace, organizationUrl, { confirm: "Ada's organization" })).statusCode).toBe(403);
      expect((await remove(ada, organizationUrl, { confirm: "ada" })).statusCode).toBe(400);
      expect((await remove(ada, organizationUrl, { confirm: "Ada's organization" })).json()).toEqual({
        moved: null,
      });
      expect((await server.trySend(profileOf("main\n1"), { headers: key.headers })).statusCode).toBe(401);
      // Another server may still have it in its log.
      expect(await isRemovedSince(server.rows, upload)).toBe(true);
      for (const person of [ada, grace]) expect((await read(person, organizationUrl)).statusCode).toBe(401);
      expect((await post(undefined, "/auth/invitation", { token })).statusCode).toBe(400);
      const again = await post(undefined, "/auth/login", { email: ada.email, password: testPassword });
      expect(again.json().user.organization.id).not.toBe(ada.orgId);
    });
  });
});

describe("a server that is closed to registration", () => {
  it("admits its first account, which is its operator, and then only invited ones", async () => {
    const server = await startApp({ env: { SIGNUP: "invite" } });
    try {
      const account = (email: string, invitation?: string) => ({
        email,
        password: testPassword,
        first_name: "Ada",
        last_name: "Lovelace",
        invitation,
      });
      const register = (payload: object) =>
        server.app.inject({ method: "POST", url: "/auth/register", payload });
      const replies = await Promise.all(["a@b.c", "d@e.f", "g@h.i"].map((email) => register(account(email))));
      expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 403, 403]);
      const first = replies.find(({ statusCode }) => statusCode === 201)?.json();
      expect(first.user.is_operator).toBe(true);
      const headers = { authorization: `Bearer ${first.tokens.access_token}` };
      const invited = await server.app.inject({ method: "POST", url: invitationsUrl, headers, payload: {} });
      const token = invited.json().url.replace(/^.*\/invite\//, "");
      expect((await register(account("j@k.l"))).statusCode).toBe(403);
      const second = await register(account("j@k.l", token));
      expect([second.statusCode, second.json().user.is_operator]).toEqual([201, false]);
      const overview = "/api/v1/protected/operator/overview";
      expect((await server.app.inject({ url: overview, headers })).json()).toMatchObject({
        organizations: [{ name: "Ada's organization", members: 2, profiles: 0, stored_bytes: 0 }],
        users: 2,
        limits: { signup: "invite" },
      });
      const others = { authorization: `Bearer ${second.json().tokens.access_token}` };
      expect((await server.app.inject({ url: overview, headers: others })).statusCode).toBe(403);
      await server.rows.deleteFrom("memberships").execute();
      const login = { email: "j@k.l", password: testPassword };
      const lost = await server.app.inject({ method: "POST", url: "/auth/login", payload: login });
      expect([lost.statusCode, lost.json().error]).toEqual([
        403,
        expect.stringContaining("Ask for an invitation"),
      ]);
      // Nobody else could invite the operator.
      const operator = { email: first.user.email, password: testPassword };
      const again = await server.app.inject({ method: "POST", url: "/auth/login", payload: operator });
      expect([again.statusCode, again.json().user.role]).toEqual([200, "admin"]);
    } finally {
      await server.close();
    }
  });
});
