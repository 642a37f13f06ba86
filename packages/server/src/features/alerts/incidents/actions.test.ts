import { randomUUID } from "node:crypto";
import { type Incident, limits } from "@flamekeep/contract";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rowBackends } from "#store/testing/backends.ts";
import type { Person, TestApp } from "#testing/start-app.ts";
import { startAppOn } from "#testing/start-app-on.ts";
import { storeAlert } from "#testing/store-alert.ts";

const backends = await rowBackends(isFullLength);
const at = "2026-11-20T12:00:00.000Z";
const hostile = "<img src=x onerror=alert(1)> **bold** [link](https://evil.example)";

type Method = "GET" | "POST" | "PUT" | "DELETE";

describe.each(backends)("what people do about an incident on $name", (backend) => {
  let server: TestApp;
  let ada: Person;
  let grace: Person;
  let viewer: Person;
  let eve: Person;
  /** Has a second signal. */
  let id: string;

  beforeAll(async () => {
    server = await startAppOn(backend, { at });
    [ada, grace, viewer] = [await server.signUp(), await server.signUp(), await server.signUp()];
    eve = await server.signUp();
    grace = await moved(grace, "member", "Grace");
    viewer = await moved(viewer, "viewer", "Vint");
    id = await signal("checkout");
    await signal("checkout", { incidentId: id, type: "goroutine", sampleType: "goroutine/count" });
  });
  afterAll(() => server.close());

  /** The person with another name, in a session in Ada's organization. */
  async function moved(person: Person, role: "member" | "viewer", firstName: string): Promise<Person> {
    const membership = { orgId: ada.orgId, userId: person.userId, role, createdAt: at };
    await server.rows.insertInto("memberships").values(membership).execute();
    await server.rows.updateTable("users").set({ firstName }).where("id", "=", person.userId).execute();
    const url = `/api/v1/protected/user/organizations/${ada.orgId}/switch`;
    const reply = await server.app.inject({ method: "POST", url, headers: person.headers });
    expect(reply.statusCode).toBe(200);
    return { ...person, headers: { authorization: `Bearer ${reply.json().access_token}` } };
  }

  function signal(service: string, change: object = {}, orgId = ada.orgId): Promise<string> {
    const profileId = randomUUID().replaceAll("-", "");
    return storeAlert(server.rows, { orgId, service, at, profileId }, change);
  }

  async function ask(method: Method, path: string, as: Person, payload?: object) {
    const url = `/api/v1/protected/incidents${path === "" ? "" : `/${path}`}`;
    const reply = await server.app.inject({
      method,
      url,
      headers: as.headers,
      ...(payload && { payload }),
    });
    return { status: reply.statusCode, body: reply.json() };
  }

  const read = async (as = ada) => (await ask("GET", id, as)).body;

  const audited = async () =>
    server.rows
      .selectFrom("auditEntries")
      .select(["event", "target"])
      .where("orgId", "=", ada.orgId)
      .where("event", "in", ["incident.assigned", "incident.commented", "incident.comment_removed"])
      .orderBy("id")
      .execute();

  it("acknowledges each open signal, keeps who was first, and takes all of it back", async () => {
    const [first, second] = (await read()).incident.signals;
    const one = `/api/v1/protected/alerts/${second.id}/acknowledge`;
    await server.app.inject({ method: "POST", url: one, headers: grace.headers, payload: {} });
    expect((await read()).incident.acknowledged).toBeUndefined();
    server.clock.advance(1000);
    const { status, body } = await ask("POST", `${id}/acknowledge`, ada, {});
    expect(status).toBe(200);
    const now = server.clock.now().toISOString();
    expect(body.incident.acknowledged).toEqual({ by: "Ada Lovelace", at: now });
    expect(body.incident.signals.map(({ acknowledged }: Incident) => acknowledged)).toEqual([
      { by: "Ada Lovelace", at: now },
      { by: "Grace Lovelace", at },
    ]);
    expect([first.acknowledged, first.id]).toEqual([undefined, body.incident.signals[0].id]);
    const back = await ask("POST", `${id}/acknowledge`, ada, { is_acknowledged: false });
    expect(back.body.incident.acknowledged).toBeUndefined();
    expect(back.body.incident.signals.some(({ acknowledged }: Incident) => acknowledged)).toBe(false);
  });

  it("does not acknowledge an incident that is over", async () => {
    const over = await signal("over", { resolvedAt: at });
    const reply = await ask("POST", `${over}/acknowledge`, ada, {});
    expect([reply.status, reply.body.error]).toEqual([422, "The incident is resolved already"]);
  });

  it("assigns it to a member, to another one, and to nobody", async () => {
    const assign = (user_id: string | null) => ask("PUT", `${id}/assignee`, ada, { user_id });
    const assigned = (person: Person, name: string) => ({
      user_id: person.userId,
      name,
      at: server.clock.now().toISOString(),
    });
    expect((await assign(grace.userId)).body.incident.assignee).toEqual(assigned(grace, "Grace Lovelace"));
    server.clock.advance(1000);
    expect((await assign(viewer.userId)).body.incident.assignee).toEqual(assigned(viewer, "Vint Lovelace"));
    const listed = await ask("GET", "", viewer);
    expect(listed.body.incidents.find((each: Incident) => each.id === id).assignee).toEqual(
      assigned(viewer, "Vint Lovelace"),
    );
    expect((await assign(null)).body.incident.assignee).toBeUndefined();
    const targets = (await audited()).filter(({ event }) => event === "incident.assigned");
    expect(targets.map(({ target }) => target)).toEqual([
      `checkout, Grace Lovelace`,
      `checkout, Vint Lovelace`,
      "checkout, nobody",
    ]);
  });

  it("assigns it to nobody outside of the organization", async () => {
    for (const user_id of [eve.userId, randomUUID()]) {
      const reply = await ask("PUT", `${id}/assignee`, ada, { user_id });
      expect([reply.status, reply.body.error]).toEqual([
        422,
        "Only members of your organization can be assigned. Choose one of them.",
      ]);
    }
    expect((await read()).incident.assignee).toBeUndefined();
  });

  it("keeps comments as the text that they are, with name and time, oldest first", async () => {
    const text = `  ${hostile}\nsecond line  `;
    const { status, body } = await ask("POST", `${id}/comments`, grace, { text });
    expect([status, body.incident.comment_count]).toEqual([201, 1]);
    const now = server.clock.now().toISOString();
    expect(body.comment).toEqual({
      id: body.comment.id,
      by: "Grace Lovelace",
      is_yours: true,
      at: now,
      text: `${hostile}\nsecond line`,
    });
    server.clock.advance(1000);
    await ask("POST", `${id}/comments`, ada, { text: "Rolled back" });
    const seen = await read(viewer);
    expect(seen.comments.map((each: { text: string }) => each.text)).toEqual([
      body.comment.text,
      "Rolled back",
    ]);
    expect(seen.comments[0]).toEqual({ ...body.comment, is_yours: false });
    expect(seen.incident.comment_count).toBe(2);
    expect((await audited()).at(-1)).toEqual({ event: "incident.commented", target: "checkout" });
  });

  it.each([
    ["", "Field 'text' must not be empty"],
    [" \n ", "Field 'text' must not be empty"],
    [
      "a".repeat(limits.incidentCommentLengthMax + 1),
      `Field 'text' must have at most ${limits.incidentCommentLengthMax} characters`,
    ],
    ["gpj.exe\u202e", "Field 'text' must not contain control characters or marks of direction"],
  ])("refuses the comment %j", async (text, error) => {
    const reply = await ask("POST", `${id}/comments`, ada, { text });
    expect([reply.status, reply.body.error]).toEqual([400, error]);
  });

  it("lets authors and admins remove a comment, and nobody else", async () => {
    const comment = async (as: Person) =>
      (await ask("POST", `${id}/comments`, as, { text: "Mine" })).body.comment;
    const remove = (commentId: string, as: Person) => ask("DELETE", `${id}/comments/${commentId}`, as);
    const [adas, graces] = [await comment(ada), await comment(grace)];
    const refused = await remove(adas.id, grace);
    expect([refused.status, refused.body.error]).toEqual([
      403,
      "Only the author or an admin can remove a comment.",
    ]);
    const before = (await read()).incident.comment_count;
    expect((await remove(graces.id, grace)).body.incident.comment_count).toBe(before - 1);
    const again = await comment(grace);
    expect((await remove(again.id, ada)).status).toBe(200);
    expect((await audited()).at(-1)).toEqual({
      event: "incident.comment_removed",
      target: `checkout, by Grace Lovelace, ${again.at}`,
    });
    expect((await remove(again.id, ada)).status).toBe(404);
    // Its id does not do under another incident.
    const other = await signal("other");
    expect((await ask("DELETE", `${other}/comments/${adas.id}`, ada)).status).toBe(404);
    expect((await remove(adas.id, ada)).status).toBe(200);
  });

  it("refuses viewers, and other organizations do not find it", async () => {
    const before = await read();
    const [comment] = before.comments;
    const tries = [
      ["POST", `${id}/acknowledge`, {}],
      ["PUT", `${id}/assignee`, { user_id: null }],
      ["POST", `${id}/comments`, { text: "x" }],
      ["DELETE", `${id}/comments/${comment.id}`, undefined],
    ] as const;
    for (const [method, path, payload] of tries) {
      expect([path, (await ask(method, path, viewer, payload)).status]).toEqual([path, 403]);
      expect([path, (await ask(method, path, eve, payload)).status]).toEqual([path, 404]);
    }
    expect(await read()).toEqual(before);
  });

  it("has a limit of comments for each incident", async () => {
    const full = await signal("full");
    const row = (index: number) => ({
      id: randomUUID(),
      orgId: ada.orgId,
      incidentId: full,
      writtenBy: ada.userId,
      createdAt: at,
      text: `${index}`,
    });
    const rows = Array.from({ length: limits.incidentCommentsMax - 1 }, (_, index) => row(index));
    await server.rows.insertInto("incidentComments").values(rows).execute();
    expect((await ask("POST", `${full}/comments`, ada, { text: "last" })).status).toBe(201);
    const reply = await ask("POST", `${full}/comments`, ada, { text: "one more" });
    expect([reply.status, reply.body.error]).toEqual([
      422,
      `This incident has reached its limit of ${limits.incidentCommentsMax} comments. Remove one first.`,
    ]);
  });

  it("ends a person's assignments when they leave, and keeps their comments", async () => {
    await ask("PUT", `${id}/assignee`, ada, { user_id: grace.userId });
    const elsewhere = await signal("eves", {}, eve.orgId);
    const membership = { orgId: eve.orgId, userId: grace.userId, role: "member", createdAt: at } as const;
    await server.rows.insertInto("memberships").values(membership).execute();
    await ask("PUT", `${elsewhere}/assignee`, eve, { user_id: grace.userId });
    const before = await read();
    const url = `/api/v1/protected/organization/members/${grace.userId}`;
    const removed = await server.app.inject({ method: "DELETE", url, headers: ada.headers });
    expect(removed.statusCode).toBe(200);
    const after = await read();
    expect(after.incident.assignee).toBeUndefined();
    expect(after.comments).toEqual(before.comments);
    expect((await ask("GET", elsewhere, eve)).body.incident.assignee.user_id).toBe(grace.userId);
  });
});
