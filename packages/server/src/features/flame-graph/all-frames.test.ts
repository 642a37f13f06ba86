import { gunzipSync, gzipSync, zstdDecompressSync } from "node:zlib";
import { flameGraphContentType, flameGraphDiffContentType, limits } from "@flamekeep/contract";
import { type CallTree, decodeFlameGraph, functionTotals, nodesMax, totalsByColumn } from "@flamekeep/flame";
import { decodeComparison } from "@flamekeep/flame/compare";
import { syntheticStacks } from "@flamekeep/flame/testing";
import { profileOfStacks, writeProfile } from "@flamekeep/profile";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

/** More frames than JSON has, the largest limit below that of a tree. */
const framesMin = isFullLength ? 300_000 : limits.flameGraphJsonNodesMax;
const stacks = syntheticStacks({ stacks: isFullLength ? 50_000 : 16_000, depth: 77, names: 8_000 });
const range = { from: "2026-11-20T11:00:00Z", to: "2026-11-20T12:00:00Z" };
const before = { from: "2026-11-20T10:00:00Z", to: "2026-11-20T11:00:00Z" };
const cuts = isFullLength ? [1, 100, 16_384, limits.flameGraphNodesMax] : [100, limits.flameGraphNodesMax];

let server: TestApp;
let person: Person;
let profileId: string;
/** `self total` of each function, from the stacks alone. */
let truth: ReadonlyMap<string, string>;

beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:00.000Z" });
  person = await server.signUp();
  const { headers } = await server.makeKey(person);
  const upload = gzipSync(writeProfile(profileOfStacks(stacks, { timeNs: 0n, durationNs: 10_000_000_000n })));
  const sendAt = (started_at: string) =>
    server.send(upload, { headers, query: { service: "checkout", type: "cpu", started_at } });
  await sendAt("2026-11-20T10:30:00Z");
  profileId = (await sendAt("2026-11-20T11:30:00Z")).profile_id;
  truth = sumsByName();
});
afterAll(() => server.close());

function sumsByName(): Map<string, string> {
  const self = new Map<string, number>();
  const total = new Map<string, number>();
  for (let stack = 0; stack < stacks.length; stack++) {
    const value = Number(stacks.values[0]![stack]);
    const frames = stacks.frame.subarray(stacks.start[stack], stacks.start[stack + 1]);
    const names = Array.from(frames, (id) => stacks.frames.functionName[id]!);
    self.set(names[0]!, (self.get(names[0]!) ?? 0) + value);
    for (const name of new Set(names)) total.set(name, (total.get(name) ?? 0) + value);
  }
  return new Map(Array.from(total, ([name, sum]) => [name, `${self.get(name) ?? 0} ${sum}`]));
}

/** Functions whose sums are not those of all stacks. */
function wrongIn({ functions }: Pick<CallTree, "functions">, sums: (fn: number) => string): string[] {
  const found = new Map(functions.name.map((name, fn) => [name, sums(fn)]));
  return [...truth].filter(([name, sum]) => found.get(name) !== sum).map(([name]) => name);
}

function get(
  path: string,
  query: Record<string, string>,
  accept: string,
  further: Record<string, string> = {},
) {
  const url = `/api/v1/protected/${path}`;
  const headers = { ...person.headers, accept, ...further };
  return server.app.inject({ method: "GET", url, query, headers });
}

describe(`the columns of a graph of more than ${framesMin} frames`, () => {
  it.each(cuts)("have the sums of every function over all frames, with at most %d frames", async (cut) => {
    const max_nodes = String(cut);
    const replies = [
      await get(`flamegraph/${profileId}`, { max_nodes }, flameGraphContentType),
      await get("flamegraph/service/checkout/cpu", { max_nodes, ...range }, flameGraphContentType),
    ];
    for (const reply of replies) {
      expect(reply.statusCode).toBe(200);
      const { tree } = decodeFlameGraph(reply.rawPayload);
      if (cut > 1_000_000) expect(tree.length).toBeGreaterThan(framesMin);
      else expect(tree.length).toBe(cut);
      const { self, total } = functionTotals(tree);
      expect(wrongIn(tree, (fn) => `${self[fn]} ${total[fn]}`)).toEqual([]);
    }
  });

  it.each(cuts)("have them for both sides of a comparison, with at most %d frames", async (cut) => {
    const query = {
      type: "cpu",
      max_nodes: String(cut),
      before_service: "checkout",
      before_from: before.from,
      before_to: before.to,
      after_service: "checkout",
      after_from: range.from,
      after_to: range.to,
    };
    const reply = await get("flamegraph/diff", query, flameGraphDiffContentType);
    expect(reply.statusCode).toBe(200);
    const { tree } = decodeComparison(reply.rawPayload);
    for (const { self, total } of totalsByColumn(tree))
      expect(wrongIn(tree, (fn) => `${self[fn]} ${total[fn]}`)).toEqual([]);
  });

  it("come compressed where the caller takes it, with a third of the bytes", async () => {
    const max_nodes = String(limits.flameGraphNodesMax);
    const ask = (coding: string, further = {}) =>
      get(`flamegraph/${profileId}`, { max_nodes }, flameGraphContentType, {
        "accept-encoding": coding,
        ...further,
      });
    const plain = await ask("identity");
    expect(plain.headers["content-encoding"]).toBeUndefined();
    for (const [coding, name, inflate] of [
      ["gzip, deflate, br, zstd", "zstd", zstdDecompressSync],
      ["gzip, deflate", "gzip", gunzipSync],
    ] as const) {
      const reply = await ask(coding);
      expect([reply.statusCode, reply.headers["content-encoding"]]).toEqual([200, name]);
      expect(reply.headers.vary).toBe("accept, authorization, accept-encoding");
      expect(reply.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
      expect(inflate(reply.rawPayload).equals(plain.rawPayload)).toBe(true);
      const again = await ask(coding, { "if-none-match": reply.headers.etag });
      expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
    }
    const small = await get(`flamegraph/${profileId}`, { max_nodes: "1" }, "application/json", {
      "accept-encoding": "zstd",
    });
    expect(small.headers["content-encoding"]).toBeUndefined();
    expect(small.json().root.function_name).toBe("root");
  });

  it("have a weak tag, by which no content coding is sent again", async () => {
    for (const type of [flameGraphContentType, "application/json"]) {
      for (const coding of ["identity", "gzip", "br", "zstd"]) {
        const ask = (further = {}) =>
          get(`flamegraph/${profileId}`, {}, type, { "accept-encoding": coding, ...further });
        const reply = await ask();
        const isCompressed = coding !== "identity" && (type === "application/json" || coding !== "br");
        expect([coding, reply.headers["content-encoding"]]).toEqual([
          coding,
          isCompressed ? coding : undefined,
        ]);
        const { etag = "" } = reply.headers;
        expect(etag).toMatch(/^W\/"[^"]+"$/);
        const again = await ask({ "if-none-match": etag });
        expect([coding, again.statusCode, again.headers.etag]).toEqual([coding, 304, etag]);
      }
    }
  });

  it("have as many frames as a tree can have; JSON has fewer, and says so", async () => {
    expect(limits.flameGraphNodesMax).toBe(nodesMax);
    const max_nodes = String(limits.flameGraphJsonNodesMax + 1);
    const reply = await get(`flamegraph/${profileId}`, { max_nodes }, "application/json");
    expect([reply.statusCode, reply.json().error]).toEqual([
      400,
      "max_nodes must be at most 100000 in JSON. Ask for columns to read more.",
    ]);
  });

  it("are complete in a public link", async () => {
    await server.app.inject({
      method: "PUT",
      url: "/api/v1/protected/organization/public-links",
      headers: person.headers,
      payload: { is_allowed: true },
    });
    const graph = { kind: "profile", profile_id: profileId, group_by: "function", labels: {} };
    const made = await server.app.inject({
      method: "POST",
      url: "/api/v1/protected/organization/shared-links",
      headers: person.headers,
      payload: { graph, expires_in_days: 7 },
    });
    expect(made.statusCode).toBe(201);
    const token = String(made.json().url).split("/").at(-1);
    const reply = await server.app.inject({
      method: "POST",
      url: "/api/v1/shared/graph",
      payload: { token },
    });
    const { tree } = decodeFlameGraph(reply.rawPayload);
    expect([tree.elisions.length, tree.length > framesMin]).toEqual([0, true]);
  });
});
