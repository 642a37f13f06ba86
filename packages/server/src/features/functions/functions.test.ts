import { functionLink } from "@flamekeep/contract";
import { decodeFlameGraph, functionNamed } from "@flamekeep/flame";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

let server: TestApp;
let person: Person;

beforeAll(async () => {
  server = await startApp({ hasSeparateColumns: true, at: "2026-11-20T12:00:00.000Z" });
  person = await server.signUp();
  const { headers } = await server.makeKey(person);
  const send = (service: string, started_at: string, stack: string, sampleType: string) =>
    server.send(profileOf(`${stack}\n1`, { sampleTypes: [sampleType] }), {
      headers,
      query: { service, started_at },
    });
  await send("checkout", "2026-11-20T11:50:00Z", "main.main\nshop/pricing.hashNumber\nruntime.memmove", cpu);
  await send("checkout", "2026-11-20T11:51:00Z", "main.main\nshop/pricing.hashNumber", "goroutine/count");
  await send("search", "2026-11-20T11:40:00Z", "main.main\nshop/rehash.Table", cpu);
  await send("node", "2026-11-20T11:45:00Z", "hashWall", "wall/nanoseconds");
  await send("search", "2026-11-20T09:40:00Z", "main.main\nshop.early", cpu);
  await send("node", "2026-11-20T11:46:00Z", "main@main.js:1\nhandlerOf@/app/src/a.js:10", cpu);
  await send("node", "2026-11-20T11:47:00Z", "main@main.js:1\nhandlerOf@/app/src/b.js:10", cpu);
  await send("node", "2026-11-20T11:48:00Z", "main@main.js:1\nhandlerOf@/srv/v2/node_modules/x/b.js:10", cpu);
  await send("cart", "2026-11-20T11:48:00Z", "main\n_ZN4shop4Cart3addEi@cart.cc:10", cpu);
  await send("cart", "2026-11-20T11:49:00Z", "main\nslices.Sort[go.shape.int]@sort.go:3", cpu);
  await send("cart", "2026-11-20T11:49:30Z", "main\nslices.Sort[go.shape.string]@/b/sort.go:3", cpu);
  await send("old", "2026-11-18T11:45:00Z", "hashOld", cpu);
});
afterAll(() => server.close());

const cpu = "cpu/nanoseconds";

async function find(query: Record<string, string>, as = person) {
  const url = "/api/v1/protected/functions";
  const reply = await server.app.inject({ method: "GET", url, query, headers: as.headers });
  return { status: reply.statusCode, body: reply.json() };
}

async function found(query: Record<string, string>, as = person): Promise<string[]> {
  const { functions } = (await find(query, as)).body;
  return functions.map(({ name, service, type }: Record<string, string>) => `${name} ${service} ${type}`);
}

it("finds functions by a part of their name, with the services and types that have them", async () => {
  expect(await found({ q: "HASH" })).toEqual([
    "hashWall node wall",
    "shop/pricing.hashNumber checkout cpu",
    "shop/pricing.hashNumber checkout goroutine",
    "shop/rehash.Table search cpu",
  ]);
  expect(await found({ q: "hash", limit: "1" })).toEqual(["hashWall node wall"]);
});

it("finds functions of earlier hours once they are rolled up", async () => {
  expect(await found({ q: "early" })).toEqual([]);
  await server.ctx.columns.maintenance.rollUp(server.ctx.now());
  expect(await found({ q: "early" })).toEqual(["shop.early search cpu"]);
  expect([await found({ q: "hashOld" }), await found({ q: "hashOld", from: "3d" })]).toEqual([
    [],
    ["hashOld old cpu"],
  ]);
});

it.each(["'; DROP TABLE frames --", "%", "{orgId:UUID}", "\\", "hash%"])("treats %s as text", async (q) => {
  const { status, body } = await find({ q: q.padEnd(3, q) });
  expect([status, body.functions]).toEqual([200, []]);
});

it("finds a function in addition to the many copies of a generic one", async () => {
  const copies = Array.from({ length: 50 }, (_, at) => `main;slices.Max[go.shape.struct{f${at}}] 1`).join(
    "\n",
  );
  const { headers } = await server.makeKey(person);
  const payload = Buffer.from(`${copies}\nmain;slices.MaximumOfAllThatHaveLongerNamesThanTheCopies 1\n`);
  const reply = await server.trySend(payload, {
    headers,
    query: { service: "copies", type: "cpu", started_at: "2026-11-20T11:50:00Z" },
  });
  expect(reply.statusCode).toBe(200);
  expect(await found({ q: "slices.max" })).toEqual([
    "slices.Max copies cpu",
    "slices.MaximumOfAllThatHaveLongerNamesThanTheCopies copies cpu",
  ]);
});

it("asks for three letters, and shows nothing of another organization", async () => {
  const refusals = await Promise.all(["ha", "h".repeat(8001)].map((q) => find({ q })));
  expect(refusals.map(({ status, body }) => `${status} ${body.error}`)).toEqual([
    expect.stringMatching(/^400 Query parameter 'q' must have at least 3/),
    expect.stringMatching(/^400 Query parameter 'q' must have at most/),
  ]);
  expect(await found({ q: "hash" }, await server.signUp())).toEqual([]);
});

it("has functions of one name in two files apart, with the text by which a graph finds each", async () => {
  const { functions } = (await find({ q: "handlerOf" })).body;
  expect(functions.map(({ name, ref }: Record<string, string>) => `${name} = ${ref}`).sort()).toEqual([
    "handlerOf = handlerOf (node_modules/x/b.js)",
    "handlerOf = handlerOf (src/a.js)",
    "handlerOf = handlerOf (src/b.js)",
  ]);
  const range = { from: "2026-11-20T11:00:00Z", to: "2026-11-20T12:00:00Z", max_nodes: "100" };
  const graph = await server.app.inject({
    url: "/api/v1/protected/flamegraph/service/node/cpu",
    query: range,
    headers: { ...person.headers, accept: "application/vnd.flamekeep.flamegraph.v3" },
  });
  const { tree } = decodeFlameGraph(graph.rawPayload);
  for (const { name, ref, file } of functions) {
    expect(tree.functions.file[functionNamed(tree, ref)]).toBe(file);
    // As alerts and advice link to it, which know its file only.
    expect(tree.functions.file[functionNamed(tree, functionLink({ name, file }))]).toBe(file);
  }
  expect(functionLink({ name: "main.main", file: "/src/main.go" })).toBe("main.main");
});

it.each(["Cart::add", "_ZN4shop4Cart", "add(int)"])("finds a mangled function by %s", async (q) => {
  expect(await found({ q })).toEqual(["shop::Cart::add(int) cart cpu"]);
});

it("has all copies of a generic function as one", async () => {
  expect(await found({ q: "slices.Sort" })).toEqual(["slices.Sort cart cpu"]);
});

it("finds functions of the largest services, and those that only a small one of many has", async () => {
  const other = await server.signUp();
  const { headers } = await server.makeKey(other);
  const at = "2026-11-20T11:50:00Z";
  const send = (service: string, stack: string, cpuMs: number) =>
    server.send(
      profileOf(`main.main\n${stack}\n${cpuMs * 1e6}`, { sampleTypes: [cpu], durationNs: 10_000_000_000n }),
      { headers, query: { service, started_at: at } },
    );
  for (let n = 0; n < 51; n++) await send(`service-${n}`, "shop/shared.Often", 1000 + n);
  await send("small", "shop/shared.Rarely", 1);
  expect(await found({ q: "shared." }, other)).toEqual([
    "shop/shared.Often service-1 cpu",
    "shop/shared.Often service-10 cpu",
    "shop/shared.Often service-11 cpu",
    "shop/shared.Rarely small cpu",
  ]);
});
