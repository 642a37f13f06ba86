import { limits } from "@flamekeep/contract";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

let server: TestApp;
let person: Person;

const cpu = "cpu/nanoseconds";
const second = 1_000_000_000;

beforeAll(async () => {
  server = await startApp({ hasSeparateColumns: true, at: "2026-11-20T12:00:00.000Z" });
  person = await server.signUp();
  const { headers } = await server.makeKey(person);
  const send = (service: string, started_at: string, picture: string, sampleType = cpu) =>
    server.send(profileOf(picture, { sampleTypes: [sampleType], durationNs: 10_000_000_000n }), {
      headers,
      query: { service, started_at },
    });
  // JSON takes 0.4 cores, 0.1 of them to allocate; the service's code takes 0.1.
  await send("checkout", "2026-11-20T11:50:00Z", jsonProfile("main.render", [3, 1, 1]));
  await send("cart", "2026-11-20T11:51:00Z", jsonProfile("shop/cart.Add", [1, 1, 0]));
  await send("search", "2026-11-20T11:52:00Z", `main.main\nregexp.MatchString\n${second}`);
  await send("search", "2026-11-20T09:40:00Z", `main.main\nencoding/json.Marshal\n${2 * second}`);
  await send("checkout", "2026-11-20T11:53:00Z", "main.main\nbytes.Clone\n400", "inuse_space/bytes");
  await send("checkout", "2026-11-20T11:54:00Z", "main.main\nbytes.Clone\n200", "inuse_space/bytes");
  await send("cart", "2026-11-20T11:54:00Z", "main.main\nbytes.Clone\n100", "inuse_space/bytes");
  await send("worker", "2026-11-20T11:55:00Z", "main.main\ntime.Sleep\n5000000", "wall/microseconds");
});
afterAll(() => server.close());

function jsonProfile(own: string, [inner, allocating, outside]: [number, number, number]): string {
  return `
    net/http.(*conn).serve net/http.(*conn).serve net/http.(*conn).serve
    ${own.padEnd(22)} ${own.padEnd(22)} ${own.padEnd(22)}
    encoding/json.Marshal  encoding/json.Marshal  main.hash
    encoding/json.encode   runtime.mallocgc       main.round
    ${String(inner * second).padEnd(22)} ${String(allocating * second).padEnd(22)} ${outside * second}`;
}

async function ask(query: Record<string, string | string[]> = {}, as = person) {
  const url = "/api/v1/protected/functions/shared";
  const reply = await server.app.inject({ method: "GET", url, query, headers: as.headers });
  return { status: reply.statusCode, body: reply.json() };
}

async function listed(query: Record<string, string | string[]> = {}): Promise<string[]> {
  const { body } = await ask(query);
  return body.functions.map(
    ({ name, total, self, services_total }: Record<string, string | number>) =>
      `${name} ${total} ${self} ${services_total}`,
  );
}

it("adds up library functions over services, as cores", async () => {
  const { status, body } = await ask();
  expect([status, body.unit, body.services_total, body.covered]).toEqual([200, "cores", 3, 1]);
  expect(body.total).toBeCloseTo(0.8);
  expect(body.functions).toHaveLength(2);
  expect(body.functions[0]).toMatchObject({
    name: "encoding/json.Marshal",
    ref: "encoding/json.Marshal",
    package: "encoding/json",
    category: "json",
    total: 0.6,
    self: 0,
    services_total: 2,
    services: [
      { name: "checkout", total: 0.4, share: 0.8 },
      { name: "cart", total: 0.2, share: 1 },
    ],
  });
  expect(body.functions[1]).toMatchObject({ name: "runtime.mallocgc", total: 0.2, self: 0.2 });
});

it("has functions of one service, and all functions by self, on request", async () => {
  expect(await listed({ services_min: "1", q: "regexp" })).toEqual(["regexp.MatchString 0.1 0.1 1"]);
  expect((await listed({ scope: "all", services_min: "1" })).slice(0, 2)).toEqual([
    "encoding/json.encode 0.4 0.4 2",
    "runtime.mallocgc 0.2 0.2 2",
  ]);
  expect(await listed({ service: ["cart", "search"], q: "JSON" })).toEqual([]);
  expect(await listed({ service: ["cart", "search"], q: "JSON", services_min: "1" })).toEqual([
    "encoding/json.Marshal 0.2 0 1",
  ]);
});

it("has the mean of gauges", async () => {
  const { body } = await ask({ type: "memory" });
  expect([body.unit, body.total]).toEqual(["bytes", 400]);
  expect(body.functions[0]).toMatchObject({
    name: "bytes.Clone",
    services: [
      { name: "checkout", total: 300 },
      { name: "cart", total: 100 },
    ],
  });
});

it("divides times by the duration in their own unit", async () => {
  const { body } = await ask({ type: "wall", services_min: "1" });
  expect([body.unit, body.total]).toEqual(["seconds_per_second", 0.5]);
  expect(body.functions[0]).toMatchObject({ name: "time.Sleep", total: 0.5 });
});

it("reads an hour once, rolled up or not", async () => {
  const query = { from: "2026-11-20T09:00:00Z", to: "2026-11-20T12:00:00Z" };
  const before = (await ask(query)).body;
  expect(before.functions[0]).toMatchObject({ name: "encoding/json.Marshal", services_total: 3 });
  await server.ctx.columns.maintenance.rollUp(server.ctx.now());
  expect((await ask(query)).body).toEqual(before);
});

it("reads an hour once that is rolled up between the reads of its parts", async () => {
  const { headers } = await server.makeKey(person);
  const profile = profileOf(`main.main\nencoding/json.Marshal\n${second}`, {
    sampleTypes: [cpu],
    durationNs: 10_000_000_000n,
  });
  await server.send(profile, { headers, query: { service: "late", started_at: "2026-11-20T08:30:00Z" } });
  const { columns } = server.ctx;
  const read = columns.queryBytes.bind(columns);
  let reads = 0;
  const spy = vi.spyOn(columns, "queryBytes").mockImplementation(async (statement, params) => {
    if (statement.name === "shared-functions.recent" && reads++ === 0)
      await columns.maintenance.rollUp(server.ctx.now());
    return read(statement, params);
  });
  const { body } = await ask({ from: "2026-11-20T08:00:00Z", to: "2026-11-20T12:00:00Z", service: "late" });
  spy.mockRestore();
  expect([reads, body.covered, body.total]).toEqual([2, 1, 0.1]);
});

it("adds up the services with the largest costs, and says how many", async () => {
  const { headers } = await server.makeKey(person);
  const services = limits.countedServicesMax + 1;
  for (let n = 1; n <= services; n++) {
    const picture = `main.main\n${n === 1 ? "sort.Smallest" : "sort.Sort"}\n${n * 1e7}`;
    const profile = profileOf(picture, { sampleTypes: [cpu], durationNs: 10_000_000_000n });
    await server.send(profile, { headers, query: { service: `s${n}`, started_at: "2026-11-19T10:30:00Z" } });
  }
  const range = { from: "2026-11-19T10:00:00Z", to: "2026-11-19T11:00:00Z", services_min: "1" };
  const { body } = await ask(range);
  expect([body.services_total, body.services_counted]).toEqual([services, services - 1]);
  expect(body.functions.map(({ name }: { name: string }) => name)).toEqual(["sort.Sort"]);
  expect(body.covered).toBeCloseTo(1 - 1 / ((services * (services + 1)) / 2), 6);
  const named = await ask({ ...range, service: "s1" });
  expect(named.body.functions[0].name).toBe("sort.Smallest");
});

it("adds up the services of projects, and lists as many services as asked for", async () => {
  const created = await server.app.inject({
    method: "POST",
    url: "/api/v1/protected/projects",
    headers: person.headers,
    payload: { name: "Shop", services: ["cart", "search", "later"] },
  });
  const project = created.json().project.id;
  const all = { scope: "all", services_min: "1" };
  const ofGroup = await ask({ project, ...all });
  expect([ofGroup.status, ofGroup.body.services_total]).toEqual([200, 2]);
  const names = ofGroup.body.functions.map(({ name }: { name: string }) => name);
  expect(names).toContain("regexp.MatchString");
  expect(names).not.toContain("main.round");
  const withService = await ask({ project, service: "checkout", services_limit: "1" });
  expect(withService.body.services_total).toBe(3);
  const [json] = withService.body.functions;
  expect([json.name, json.services_total, json.services.length]).toEqual(["encoding/json.Marshal", 2, 1]);
  const stranger = await server.signUp();
  expect((await ask({ project }, stranger)).status).toBe(404);
  const many = await ask({ project: ["a", "b", "c", "d", "e"] });
  expect([many.status, many.body.error]).toEqual([400, "At most 4 projects can be named: leave out some"]);
});

it("is empty for a range without profiles, a stranger and an unknown service", async () => {
  const stranger = await server.signUp();
  const replies = [
    await ask({ from: "2026-11-19T00:00:00Z", to: "2026-11-19T01:00:00Z" }),
    await ask({}, stranger),
    await ask({ service: "checkout" }, stranger),
    await ask({ service: "'; DROP TABLE frames --" }),
  ];
  for (const { status, body } of replies)
    expect([status, body.total, body.services_total, body.functions]).toEqual([200, 0, 0, []]);
});

it.each(["'; DROP TABLE frames --", "%", "{orgId:UUID}", "\\"])("treats %s as text", async (q) => {
  expect(await listed({ q })).toEqual([]);
});

it("refuses a type without one meaning, and too many services", async () => {
  const custom = await ask({ type: "custom" });
  expect([custom.status, custom.body.error]).toEqual([400, expect.stringContaining("type")]);
  const many = await ask({ service: Array.from({ length: 51 }, (_, at) => `service-${at}`) });
  expect([many.status, many.body.error]).toEqual([
    400,
    "At most 50 services can be named: leave out some, or name none",
  ]);
});
