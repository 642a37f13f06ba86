import { limits } from "@flamekeep/contract";
import { DashboardDefinition } from "@flamekeep/contract/schemas";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

const url = "/api/v1/protected/dashboards";
let server: TestApp;
let ada: Person;
let eve: Person;

beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:00.000Z" });
  [ada, eve] = [await server.signUp(), await server.signUp()];
});
afterAll(() => server.close());

type Method = "GET" | "POST" | "PUT" | "DELETE";

async function call(method: Method, path = "", payload?: unknown, as = ada) {
  const body = payload === undefined ? {} : { payload: payload as object };
  const reply = await server.app.inject({ method, url: `${url}${path}`, headers: as.headers, ...body });
  return { status: reply.statusCode, body: reply.json() };
}

const cpu = { kind: "lane", id: "cpu", figure: "cpu" };
const note = { kind: "note", id: "note", text: "Look at lock wait first.\nThen at the routes." };

async function created(part: object = {}) {
  const { status, body } = await call("POST", "", { name: "Till", panels: [cpu, note], ...part });
  expect([status, body.error]).toEqual([201, undefined]);
  return body;
}

describe("a dashboard", () => {
  it("is stored with the defaults of its fields, and read as it was stored", async () => {
    const dashboard = await created({ name: "  Till " });
    expect(dashboard).toEqual({
      id: expect.any(String),
      version: 1,
      saved_at: "2026-11-20T12:00:00.000Z",
      saved_by: "Ada Lovelace",
      name: "Till",
      description: "",
      variables: { service: "", version: "", region: "" },
      range: "24h",
      panels: [
        { kind: "lane", id: "cpu", title: "", width: 1, service: "$service", figure: "cpu" },
        { kind: "note", id: "note", title: "", width: 1, text: note.text },
      ],
    });
    expect((await call("GET", `/${dashboard.id}`)).body).toEqual(dashboard);
    const { dashboards } = (await call("GET")).body;
    expect(dashboards).toContainEqual({
      id: dashboard.id,
      name: "Till",
      description: "",
      panels: 2,
      version: 1,
      saved_at: dashboard.saved_at,
      saved_by: "Ada Lovelace",
    });
  });

  it("names services as they are stored: trimmed, and in normalization form C", async () => {
    const variables = { service: " cafe\u0301 " };
    const { id } = await created({ variables, panels: [{ ...cpu, service: " cafe\u0301\n" }] });
    expect((await call("GET", `/${id}`)).body).toMatchObject({
      variables: { service: "caf\u00e9" },
      panels: [{ service: "caf\u00e9" }],
    });
  });

  it("is saved from the JSON that was read; the same JSON again is no new version", async () => {
    const read = await created();
    const changed = { ...read, name: "Checkout", panels: [...read.panels, { kind: "alerts", id: "open" }] };
    const saved = await call("PUT", `/${read.id}`, changed);
    expect(saved.status).toBe(200);
    expect(saved.body).toMatchObject({ id: read.id, name: "Checkout", version: 2 });
    expect(saved.body.panels[2]).toEqual({ kind: "alerts", id: "open", title: "", width: 1, service: null });
    const again = await call("PUT", `/${read.id}`, saved.body);
    expect(again.body).toEqual(saved.body);
  });

  it("is not saved over the version of somebody else", async () => {
    const read = await created();
    const saves = await Promise.all(
      ["One", "Two", "Three"].map((name) => call("PUT", `/${read.id}`, { ...read, name })),
    );
    expect(saves.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(saves.find(({ status }) => status === 409)?.body).toMatchObject({
      code: "conflict",
      error:
        "Ada Lovelace saved version 2 since you read version 1. Read the dashboard again, and repeat your change.",
    });
    const ahead = await call("PUT", `/${read.id}`, { ...read, version: 7 });
    expect([ahead.status, ahead.body.error]).toEqual([
      409,
      "The dashboard has no version 7: the latest is 2. Read it again, and repeat your change.",
    ]);
  });

  it("keeps its latest versions, which can be read and restored", async () => {
    let latest = await created({ name: "v1" });
    for (let next = 2; next <= limits.dashboardVersionsMax + 2; next++) {
      latest = (await call("PUT", `/${latest.id}`, { ...latest, name: `v${next}` })).body;
    }
    const { versions } = (await call("GET", `/${latest.id}/versions`)).body;
    expect(versions).toHaveLength(limits.dashboardVersionsMax);
    expect(versions[0]).toEqual({
      version: 52,
      saved_at: "2026-11-20T12:00:00.000Z",
      saved_by: "Ada Lovelace",
    });
    expect((await call("GET", `/${latest.id}?version=3`)).body).toMatchObject({ name: "v3", version: 3 });
    const gone = await call("GET", `/${latest.id}?version=2`);
    expect([gone.status, gone.body.error]).toEqual([404, "Version 2 of the dashboard not found"]);
    const restore = (body: object) => call("POST", `/${latest.id}/restore`, body);
    expect((await restore({ restored_version: 3, version: 51 })).status).toBe(409);
    expect((await restore({ restored_version: 2, version: 52 })).status).toBe(404);
    const restored = await restore({ restored_version: 3, version: 52 });
    expect(restored.body).toMatchObject({ name: "v3", version: 53 });
  });

  it("is deleted with its versions", async () => {
    const { id } = await created({ name: "Old" });
    expect((await call("DELETE", `/${id}`)).body).toEqual({ id, name: "Old" });
    for (const path of [`/${id}`, `/${id}/versions`]) expect((await call("GET", path)).status).toBe(404);
    const left = await server.rows
      .selectFrom("dashboardVersions")
      .selectAll()
      .where("orgId", "=", ada.orgId)
      .where("dashboardId", "=", id)
      .execute();
    expect(left).toEqual([]);
  });

  it.each([
    [{}, "Dashboard name is required"],
    [{ name: " " }, "Dashboard name is required"],
    [
      { name: "a\u202eb" },
      "Dashboard name must not contain control characters, marks of direction or invisible characters",
    ],
    [{ name: "a", range: "yesterday" }, "range must be a span of time such as 90m, 24h or 7d"],
    [{ name: "a", range: "59s" }, "range must be a span of time such as 90m, 24h or 7d, from 1m to 3660d"],
    [{ name: "a", panels: [{ ...cpu, width: 4 }] }, "Field 'panels.0.width' must be at most 3"],
    [
      { name: "a", panels: [{ ...cpu, kind: "pie" }] },
      "kind of a panel must be one of lane, flame_graph, top, routes, alerts, note",
    ],
    [{ name: "a", panels: [{ ...cpu, figure: "luck" }] }, "Field 'panels.0.figure' must be one of cpu"],
    [{ name: "a", panels: [{ ...cpu, widht: 2 }] }, "widht"],
    [
      { name: "a", panels: [{ ...cpu, service: "<script>" }] },
      "service must be $service or the name of a service",
    ],
    [{ name: "a", panels: [cpu, cpu] }, "panels must have different ids: cpu occurs twice"],
    [
      { name: "a", panels: Array.from({ length: 25 }, (_, at) => ({ ...cpu, id: `p${at}` })) },
      "Field 'panels' must have at most 24 entries",
    ],
    [
      { name: "a", panels: [{ ...note, text: "x".repeat(2001) }] },
      "Field 'panels.0.text' must have at most 2000 characters",
    ],
    [{ name: "a", panels: [{ ...note, text: "bell \u0007" }] }, "text of a note must not contain"],
    [{ name: "a", variables: { service: "a b" } }, "variable service must be the name of a service"],
    [[], "The body"],
  ])("is not created from %j", async (payload, words) => {
    const { status, body } = await call("POST", "", payload);
    expect([status, body.code]).toEqual([400, "invalid"]);
    expect(body.error).toContain(words);
  });

  it("has as many notes of as many letters as the limits allow, in at most 64 KiB of JSON", async () => {
    const panels = (text: string) =>
      Array.from({ length: limits.dashboardPanelsMax }, (_, at) => ({ ...note, id: `n${at}`, text }));
    const most = await created({ panels: panels("x".repeat(limits.panelNoteLengthMax)) });
    expect(most.panels).toHaveLength(limits.dashboardPanelsMax);
    const larger = panels("\u{1f525}".repeat(limits.panelNoteLengthMax / 2));
    expect((await call("POST", "", { name: "Till", panels: larger })).status).toBe(413);
  });
});

it("viewers read dashboards, and change none", async () => {
  const viewer = await server.signUp();
  const read = (await call("POST", "", { name: "Till" }, viewer)).body;
  await server.setRole(viewer, "viewer");
  const path = `/${read.id}`;
  expect((await call("GET", path, undefined, viewer)).body).toEqual(read);
  const changes = [
    await call("POST", "", { name: "Mine" }, viewer),
    await call("PUT", path, { ...read, name: "Mine" }, viewer),
    await call("POST", `${path}/restore`, { restored_version: 1, version: 1 }, viewer),
    await call("DELETE", path, undefined, viewer),
  ];
  expect(changes.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
});

it("other organizations see nothing of them", async () => {
  const { id, ...read } = await created();
  expect((await call("GET", "", undefined, eve)).body).toEqual({ dashboards: [] });
  const replies = [
    await call("GET", `/${id}`, undefined, eve),
    await call("GET", `/${id}/versions`, undefined, eve),
    await call("PUT", `/${id}`, read, eve),
    await call("POST", `/${id}/restore`, { restored_version: 1, version: 1 }, eve),
    await call("DELETE", `/${id}`, undefined, eve),
  ];
  expect(replies.map(({ status, body }) => [status, body.error])).toEqual(
    replies.map(() => [404, `Dashboard with ID ${id} not found`]),
  );
});

it("an organization has at most as many as the limit, however many are created at once", async () => {
  const definition = JSON.stringify(DashboardDefinition.parse({ name: "Filler" }));
  const at = server.clock.now().toISOString();
  const { orgId, userId } = eve;
  for (let number = 1; number < limits.dashboardsMax; number++) {
    const id = `filler-${number}`;
    await server.rows.insertInto("dashboards").values({ orgId, id, version: 1, createdAt: at }).execute();
    const first = { orgId, dashboardId: id, version: 1, definition, savedBy: userId, savedAt: at };
    await server.rows.insertInto("dashboardVersions").values(first).execute();
  }
  const replies = await Promise.all([1, 2, 3].map(() => call("POST", "", { name: "Last" }, eve)));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 403, 403]);
  expect(replies.find(({ status }) => status === 403)?.body).toMatchObject({
    code: "quota_exceeded",
    error: "Your organization has reached its limit of 100 dashboards. Delete one first.",
  });
});

it("changes are in the audit log", async () => {
  const read = await created({ name: "Audited" });
  await call("PUT", `/${read.id}`, { ...read, description: "changed" });
  await call("POST", `/${read.id}/restore`, { restored_version: 1, version: 2 });
  await call("DELETE", `/${read.id}`);
  const reply = await server.app.inject({
    url: "/api/v1/protected/organization/audit",
    headers: ada.headers,
  });
  const entries = reply.json().entries as { event: string; target: string }[];
  expect(entries.slice(0, 4).map(({ event, target }) => `${event}: ${target}`)).toEqual([
    "dashboard.removed: Audited",
    "dashboard.restored: Audited, version 1 as version 3",
    "dashboard.changed: Audited, version 2",
    "dashboard.created: Audited",
  ]);
});
