import { flameGraphContentType } from "@flamekeep/contract";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Context } from "#context";
import type { ColumnReader } from "#store/column/query.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { createApp, openGraphCache } from "./app.ts";
import { GraphCache } from "./features/flame-graph/reply/graph-cache.ts";
import { warmUp } from "./warm-up.ts";

let server: TestApp;
let person: Person;
beforeAll(async () => {
  server = await startApp({ hasSeparateColumns: true, at: "2026-11-20T12:00:30.255Z" });
  person = await server.signUp();
});
afterAll(() => server?.close());

const read: { name: string; params: unknown }[] = [];
const drawn: string[] = [];
beforeEach(() => {
  read.length = 0;
  drawn.length = 0;
});

/** The context of the server, that records queries and drawings. */
function recorded(): Context {
  const { columns, decoders } = server.ctx;
  const recording = ({ query }: ColumnReader): Pick<ColumnReader, "query"> => ({
    query: (statement, params) => {
      read.push({ name: statement.name, params });
      return query(statement, params);
    },
  });
  return {
    ...server.ctx,
    columns: {
      ...columns,
      ...recording(columns),
      direct: { ...columns.direct, ...recording(columns.direct) },
    },
    decoders: {
      ...decoders,
      run: (file, name, input, signal) => {
        drawn.push(name);
        return decoders.run(file, name, input, signal);
      },
      open: (file, name, input, signal) => {
        drawn.push(name);
        return decoders.open(file, name, input, signal);
      },
    },
  };
}

/** Long enough on a busy machine. */
const untilDone = 60_000;
const running = new AbortController().signal;
const noCache = () => new GraphCache(server.ctx.columns, 0);
const graphs = new Set(["drawMergedFlameGraph", "drawComparison"]);

it("reads as the first page does and draws both kinds of graphs if there are no profiles yet", async () => {
  await warmUp({ ...recorded(), graphCache: noCache() }, running, untilDone);
  const names = read.map(({ name }) => name);
  expect(names).toContain("timeline.usage");
  expect(names).toContain("flame-graph.range-totals");
  expect(names).toContain("profiles.latest-sample-types");
  expect(new Set(drawn)).toEqual(graphs);
});

it("reads the service with most CPU profiles of the last hour", async () => {
  const { headers } = await server.makeKey(person);
  const cpu = (ns: number) =>
    profileOf(`main.main\nmain.serve\n1,${ns}`, {
      sampleTypes: ["samples/count", "cpu/nanoseconds"],
      durationNs: 10_000_000_000n,
    });
  const send = (service: string, minute: number, ns: number) =>
    server.send(cpu(ns), { headers, query: { service, started_at: `2026-11-20T11:${minute}:00Z` } });
  await send("quiet", 40, 10);
  await send("busy", 41, 20);
  await send("busy", 42, 30);
  await warmUp({ ...recorded(), graphCache: noCache() }, running, untilDone);
  const services = read.flatMap(({ name, params }) =>
    name === "flame-graph.range-totals" ? [params as { orgId: string; service: string }] : [],
  );
  expect(services.length).toBeGreaterThan(0);
  for (const each of services) expect(each).toMatchObject({ orgId: person.orgId, service: "busy" });
  expect(new Set(drawn)).toEqual(graphs);
});

it("keeps the graph that it drew for the next call", async () => {
  const ctx = recorded();
  const graphCache = openGraphCache(ctx);
  await warmUp({ ...ctx, graphCache }, running, untilDone);
  drawn.length = 0;
  const app = await createApp(ctx, { graphCache });
  const reply = await app.inject({
    url: "/api/v1/protected/flamegraph/service/busy/cpu?from=1h",
    headers: { ...person.headers, accept: flameGraphContentType },
  });
  await app.close();
  expect([reply.statusCode, drawn]).toEqual([200, []]);
});

it("ends in time if the column store does not answer, and makes no further calls", async () => {
  const ctx = recorded();
  let answer = (): void => undefined;
  const silent = new Promise<never[]>((resolve) => {
    answer = () => resolve([]);
  });
  const maintenance = { ...ctx.columns.maintenance, query: () => silent };
  await warmUp({ ...ctx, columns: { ...ctx.columns, maintenance }, graphCache: noCache() }, running, 1);
  answer();
  await silent;
  expect(read).toEqual([]);
});

it("ends if the column store fails", async () => {
  const ctx = recorded();
  const query = () => Promise.reject(new Error("the store is away"));
  const maintenance = { ...ctx.columns.maintenance, query };
  await warmUp(
    { ...ctx, columns: { ...ctx.columns, maintenance }, graphCache: noCache() },
    running,
    untilDone,
  );
  expect(server.logged.join()).toContain("the store is away");
});

it("logs nothing if its calls fail because the server stops", async () => {
  const ctx = recorded();
  const stop = new AbortController();
  const query = () => {
    stop.abort();
    return Promise.reject(new Error("the store is closed"));
  };
  const maintenance = { ...ctx.columns.maintenance, query };
  await warmUp(
    { ...ctx, columns: { ...ctx.columns, maintenance }, graphCache: noCache() },
    stop.signal,
    untilDone,
  );
  expect(server.logged.join()).not.toContain("the store is closed");
});

it("lets /readyz say that the server is starting until that has ended", async () => {
  let isWarm = false;
  const app = await createApp(server.ctx, { isWarm: () => isWarm });
  const before = await app.inject("/readyz");
  isWarm = true;
  const after = await app.inject("/readyz");
  await app.close();
  expect([before.statusCode, before.json().checks[0]]).toEqual([
    503,
    { name: "server", ok: false, message: "is starting" },
  ]);
  expect([after.statusCode, after.json().status]).toEqual([200, "ready"]);
});
