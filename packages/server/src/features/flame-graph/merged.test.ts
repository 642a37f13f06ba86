import { MergedFlameGraph } from "@flamekeep/contract/schemas";
import { decodeFlameGraph } from "@flamekeep/flame";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { query, queryOne } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

const columns = "application/vnd.flamekeep.flamegraph.v3";
const cpuTypes = ["samples/count", "cpu/nanoseconds"];
let server: TestApp;
let person: Person;
let keyHeaders: Record<string, string>;

beforeAll(async () => {
  server = await startApp({ hasSeparateColumns: true, at: "2026-11-20T12:00:30.000Z" });
  person = await server.signUp();
  keyHeaders = (await server.makeKey(person)).headers;
  const cpu = (encode: number, gc: number) =>
    profileOf(
      `
      main.main       main.main
      main.serve      runtime.gc
      json.Encode
      ${encode},${encode}0      ${gc},${gc}0`,
      { sampleTypes: cpuTypes, durationNs: 10_000_000_000n },
    );
  await send(
    { service: "checkout", started_at: "2026-11-20T09:59:59Z", "tag.region": "eu" },
    cpu(1000, 1000),
  );
  await send({ service: "checkout", started_at: "2026-11-20T10:15:00Z", "tag.region": "eu" }, cpu(3, 1));
  await send({ service: "checkout", started_at: "2026-11-20T10:45:10Z", "tag.region": "us" }, cpu(5, 2));
  await send({ service: "checkout", started_at: "2026-11-20T12:00:10Z", "tag.region": "eu" }, cpu(7, 4));
  await send({ service: "other", started_at: "2026-11-20T12:00:10Z" }, cpu(500, 500));
  const heap = (used: number) =>
    profileOf(`main.main\nmain.cache\n${used},${used}00`, {
      sampleTypes: ["inuse_objects/count", "inuse_space/bytes"],
    });
  await send({ service: "checkout", type: "memory", started_at: "2026-11-20T11:00:00Z" }, heap(10));
  await send({ service: "checkout", type: "memory", started_at: "2026-11-20T11:01:00Z" }, heap(15));
});
afterAll(() => server.close());

async function send(query: Record<string, string>, profile: ReturnType<typeof profileOf>) {
  await server.send(profile, { headers: keyHeaders, query });
}

const storedProfiles = query({
  name: "test.stored-profiles",
  sql: "SELECT count() AS profiles FROM profiles WHERE org_id = {orgId:UUID}",
  params: z.object({ orgId: z.uuid() }),
  row: z.object({ profiles: Count }),
});

describe("profiles whose rows wait", () => {
  it("are in flame graphs, without an insert and with the same frames as after it", async () => {
    const reader = await server.signUp();
    const { headers } = await server.makeKey(reader);
    const sendCpu = (started_at: string, picture: string, version = "1") =>
      server.send(profileOf(picture, { sampleTypes: cpuTypes, durationNs: 10_000_000_000n }), {
        headers,
        query: { service: "live", started_at, "tag.version": version },
      });
    const stored = async () =>
      (await queryOne(server.ctx.columns.direct, storedProfiles, { orgId: reader.orgId })).profiles;
    const read = async (max_nodes: string) => {
      const range = { from: "2026-11-20T11:00:00Z", to: "2026-11-20T12:00:00Z", max_nodes };
      const replies = [
        await get("live/cpu", range, {}, reader),
        await get("live/cpu", { ...range, sample_type: "samples" }, {}, reader),
        await get("live/memory", range, {}, reader),
      ];
      return replies.map((reply) => {
        expect(reply.statusCode).toBe(200);
        return reply.json();
      });
    };
    await sendCpu("2026-11-20T10:30:00Z", "main.main\nmain.serve\n5,50");
    await sendCpu("2026-11-20T11:30:00Z", "main.main\nmain.serve\n3,30");
    await server.ctx.columns.awaitedRows.settled(undefined);
    // With a stored stack, a new one of stored frames, and one with a new frame, twice.
    const next = "main.main main.main main.serve\nmain.serve runtime.gc main.main\n1,10 2,20 4,40";
    await sendCpu("2026-11-20T11:40:00Z", next);
    await sendCpu("2026-11-20T11:40:01Z", next, "2");
    await sendCpu("2026-11-20T10:59:59Z", next);
    await sendCpu("2026-11-20T12:00:00Z", next);
    const heap = profileOf("main.main\nmain.cache\n1,100", {
      sampleTypes: ["inuse_objects/count", "inuse_space/bytes"],
    });
    const query = { service: "live", type: "memory", started_at: "2026-11-20T11:50:00Z" };
    await server.send(heap, { headers, query });
    const before = await read("500");
    expect(await stored()).toBe(2);
    await server.ctx.columns.awaitedRows.settled(undefined);
    expect(await stored()).toBe(7);
    // Another number of nodes, because the replies are cached.
    expect(await read("501")).toEqual(before);
    const [cpu, , memory] = before;
    expect(cpu).toMatchObject({ profiles_merged: 3, total_samples: 170 });
    expect(memory).toMatchObject({ profiles_merged: 1, total_samples: 100 });
    expect(JSON.stringify(before)).not.toContain("unknown");
  });
});

function get(
  path: string,
  query: Record<string, string | string[]> = {},
  headers: Record<string, string> = {},
  as = person,
) {
  return server.app.inject({
    method: "GET",
    url: `/api/v1/protected/flamegraph/service/${path}`,
    query,
    headers: { ...as.headers, ...headers },
  });
}

interface Node {
  readonly function_name: string;
  readonly total_value: number;
  readonly sample_count: number;
  readonly children: readonly Node[];
}

function leaves(node: Node): [string, number, number][] {
  if (node.children.length === 0) return [[node.function_name, node.total_value, node.sample_count]];
  return node.children.flatMap(leaves);
}

describe("the flame graph of a service over a range", () => {
  const range = { from: "2026-11-20T10:00:00Z", to: "now" };

  it("begins at a frame when asked to", async () => {
    const { root } = (await get("checkout/cpu", range)).json();
    const part = (await get("checkout/cpu", { ...range, root: "root_0" })).json();
    expect(part.root).toMatchObject({
      function_name: root.children[0].function_name,
      total_value: root.children[0].total_value,
    });
    expect((await get("checkout/cpu", { ...range, root: "root_9" })).statusCode).toBe(422);
  });

  it("sums the profiles of the range, those at its start included, and says what it is made of", async () => {
    const reply = await get("checkout/cpu", range);
    expect(reply.statusCode).toBe(200);
    expect(MergedFlameGraph.safeParse(reply.json()).error?.issues ?? []).toEqual([]);
    const { root, profile_hash, ...rest } = reply.json();
    expect(rest).toEqual({
      labels: {},
      group_by_label: null,
      profile_id: "checkout/cpu",
      service: "checkout",
      type: "cpu",
      from: "2026-11-20T10:00:00.000Z",
      to: "2026-11-20T12:01:00.000Z",
      profiles_merged: 3,
      aggregation: "sum",
      sample_type: { type: "cpu", unit: "nanoseconds" },
      sample_types: cpuTypes,
      tags: {},
      total_samples: 220,
      duration_ms: 30_000,
      elided_nodes: 0,
    });
    expect(profile_hash).toMatch(/^[0-9a-f]{32}$/);
    expect(leaves(root)).toEqual([
      ["json.Encode", 150, 15],
      ["runtime.gc", 70, 7],
    ]);
  });

  it("is the same when the hours that are over come from the roll-up", async () => {
    const before = (await get("checkout/cpu", { since: "3h" })).json();
    expect(await server.ctx.columns.maintenance.rollUp(new Date("2026-11-20T12:10:00Z"))).toBeGreaterThan(0);
    expect((await get("checkout/cpu", { since: "3h" })).json()).toEqual(before);
    expect(before.profiles_merged).toBe(4);
    expect(before.total_samples).toBe(20_220);
  });

  it("averages gauges over the profiles instead of summing them", async () => {
    const graph = (await get("checkout/memory")).json();
    expect(graph).toMatchObject({
      aggregation: "mean",
      profiles_merged: 2,
      total_samples: 1250,
      sample_type: { type: "inuse_space", unit: "bytes" },
    });
    expect(leaves(graph.root)).toEqual([["main.cache", 1250, 12.5]]);
    const objects = (await get("checkout/memory", { sample_type: "inuse_objects" })).json();
    expect([objects.total_samples, objects.sample_type.unit]).toEqual([12.5, "count"]);
  });

  it.each([
    [{ "tag.region": "eu" }, 2, 150],
    [{ tags: "region:us" }, 1, 70],
    [{ tags: ["region:us", "region:eu"] }, 0, 0],
  ])("holds only profiles with the tags of %j", async (tags, profiles, total) => {
    const graph = (await get("checkout/cpu", { ...range, ...tags })).json();
    expect([graph.profiles_merged, graph.total_samples]).toEqual([profiles, total]);
  });

  it("is columns on the same address when the caller asks for them", async () => {
    const reply = await get("checkout/cpu", range, { accept: columns });
    expect(reply.headers["content-type"]).toBe(columns);
    const { tree, meta } = decodeFlameGraph(reply.rawPayload);
    expect(tree.total[0]).toBe(220);
    expect(meta.merge).toMatchObject({ profilesMerged: 3, aggregation: "sum", sampleTypes: cpuTypes });
  });

  it("is empty for a service, a type or a range without profiles, and for another organization", async () => {
    const stranger = await server.signUp();
    for (const reply of [
      await get("nobody/cpu"),
      await get("checkout/mutex"),
      await get("checkout/cpu", { from: "2026-11-01T00:00:00Z", to: "2026-11-02T00:00:00Z" }),
      await get("checkout/custom", { sample_type: "carts" }),
      await get("checkout/cpu", {}, {}, stranger),
    ]) {
      expect(reply.statusCode).toBe(200);
      const { root, profiles_merged, total_samples } = reply.json();
      expect([profiles_merged, total_samples, root.children]).toEqual([0, 0, []]);
    }
  });

  it("is not sent again to a browser that has it", async () => {
    const { etag } = (await get("checkout/cpu", range)).headers;
    for (const known of [etag, etag?.replace("W/", ""), `"another", ${etag}`, "*"]) {
      const again = await get("checkout/cpu", range, { "if-none-match": String(known) });
      expect([known, again.statusCode, again.body]).toEqual([known, 304, ""]);
    }
    const other = await get("checkout/cpu", { since: "1h" }, { "if-none-match": String(etag) });
    expect(other.statusCode).toBe(200);
  });

  it("keeps the widest frames within max_nodes and counts the rest", async () => {
    const graph = (await get("checkout/cpu", { ...range, max_nodes: "2" })).json();
    expect([graph.elided_nodes, graph.total_samples]).toEqual([3, 220]);
  });

  it.each([
    ["checkout/gpu", {}, 400, "type"],
    ["checkout/cpu", { since: "yesterday" }, 400, "since"],
    ["checkout/cpu", { from: "1h", to: "2h" }, 400, "from"],
    ["checkout/cpu", { to: "soon" }, 400, "to"],
    ["checkout/cpu", { max_nodes: "0" }, 400, "max_nodes"],
    ["checkout/cpu", { tags: "region" }, 400, "NAME:VALUE"],
    [
      "checkout/cpu",
      { ...range, tags: "handler:/cart" },
      422,
      "No profile of this range has the tag handler. Their tags are region.",
    ],
    ["checkout/cpu", { sample_type: "wall" }, 422, "it has samples, cpu"],
  ])("refuses %s %j", async (path, query, status, text) => {
    const reply = await get(path, query as Record<string, string>);
    expect([reply.statusCode, reply.json().error]).toEqual([status, expect.stringContaining(text)]);
  });
});
