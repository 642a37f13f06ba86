import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

const url = "/api/v1/protected/projects";
let server: TestApp;
let admin: Person;

beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:00.000Z" });
  admin = await server.signUp();
  const { headers } = await server.makeKey(admin);
  const uploads = [
    ["checkout", "2026-11-20T11:50:10.250Z"],
    ["checkout", "2026-11-20T11:50:40.125Z"],
    ["team/search", "2026-11-19T08:00:00.000Z"],
  ];
  for (const [service = "", started_at = ""] of uploads) {
    await server.send(profileOf("main\n1"), { headers, query: { service, started_at } });
  }
  // A batch of HTTP metrics is no profile.
  const request = { duration: 0.1, status_code: 200, method: "GET", path: "/", request_id: "r" };
  const payload = [{ ...request, timestamp: "2026-11-20T11:50:00.000Z" }];
  const batch = {
    method: "POST",
    url: "/api/v1/ingest/http-metrics",
    query: { service: "checkout" },
  } as const;
  expect((await server.app.inject({ ...batch, headers, payload })).statusCode).toBe(200);
});
afterAll(() => server.close());

async function call(method: "GET" | "POST" | "PATCH" | "DELETE", path = "", payload?: object, as = admin) {
  const body = payload === undefined ? {} : { payload };
  const reply = await server.app.inject({ method, url: `${url}${path}`, headers: as.headers, ...body });
  return { status: reply.statusCode, body: reply.json() };
}

async function named(name: string, as = admin) {
  const { body } = await call("GET", "", undefined, as);
  return body.projects.find((project: { name: string }) => project.name === name);
}

describe("projects", () => {
  it("are derived from the services", async () => {
    const { status, body } = await call("GET");
    expect(status).toBe(200);
    expect(body.team_members).toBe(1);
    const derived = {
      status: "active",
      tags: [],
      services: [],
      member_count: 0,
      created_at: "2026-08-22T12:00:00.000Z",
    };
    expect(body.projects).toEqual([
      {
        ...derived,
        id: "checkout",
        name: "checkout",
        description: "Service: checkout",
        profile_count: 2,
        last_activity: "2026-11-20T11:50:40.125Z",
        is_derived: true,
      },
      {
        ...derived,
        id: "team/search",
        name: "team/search",
        description: "Service: team/search",
        profile_count: 1,
        last_activity: "2026-11-19T08:00:00.000Z",
        is_derived: true,
      },
    ]);
  });

  it("are created active with one member, their tags trimmed, empty ones dropped", async () => {
    const created = await call("POST", "", { name: "  Billing ", tags: [" go ", "", "  ", "money", "go"] });
    expect(created.status).toBe(201);
    const { project } = created.body;
    expect(project).toMatchObject({
      name: "Billing",
      description: "",
      status: "active",
      tags: ["go", "money"],
      member_count: 1,
      profile_count: 0,
      created_at: "2026-11-20T12:00:00.000Z",
      last_activity: "2026-11-20T12:00:00.000Z",
      is_derived: false,
    });
    expect(await named("Billing")).toEqual(project);
  });

  it.each([
    [{}, "Project name is required"],
    [{ name: "   " }, "Project name is required"],
    [{ name: "x".repeat(201) }, "Project name must be at most 200 characters"],
    [
      { name: "a\u202eb" },
      "Project name must not contain control characters, marks of direction or invisible characters",
    ],
    [
      { name: "a", description: "two\nlines are fine\u0007" },
      "Project description must not contain control characters or marks of direction",
    ],
    [
      { name: "a", tags: ["x\ny"] },
      "A tag must not contain control characters, marks of direction or invisible characters",
    ],
    [{ name: "x", tags: "go" }, "tags"],
    [
      { name: "x", services: ["checkout", "no spaces"] },
      "“no spaces” is not the name of a service: use up to 200 letters, digits and _ . - / :",
    ],
    [{ name: "x", services: ["a\u202eb"] }, "“a\ufffdb” is not the name of a service"],
    [{ name: "x", services: ["a", "b", " a "] }, "a is listed twice: name each service once"],
    [
      { name: "x", services: Array.from({ length: 101 }, (_, at) => `service-${at}`) },
      "A project can have 100 services, not 101: remove some",
    ],
  ])("are not created from %j", async (payload, words) => {
    const { status, body } = await call("POST", "", payload);
    expect([status, body.code]).toEqual([400, "invalid"]);
    expect(body.error).toContain(words);
  });

  it("are created up to the organization's limit", async () => {
    const limited = await startApp({ env: { ORG_PROJECTS_MAX: "2" } });
    try {
      const { headers } = await limited.signUp();
      const other = await limited.signUp();
      const payload = { name: "Billing" };
      const create = (as = headers) => limited.app.inject({ method: "POST", url, headers: as, payload });
      const replies = await Promise.all(Array.from({ length: 6 }, () => create()));
      expect(replies.map((reply) => reply.statusCode).toSorted()).toEqual([201, 201, 403, 403, 403, 403]);
      expect((await create()).json()).toMatchObject({
        code: "quota_exceeded",
        error: "Your organization has reached its limit of 2 projects (ORG_PROJECTS_MAX). Delete one first.",
      });
      expect((await create(other.headers)).statusCode).toBe(201);
      const { id } = replies.find((reply) => reply.statusCode === 201)!.json().project;
      await limited.app.inject({ method: "DELETE", url: `${url}/${id}`, headers });
      expect((await create()).statusCode).toBe(201);
    } finally {
      await limited.close();
    }
  });

  it("change only the sent fields, and disappear when deleted", async () => {
    const { project } = (await call("POST", "", { name: "Old", description: "kept", tags: ["a"] })).body;
    const changed = await call("PATCH", `/${project.id}`, { name: "New", status: "archived" });
    expect(changed.status).toBe(200);
    expect(changed.body.project).toEqual({ ...project, name: "New", status: "archived" });
    server.clock.advance(60_000);
    const same = await call("PATCH", `/${project.id}`, { name: "New", status: "archived" });
    expect(same.body.project).toEqual(changed.body.project);
    expect((await call("PATCH", `/${project.id}`, { name: " " })).status).toBe(400);
    expect((await call("PATCH", `/${project.id}`, { status: "gone" })).status).toBe(400);
    expect((await call("DELETE", `/${project.id}`)).body).toEqual({ id: project.id });
    expect(await named("New")).toBeUndefined();
    expect((await call("DELETE", `/${project.id}`)).status).toBe(404);
  });

  it("that are derived keep changes, and do not reappear once deleted", async () => {
    const path = "/team%2Fsearch";
    expect((await call("PATCH", path, { tags: ["find"] })).status).toBe(200);
    const { body } = await call("PATCH", path, { description: "Finds things" });
    const expected = { id: "team/search", description: "Finds things", tags: ["find"], profile_count: 1 };
    expect(body.project).toMatchObject(expected);
    expect(await named("team/search")).toMatchObject({
      ...expected,
      name: "team/search",
      is_derived: true,
    });
    expect((await call("DELETE", path)).status).toBe(200);
    expect(await named("team/search")).toBeUndefined();
    expect((await call("PATCH", path, { name: "back" })).status).toBe(404);
    expect(await named("checkout")).toMatchObject({ profile_count: 2 });
  });

  it("that are derived belong to their service by id, whatever they are called", async () => {
    const renamed = (await call("PATCH", "/checkout", { name: "Till" })).body.project;
    expect(renamed).toMatchObject({ id: "checkout", name: "Till", profile_count: 2, is_derived: true });
    const made = (await call("POST", "", { name: "Till" })).body.project;
    expect(made).toMatchObject({ profile_count: 0, is_derived: false });
    const { projects } = (await call("GET")).body;
    const tills = projects.filter(({ name }: { name: string }) => name === "Till");
    expect(tills.map(({ id }: { id: string }) => id).sort()).toEqual([made.id, "checkout"].sort());
    expect((await call("DELETE", `/${made.id}`)).status).toBe(200);
    const back = await call("PATCH", "/checkout", { name: "checkout" });
    expect(back.body.project).toEqual({ ...renamed, name: "checkout" });
  });

  it("made under a service's name take its place and show its profiles", async () => {
    const { project } = (await call("POST", "", { name: "checkout" })).body;
    expect(project).toMatchObject({ profile_count: 2, last_activity: "2026-11-20T11:50:40.125Z" });
    const { projects } = (await call("GET")).body;
    expect(projects.filter(({ name }: { name: string }) => name === "checkout")).toEqual([project]);
    await call("DELETE", `/${project.id}`);
    expect(await named("checkout")).toMatchObject({ id: "checkout", is_derived: true });
  });

  it("can be groups of services, whatever they are called and whether they have sent anything", async () => {
    const services = ["team/search", "checkout", "later"];
    const { status, body } = await call("POST", "", { name: "checkout", services });
    expect(status).toBe(201);
    expect(body.project).toMatchObject({
      name: "checkout",
      services,
      // The changed project of team/search is hidden, its profiles are not.
      profile_count: 3,
      last_activity: "2026-11-20T11:50:40.125Z",
      is_derived: false,
    });
    const { id } = body.project;
    expect((await call("GET", `/${id}`)).body).toEqual(body);
    // The service of the same name keeps its project.
    expect((await call("GET", "/checkout")).body.project).toMatchObject({ is_derived: true, services: [] });
    const one = await call("PATCH", `/${id}`, { services: ["later"] });
    expect(one.body.project).toMatchObject({ name: "checkout", services: ["later"], profile_count: 0 });
    const none = await call("PATCH", `/${id}`, { services: [] });
    expect(none.body.project).toMatchObject({ services: [], profile_count: 2 });
    const derived = await call("PATCH", "/team%2Fsearch", { services: ["checkout"] });
    expect(derived.status).toBe(404);
    expect((await call("DELETE", `/${id}`)).status).toBe(200);
    expect((await call("GET", `/${id}`)).status).toBe(404);
    const refused = await call("PATCH", "/checkout", { services: ["later"] });
    expect([refused.status, refused.body.error]).toEqual([
      400,
      "The project checkout belongs to the service of its name: create a project to group services",
    ]);
  });

  it("give the memory and goroutines of their services", async () => {
    const { headers } = await server.makeKey(admin);
    const started_at = "2026-11-20T11:40:00.000Z";
    for (const [service, bytes] of [
      ["cart", 100],
      ["cart", 300],
      ["stock", 50],
    ] as const) {
      const heap = profileOf(`main\n${bytes}`, { sampleTypes: ["inuse_space/bytes"] });
      await server.send(heap, { headers, query: { service, type: "memory", started_at } });
    }
    const goroutines = profileOf("main\n7", { sampleTypes: ["goroutine/count"] });
    await server.send(goroutines, { headers, query: { service: "cart", type: "goroutine", started_at } });
    const services = ["stock", "cart", "later"];
    const { project } = (await call("POST", "", { name: "Shop", services })).body;
    const figures = [
      { service: "stock", memory_bytes: 50, goroutines: null },
      { service: "cart", memory_bytes: 200, goroutines: 7 },
      { service: "later", memory_bytes: null, goroutines: null },
    ];
    expect((await call("GET", `/${project.id}/figures`)).body).toEqual({ services: figures });
    const sums = { url: "/api/v1/protected/organization/figures", headers: admin.headers };
    const { memory_bytes, goroutines: sum } = (await server.app.inject(sums)).json();
    expect([memory_bytes, sum]).toEqual([250, 7]);
    const earlier = await call("GET", `/${project.id}/figures?from=24h&to=4h`);
    expect(earlier.body.services[1]).toEqual({ service: "cart", memory_bytes: null, goroutines: null });
    const stranger = await server.signUp();
    expect((await call("GET", `/${project.id}/figures`, undefined, stranger)).status).toBe(404);
    expect((await call("GET", "/cart/figures")).status).toBe(404);
    await call("DELETE", `/${project.id}`);
  });

  it("of the demo are a group of its services, which visitors read and cannot change", async () => {
    const demo = await startApp({ env: { DEMO: "on" } });
    try {
      const headers = { authorization: "Bearer test-api-key" };
      const { projects } = (await demo.app.inject({ method: "GET", url, headers })).json();
      const services = ["gateway", "catalog", "search", "checkout"];
      expect(projects).toMatchObject([{ name: "Shop", services, is_derived: false }]);
      const change = { method: "PATCH", url: `${url}/${projects[0].id}`, payload: { services: [] } } as const;
      expect((await demo.app.inject({ ...change, headers })).statusCode).toBe(403);
    } finally {
      await demo.close();
    }
  });

  it("of another organization do not exist", async () => {
    const { project } = (await call("POST", "", { name: "Secret" })).body;
    const stranger = await server.signUp();
    expect((await call("GET", "", undefined, stranger)).body.projects).toEqual([]);
    for (const id of [project.id, "checkout"]) {
      const refused = [404, `Project with ID ${id} not found`];
      const patched = await call("PATCH", `/${id}`, { name: "mine" }, stranger);
      expect([patched.status, patched.body.error]).toEqual(refused);
      const removed = await call("DELETE", `/${id}`, undefined, stranger);
      expect([removed.status, removed.body.error]).toEqual(refused);
    }
    expect(await named("Secret")).toEqual(project);
  });

  it("are read by viewers, and changed by members and admins alone", async () => {
    const person = await server.signUp();
    const { project } = (await call("POST", "", { name: "Ours" }, person)).body;
    await server.setRole(person, "viewer");
    expect((await call("GET", "", undefined, person)).body.projects).toEqual([project]);
    expect((await call("POST", "", { name: "Mine" }, person)).status).toBe(403);
    expect((await call("PATCH", `/${project.id}`, { name: "Mine" }, person)).status).toBe(403);
    expect((await call("DELETE", `/${project.id}`, undefined, person)).status).toBe(403);
    await server.setRole(person, "member");
    expect((await call("PATCH", `/${project.id}`, { name: "Mine" }, person)).status).toBe(200);
  });

  it("are found by name before others that contain it, and have cursors of any name", async () => {
    const other = await server.signUp();
    const { headers } = await server.makeKey(other);
    const long = "名".repeat(200);
    for (const [minute, service] of ["pay", "a-pay", long, "payments"].entries()) {
      const started_at = `2026-11-20T11:${10 + minute}:00.000Z`;
      await server.send(profileOf("main\n1"), { headers, query: { service, started_at } });
    }
    const list = async (query: Record<string, string>) => {
      const { body } = await call("GET", `?${new URLSearchParams(query)}`, undefined, other);
      return { ...body, names: body.projects.map(({ name }: { name: string }) => name) };
    };
    expect((await list({ q: "PAY" })).names).toEqual(["payments", "a-pay", "pay"]);
    expect((await list({ q: "PAY", order: "name" })).names).toEqual(["pay", "payments", "a-pay"]);
    expect((await list({ q: "pay  A-" })).names).toEqual(["a-pay"]);
    for (const [order, before] of [
      ["activity", 2],
      ["name", 4],
    ] as const) {
      const first = await list({ order, limit: String(before) });
      expect(first.names.at(-1)).toBe(long);
      expect(first.next_cursor === null).toBe(order === "name");
    }
    const byActivity = await list({ order: "activity", limit: "2" });
    const rest = await list({ order: "activity", limit: "2", cursor: byActivity.next_cursor });
    expect(rest.names).toEqual(["a-pay", "pay"]);
  });
});
