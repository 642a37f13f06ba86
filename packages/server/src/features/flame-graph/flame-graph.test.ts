import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { decodeFlameGraph } from "@flamekeep/flame";
import { writeProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

const columns = "application/vnd.flamekeep.flamegraph.v3";
let server: TestApp;
let person: Person;
let keyHeaders: Record<string, string>;
let url: string;

beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:00.000Z" });
  person = await server.signUp();
  keyHeaders = (await server.makeKey(person)).headers;
  const picture = `
    main.main   main.main    main.main
    main.serve  main.serve   runtime.gc
    json.Parse  db.Query
    3,30        5,50         2,20`;
  const profile = profileOf(picture, {
    sampleTypes: ["samples/count", "cpu/nanoseconds"],
    durationNs: 10_000_000_000n,
  });
  const { profile_id } = await sent({ service: "checkout" }, gzipSync(writeProfile(profile)));
  url = `/api/v1/protected/flamegraph/${profile_id}`;
});
afterAll(() => server.close());

async function sent(query: Record<string, string>, payload: Uint8Array) {
  return server.send(payload, { headers: keyHeaders, query });
}

function get(query: Record<string, string> = {}, headers: Record<string, string> = {}, app = server.app) {
  return app.inject({ method: "GET", url, query, headers: { ...person.headers, ...headers } });
}

/** A second server with other parts, for one test. */
async function appWith(overrides: Parameters<TestApp["createApp"]>[0]) {
  const app = await server.createApp(overrides);
  onTestFinished(() => app.close());
  return app;
}

/** A second server whose payloads have no type, as those stored before types were. */
function appWithUntypedPayloads() {
  const { payloads } = server.ctx;
  const read: typeof payloads.read = async (...of) => ({ ...(await payloads.read(...of))!, type: undefined });
  return appWith({ payloads: { ...payloads, read } });
}

describe("the flame graph of a profile", () => {
  it("begins at a frame when asked to, with the shares of the whole", async () => {
    const reply = await get({ root: "root_0_0" });
    expect(reply.statusCode).toBe(200);
    expect(reply.json().root).toMatchObject({
      function_name: "main.serve",
      node_id: "root",
      total_value: 80,
      total_percent: 80,
      width: 100,
    });
    expect(reply.json().root.children.map((node: Record<string, unknown>) => node.node_id)).toEqual([
      "root_0",
      "root_1",
    ]);
    expect(reply.headers.etag).not.toBe((await get()).headers.etag);
    const long = await get({ root: `root_${"0".repeat(4000)}_0` });
    expect(long.json().root).toEqual(reply.json().root);
    expect(long.headers.etag!.length).toBeLessThan(200);
    const part = await get({ root: "0.0", max_nodes: "2" }, { accept: columns });
    const { tree } = decodeFlameGraph(part.rawPayload);
    expect([tree.length, tree.total[0], tree.elisions.count[0]]).toEqual([2, 80, 1]);
  });

  it.each(["root_0_7", "0.0.0.0.0", "main.serve"])("has no frame %s", async (root) => {
    const [revalidated, fresh] = [await get({ root }, { "if-none-match": '"x"' }), await get({ root })];
    expect([revalidated.statusCode, fresh.statusCode]).toEqual([422, 422]);
  });

  it("has a frame for each line when asked to, under another tag", async () => {
    const [byFunction, byLine] = [await get(), await get({ group_by: "line" })];
    expect(byLine.json().root.total_value).toBe(byFunction.json().root.total_value);
    expect(byLine.json().root.children[0].function_name).toMatch(/^main\.main(?::\d+)?$/);
    expect(byLine.headers.etag).not.toBe(byFunction.headers.etag);
    expect((await get({ group_by: "file" })).statusCode).toBe(400);
  });

  it("has a frame for each copy of a generic function when asked to, under another tag", async () => {
    const picture = `
      main.main                  main.main
      slices.Max[go.shape.int]   slices.Max[go.shape.string]
      3                          5`;
    const { profile_id } = await sent({ service: "generic" }, gzipSync(writeProfile(profileOf(picture))));
    const graph = (query: Record<string, string>) =>
      server.app.inject({
        url: `/api/v1/protected/flamegraph/${profile_id}`,
        query,
        headers: person.headers,
      });
    const [merged, copies] = [await graph({}), await graph({ group_by: "instantiation" })];
    const names = ({ json }: typeof merged) =>
      json().root.children[0].children.map((each: Record<string, unknown>) => each.function_name);
    expect(names(merged)).toEqual(["slices.Max"]);
    expect(names(copies)).toEqual(["slices.Max[go.shape.string]", "slices.Max[go.shape.int]"]);
    expect(copies.headers.etag).not.toBe(merged.headers.etag);
  });

  it.each(["function", "line", "instantiation"])(
    "has functions of one name in two files as two frames, grouped by %s",
    async (group_by) => {
      const picture = `
        main@main.js:1   main@main.js:1
        handler@a.js:10  handler@b.js:10
        90,900000000     10,100000000`;
      const profile = profileOf(picture, { sampleTypes: ["samples/count", "cpu/nanoseconds"] });
      const { profile_id } = await sent({ service: "node" }, gzipSync(writeProfile(profile)));
      const reply = await server.app.inject({
        url: `/api/v1/protected/flamegraph/${profile_id}`,
        query: { group_by, search_index: "true" },
        headers: person.headers,
      });
      const { root, search_index } = reply.json();
      const frames = root.children[0].children as Record<string, unknown>[];
      expect(frames.map(({ file_name, total_value }) => [file_name, total_value])).toEqual([
        ["a.js", 900_000_000],
        ["b.js", 100_000_000],
      ]);
      const suffix = group_by === "line" ? ":10" : "";
      expect(Object.keys(search_index)).toEqual(
        expect.arrayContaining([`handler${suffix} (a.js)`, `handler${suffix} (b.js)`]),
      );
    },
  );

  it("is rows of numbers when asked to", async () => {
    const levels = "application/vnd.flamekeep.flamegraph.levels.v1+json";
    const reply = await get({}, { accept: levels });
    expect(reply.headers["content-type"]).toBe(levels);
    const graph = JSON.parse(reply.body);
    expect(graph.names[graph.levels[1][3]]).toBe("main.main");
    expect(graph.levels[1].slice(0, 3)).toEqual([0, 100, 0]);
  });

  it("is the nested tree of its main sample type, percents and places included", async () => {
    const reply = await get();
    expect(reply.statusCode).toBe(200);
    const graph = reply.json();
    expect(graph).toMatchObject({
      profile_id: url.slice(-32),
      total_samples: 100,
      duration_ms: 10_000,
      sample_type: { type: "cpu", unit: "nanoseconds" },
      elided_nodes: 0,
    });
    expect(graph.root).toMatchObject({ node_id: "root", total_value: 100, x: 0, width: 100, depth: 0 });
    const main = graph.root.children[0];
    expect(main).toMatchObject({
      function_name: "main.main",
      package_name: "main",
      node_id: "root_0",
      total_percent: 100,
    });
    expect(
      main.children.map((node: Record<string, unknown>) => [
        node.function_name,
        node.x,
        node.width,
        node.node_id,
      ]),
    ).toEqual([
      ["main.serve", 0, 80, "root_0_0"],
      ["runtime.gc", 80, 20, "root_0_1"],
    ]);
    expect(
      main.children[0].children.map((node: Record<string, unknown>) => [node.function_name, node.self_value]),
    ).toEqual([
      ["db.Query", 50],
      ["json.Parse", 30],
    ]);
  });

  it("is columns on the same address when the caller asks for them", async () => {
    const reply = await get({}, { accept: `${columns}, application/json` });
    expect(reply.headers["content-type"]).toBe(columns);
    expect(reply.headers.vary).toContain("accept");
    const { tree } = decodeFlameGraph(reply.rawPayload);
    expect(tree.total[0]).toBe(100);
    expect(tree.length).toBe(6);
  });

  it("draws another sample type when one is named, and says which there are when it is unknown", async () => {
    expect((await get({ sample_type: "samples" })).json()).toMatchObject({
      total_samples: 10,
      sample_type: { type: "samples", unit: "count" },
    });
    const unknown = await get({ sample_type: "wall" });
    expect(unknown.statusCode).toBe(422);
    expect(unknown.json().error).toContain("it has samples, cpu");
  });

  it.each([
    ["memory", "inuse_space"],
    ["custom", "alloc_space"],
  ])("of one filed as %s is that of %s, whatever its sample types look like", async (type, drawn) => {
    const sampleTypes = ["inuse_objects/count", "inuse_space/bytes", "alloc_space/bytes"];
    const raw = writeProfile(profileOf("main.main\n1,2,3", { sampleTypes }));
    const { profile_id } = await sent({ service: `filed-${type}`, type }, gzipSync(raw));
    const path = `/api/v1/protected/flamegraph/${profile_id}`;
    const draw = async (app = server.app) =>
      (await app.inject({ method: "GET", url: path, headers: person.headers })).json();
    const graph = await draw();
    expect(graph.sample_type.type).toBe(drawn);
    expect(graph.profile_hash).toBe(createHash("sha256").update(raw).digest("hex"));
    // The same if the bytes were stored before types were, and only the row has the type.
    expect(await draw(await appWithUntypedPayloads())).toEqual(graph);
  });

  it("is drawn without a query of the column store", async () => {
    const { columns } = server.ctx;
    const queries: string[] = [];
    const query: typeof columns.query = (definition, params) => {
      queries.push(definition.name);
      return columns.query(definition, params);
    };
    const app = await appWith({ columns: { ...columns, query } });
    expect((await get({ max_nodes: "77" }, {}, app)).statusCode).toBe(200);
    expect(queries).toEqual([]);
  });

  it.each([{}, { sample_type: "samples" }, { max_nodes: "3" }])(
    "has the same entity tag whether or not its row is read (%o)",
    async (query) => {
      const early = (await get(query)).headers.etag;
      const app = await appWithUntypedPayloads();
      const late = await get(query, {}, app);
      expect([late.statusCode, late.headers.etag]).toEqual([200, early]);
      const again = await get(query, { "if-none-match": String(early) }, app);
      expect(again.statusCode).toBe(304);
    },
  );

  it("reports a failure of drawing at once instead of drawing again", async () => {
    const { decoders } = server.ctx;
    let drawings = 0;
    const open: typeof decoders.open = (file, name, input) => {
      drawings++;
      return drawings === 1
        ? Promise.reject(new Error("the thread ended"))
        : decoders.open(file, name, input);
    };
    const app = await appWith({ decoders: { ...decoders, open } });
    expect((await get({}, {}, app)).statusCode).toBe(500);
    expect(drawings).toBe(1);
  });

  it("is not there for another organization", async () => {
    const stranger = await server.signUp();
    const reply = await get({}, stranger.headers);
    expect(reply.statusCode).toBe(404);
  });

  it("keeps the widest frames within max_nodes and counts the rest", async () => {
    const graph = (await get({ max_nodes: "3" })).json();
    expect(graph.elided_nodes).toBe(3);
    expect(graph.root.total_value).toBe(100);
  });

  it("stops as JSON at 512 levels and counts the rest, also merged; columns have every level", async () => {
    const frames = Array.from({ length: 600 }, (_, level) => `f${level}`).join("\n");
    const { profile_id } = await sent(
      { service: "deep", started_at: "2026-11-20T11:50:00Z" },
      gzipSync(writeProfile(profileOf(`${frames}\n7`, { sampleTypes: ["cpu/nanoseconds"] }))),
    );
    for (const path of [profile_id, "service/deep/cpu?since=1h"]) {
      const deep = `/api/v1/protected/flamegraph/${path}`;
      const { root, elided_nodes } = (await server.app.inject({ url: deep, headers: person.headers })).json();
      let last = root;
      while (last.children.length > 0) last = last.children[0];
      expect([path, last.depth, elided_nodes]).toEqual([path, 511, 89]);
      expect(last).toMatchObject({ self_value: 0, total_value: 7, elided_count: 89, elided_value: 7 });
      const headers = { ...person.headers, accept: columns };
      const { tree } = decodeFlameGraph((await server.app.inject({ url: deep, headers })).rawPayload);
      expect([path, tree.length]).toEqual([path, 601]);
    }
  });

  it("is not sent again to a browser that has it", async () => {
    const { etag } = (await get()).headers;
    for (const known of [etag, etag?.replace("W/", ""), `"another", ${etag}`, "*"]) {
      const again = await get({}, { "if-none-match": String(known) });
      expect([known, again.statusCode, again.body]).toEqual([known, 304, ""]);
    }
    expect((await get({}, { "if-none-match": '"another"' })).statusCode).toBe(200);
  });

  it("is sent to a browser that has the columns of an earlier version", async () => {
    const tag = String((await get({}, { accept: columns })).headers.etag);
    const earlier = tag.replace("columns-v3", "columns");
    expect(earlier).not.toBe(tag);
    const statusOf = async (known: string) =>
      (await get({}, { accept: columns, "if-none-match": known })).statusCode;
    expect([await statusOf(tag), await statusOf(earlier)]).toEqual([304, 200]);
  });

  it("is JSON for a caller that refuses columns", async () => {
    const reply = await get({}, { accept: `${columns};q=0, */*` });
    expect(reply.headers["content-type"]).toContain("application/json");
  });

  it("does not exist for a batch of HTTP metrics, and the answer says so", async () => {
    const reply = await server.app.inject({
      method: "POST",
      url: "/api/v1/ingest/http-metrics",
      query: { service: "checkout" },
      headers: keyHeaders,
      payload: [
        {
          timestamp: "2026-11-20T11:59:00Z",
          duration: 0.01,
          status_code: 200,
          method: "GET",
          path: "/",
          request_id: "1",
        },
      ],
    });
    expect(reply.statusCode).toBe(200);
    const graph = await server.app.inject({
      method: "GET",
      url: `/api/v1/protected/flamegraph/${reply.json().profile_id}`,
      headers: person.headers,
    });
    expect([graph.statusCode, graph.json().error]).toEqual([
      422,
      "A batch of HTTP metrics has no stacks, so it has no flame graph",
    ]);
  });
});
