import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type CallTree, decodeFlameGraph } from "@flamekeep/flame";
import { decodeComparison } from "@flamekeep/flame/compare";
import { pprofBytes, viewStacks } from "@flamekeep/flame/export";
import { defaultLimits, readProfile, writeProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

const columns = "application/vnd.flamekeep.flamegraph.v3";
const comparisonColumns = "application/vnd.flamekeep.flamegraph-diff.v3";
const recorded = readFileSync(
  new URL("../../../../../examples/recordings/go1.26/large-cpu-1.pb.gz", import.meta.url),
);
const mangled = profileOf(
  `
  main@main.rs:3
  _RNvNtCs1234_7mycrate3bar3foo@bar.rs:9
  _ZN4shop4Cart3addEi@cart.cc:12
  5,50`,
  { sampleTypes: ["samples/count", "cpu/nanoseconds"] },
);

let server: TestApp;
let person: Person;
const ids: Record<string, string> = {};
const folder = mkdtempSync(join(tmpdir(), "stored-frames-"));
const hasGo = spawnSync("go", ["version"]).status === 0;

beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:00.000Z" });
  person = await server.signUp();
  const { headers } = await server.makeKey(person);
  const started_at = "2026-11-20T11:30:00Z";
  for (const [service, payload] of [
    ["large", recorded],
    ["mangled", writeProfile(mangled)],
  ] as const) {
    const sent = await server.send(payload, { headers, query: { service, type: "cpu", started_at } });
    ids[service] = sent.profile_id;
  }
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.close();
});

async function read(path: string, accept: string, query: Record<string, string> = {}) {
  const url = `/api/v1/protected/flamegraph/${path}`;
  const reply = await server.app.inject({
    url,
    query: { max_nodes: "1000000", stored_frames: "true", ...query },
    headers: { ...person.headers, accept },
  });
  expect(reply.statusCode, reply.statusCode === 200 ? "" : reply.body).toBe(200);
  return reply.rawPayload;
}

/** A graph as the web app exports it. */
function exported(drawn: CallTree, stored: CallTree): Uint8Array<ArrayBuffer> {
  return pprofBytes(viewStacks({ tree: drawn, focus: 0, zoom: 0 }, stored)!, "a view");
}

async function exportOf(path: string, query: Record<string, string> = {}) {
  const [drawn, stored] = await Promise.all(
    ["false", "true"].map(async (stored_frames) =>
      decodeFlameGraph(await read(path, columns, { ...query, stored_frames })),
    ),
  );
  return exported(drawn!.tree, stored!.tree);
}

/** Functions of a file as `name` or `name (system name)`. */
function namesIn(bytes: Uint8Array): string[] {
  const result = readProfile(bytes, defaultLimits);
  if (!result.ok) throw new Error(result.error.message);
  const { functions, strings } = result.profile;
  return Array.from(functions.name, (name, fn) => {
    const system = functions.systemName[fn]!;
    return name === system ? strings[name]! : `${strings[name]} (${strings[system]})`;
  });
}

function goTool(...args: string[]): string {
  const { stdout, stderr, status } = spawnSync("go", ["tool", ...args], { encoding: "utf8" });
  expect([status, status === 0 ? "" : stderr]).toEqual([0, ""]);
  return stdout;
}

/** The calls that a build with a profile (`go build -pgo`) weighs: caller, callee and the line in the caller. */
function weighedCalls(bytes: Uint8Array): ReadonlySet<string> {
  const [profile, weights] = [join(folder, "profile.pprof"), join(folder, "weights.txt")];
  writeFileSync(profile, bytes);
  goTool("preprofile", "-i", profile, "-o", weights);
  const [, ...lines] = readFileSync(weights, "utf8").trim().split("\n");
  return new Set(
    lines.flatMap((line, at) =>
      at % 3 === 2 ? [`${lines[at - 2]} ${lines[at - 1]} ${line.split(" ")[0]}`] : [],
    ),
  );
}

it("compares the copies of generic functions apart when asked to, under another tag", async () => {
  const url = "/api/v1/protected/flamegraph/diff";
  const sides = { before_profile: ids.large!, after_profile: ids.large! };
  const compare = async (group_by: string) => {
    const reply = await server.app.inject({ url, query: { ...sides, group_by }, headers: person.headers });
    const names: string[] = reply.json().nodes.names;
    return { tag: reply.headers.etag, names: names.filter((name) => name.startsWith("slices.SortFunc")) };
  };
  const [merged, copies] = [await compare("function"), await compare("instantiation")];
  expect(merged.names).toEqual(["slices.SortFunc"]);
  expect(copies.names.length).toBeGreaterThan(0);
  for (const name of copies.names) expect(name).toContain("[go.shape.");
  expect(copies.tag).not.toBe(merged.tag);
});

describe("the profile of a graph", () => {
  const range = { from: "2026-11-20T11:00:00Z", to: "2026-11-20T12:00:00Z" };

  it("has mangled names as they were sent, next to readable ones", async () => {
    const expected = [
      "main",
      "mycrate::bar::foo (_RNvNtCs1234_7mycrate3bar3foo)",
      "shop::Cart::add(int) (_ZN4shop4Cart3addEi)",
    ];
    expect(namesIn(await exportOf(ids.mangled!)).sort()).toEqual(expected);
    expect(namesIn(await exportOf("service/mangled/cpu", range)).sort()).toEqual(expected);
    const sides = { before_profile: ids.mangled!, after_profile: ids.mangled! };
    const bytes = await read("diff", comparisonColumns, sides);
    const { tree } = decodeComparison(bytes);
    expect(namesIn(exported(tree, tree)).sort()).toEqual(expected);
  });

  it.skipIf(!hasGo).each(["function", "line", "instantiation"])(
    "has the whole names of generic functions, and the calls that builds weigh, by %s",
    async (group_by) => {
      const original = weighedCalls(recorded);
      for (const bytes of [
        await exportOf(ids.large!, { group_by }),
        await exportOf("service/large/cpu", { ...range, group_by }),
      ]) {
        expect(new Set(namesIn(bytes))).toEqual(new Set(namesIn(gunzipSync(recorded))));
        const calls = weighedCalls(bytes);
        // In the original, the calls in a location with inlined functions count too.
        expect([...calls].filter((call) => !original.has(call))).toEqual([]);
        expect(calls.size).toBeGreaterThan(original.size / 2);
        expect([...calls].filter((call) => call.includes("[go.shape.")).length).toBeGreaterThan(5);
        expect(goTool("pprof", "-symbolize=none", "-raw", join(folder, "profile.pprof"))).toContain(
          "slices.SortFunc[go.shape.",
        );
      }
    },
  );

  it("is read as columns only, under another tag", async () => {
    const url = `/api/v1/protected/flamegraph/${ids.mangled}`;
    const json = { url, query: { stored_frames: "true" }, headers: person.headers };
    const refused = await server.app.inject(json);
    expect([refused.statusCode, refused.json().error]).toEqual([
      400,
      "stored_frames must be false in JSON. Ask for columns to read stored frames.",
    ]);
    const tagOf = async (stored_frames: string) => {
      const headers = { ...person.headers, accept: columns };
      return (await server.app.inject({ url, query: { stored_frames }, headers })).headers.etag;
    };
    expect(await tagOf("true")).not.toBe(await tagOf("false"));
  });
});
