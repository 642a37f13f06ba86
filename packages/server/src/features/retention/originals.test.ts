import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { dayMs } from "@flamekeep/contract/durations";
import { readProfile } from "@flamekeep/profile";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Person, startApp, type TestApp, type TestKey } from "#testing/start-app.ts";
import { dropOriginals } from "./job.ts";

const recordings = new URL("../../../../../examples/recordings/", import.meta.url);
const recorded = (name: string) => readFileSync(new URL(name, recordings));
const trusted = { isTrusted: async () => true };

let dataDir: string;
let server: TestApp;
let admin: Person;
let key: TestKey;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "flamekeep-originals-"));
  server = await start("off");
  admin = await server.signUp();
  key = await server.makeKey(admin);
});
afterEach(async () => {
  await server.close();
  rmSync(dataDir, { recursive: true });
});

const nowMs = Date.parse("2026-11-20T12:00:00Z");

function start(setting: string): Promise<TestApp> {
  const env = { DATA_DIR: dataDir, KEEP_ORIGINALS: setting };
  return startApp({ hasSeparateColumns: true, at: new Date(nowMs).toISOString(), env });
}

/** A stop writes the indexes of files whose rows are stored. */
async function restart(setting = "off"): Promise<void> {
  await server.close();
  server = await start(setting);
}

const drop = () => dropOriginals(server.ctx, trusted);

async function send(body: Uint8Array, query: Record<string, string>, atMs = nowMs - 60_000) {
  return server.send(body, {
    headers: key.headers,
    query: { started_at: new Date(atMs).toISOString(), ...query },
  });
}

const get = (path: string, headers: object = {}) =>
  server.app.inject({
    url: `/api/v1/protected/${path}`,
    headers: { ...admin.headers, ...headers },
  });

async function download(id: string): Promise<{ bytes: Buffer; isRebuilt: boolean; name: string }> {
  const reply = await get(`profile/${id}/download`);
  expect(reply.statusCode).toBe(200);
  return {
    bytes: reply.rawPayload,
    isRebuilt: reply.headers["x-flamekeep-rebuilt"] !== undefined,
    name: String(reply.headers["content-disposition"]),
  };
}

function logBytes(): number {
  return globSync(join(dataDir, "uploads/**/*.log")).reduce((sum, path) => sum + statSync(path).size, 0);
}

const hasGo = (() => {
  try {
    return execFileSync("go", ["tool", "pprof", "-h"], { stdio: "ignore" }) === null;
  } catch {
    return false;
  }
})();

/** Its lines of functions, without the marks of inlined functions. */
function top(path: string, sampleIndex: string): string[] {
  const options = ["-top", "-nodecount=100000", "-nodefraction=0", `-sample_index=${sampleIndex}`];
  const text = execFileSync("go", ["tool", "pprof", ...options, path], { encoding: "utf8", stdio: "pipe" });
  const lines = text.split("\n");
  const first = lines.findIndex((line) => /^\s*flat\s+flat%/.test(line));
  expect(first).toBeGreaterThan(0);
  return lines.slice(first + 1).map((line) => line.replace(/ \((?:partial-)?inline\)$/, ""));
}

/** Lines with equal figures may have any order. */
const sorted = (lines: readonly string[]) =>
  lines.map((line) => line.trim().split(/\s+/).toSpliced(2, 1).join(" ")).toSorted();

type Case = readonly [name: string, index: string, type?: string];

/** A recording, a sample type of it, and the type that an upload has to name. */
const cases: readonly Case[] = [
  ["go1.26/cpu.pb.gz", "cpu"],
  ["go1.19/heap.pb.gz", "alloc_space"],
  ["go1.26/mutex.pb.gz", "delay", "mutex"],
  ["go1.19/deep-goroutine.pb.gz", "goroutine"],
];
const otherCases: readonly Case[] = [
  ["go1.26/large-cpu-1.pb.gz", "samples"],
  ["go1.26/heap.pb.gz", "inuse_space"],
  ["go1.26/block.pb.gz", "contentions", "block"],
  ["go1.26/delta-mutex.pb.gz", "delay", "mutex"],
  ["go1.26/goroutine.pb.gz", "goroutine"],
  ["sdk/pyroscope-go-1.4.3-01.pb.gz", "0", "mutex"],
  ["sdk/pyroscope-nodejs-0.6.4-cpu-01.pb.gz", "0"],
];

describe.skipIf(!hasGo)("a download of a profile whose bytes are gone", () => {
  it("gives what go tool pprof -top shows of the bytes that were sent", async () => {
    const sent = [];
    for (const [name, index, type] of isFullLength ? [...cases, ...otherCases] : cases) {
      const { profile_id } = await send(recorded(name), { service: "shop", ...(type && { type }) });
      sent.push({ name, index, id: profile_id });
    }
    await restart();
    await drop();
    for (const { name, index, id } of sent) {
      const { bytes, isRebuilt } = await download(id);
      expect([name, isRebuilt]).toEqual([name, true]);
      writeFileSync(join(dataDir, "rebuilt.pb.gz"), bytes);
      const expected = top(new URL(name, recordings).pathname, index);
      expect(expected.length).toBeGreaterThan(3);
      expect([name, ...sorted(top(join(dataDir, "rebuilt.pb.gz"), index))]).toEqual([
        name,
        ...sorted(expected),
      ]);
    }
  }, 60_000);
});

it("stays until rows are stored, then goes; pages, labels and comparisons are made of columns", async () => {
  const body = recorded("go1.26/cpu.pb.gz");
  const { profile_id: id } = await send(body, { service: "shop" });
  await drop();
  expect(await download(id)).toMatchObject({ isRebuilt: false, bytes: body });
  const paths = [
    `flamegraph/${id}`,
    `profile/${id}/stats`,
    `labels/${id}`,
    `profile/${id}`,
    `flamegraph/diff?before_profile=${id}&after_profile=${id}`,
  ];
  // A function that was called from several lines shows the one that was read first.
  const shown = async (path: string) => (await get(path)).body.replace(/"line_number":\d+/g, "");
  const before = await Promise.all(paths.map(shown));
  for (const path of paths) expect((await get(path)).statusCode, path).toBe(200);
  await restart();
  expect(await download(id)).toMatchObject({ isRebuilt: false, bytes: body });
  const bytesBefore = logBytes();
  await drop();
  expect(bytesBefore).toBeGreaterThan(body.length);
  expect(logBytes()).toBeLessThan(300);
  for (const [index, path] of paths.entries()) expect((await shown(path)) === before[index], path).toBe(true);
  const { bytes, isRebuilt, name } = await download(id);
  expect(isRebuilt).toBe(true);
  expect(name).toContain(`cpu-${id.slice(0, 12)}.rebuilt.pb.gz`);
  const read = readProfile(gunzipSync(bytes));
  expect(read.ok && read.profile.comments.join()).toContain("Rebuilt by Flamekeep");
  // It never changes, so a browser may keep the graph.
  const graph = await get(`flamegraph/${id}`);
  const again = await get(`flamegraph/${id}`, { "if-none-match": graph.headers.etag });
  expect(again.statusCode).toBe(304);
});

it("takes a repeated upload for the stored one, also where bytes are kept again", async () => {
  const body = recorded("go1.26/goroutine.pb.gz");
  const { profile_id } = await send(body, { service: "shop" });
  await restart();
  await drop();
  expect(await send(body, { service: "shop" })).toMatchObject({ profile_id, duplicate: true });
  await restart("on");
  expect(await send(body, { service: "shop" })).toMatchObject({ profile_id, duplicate: true });
  expect((await download(profile_id)).isRebuilt).toBe(true);
  expect((await get("profiles?from=24h")).json().profiles).toHaveLength(1);
});

it("continues a series of counters after a restart, without the bytes of the snapshot before", async () => {
  const query = { service: "shop", type: "mutex" };
  const names = ["go1.26/mutex.pb.gz", "go1.26/mutex.pb.gz"];
  const sent = [];
  for (const [index, name] of names.entries()) {
    const { profile_id } = await send(recorded(name), query, nowMs - 120_000 + 10_000 * index);
    sent.push(profile_id);
    await restart();
    await drop();
  }
  const [first, second] = await Promise.all(sent.map(download));
  expect(first!.isRebuilt && second!.isRebuilt).toBe(true);
  // The same counters again add nothing, and are no new process.
  const rows = await get("profiles?from=24h&service=shop");
  expect(rows.json().profiles).toHaveLength(2);
  const merged = (await get("flamegraph/service/shop/mutex?from=1h")).json();
  expect(merged.total_samples).toBe(0);
});

it("keeps the bytes of the last days with a number of days", async () => {
  const body = recorded("go1.26/cpu.pb.gz");
  const old = await send(body, { service: "old" }, nowMs - 3 * dayMs);
  const recent = await send(body, { service: "recent" }, nowMs - 2 * dayMs);
  await restart("2d");
  await drop();
  expect((await download(old.profile_id)).isRebuilt).toBe(true);
  expect((await download(recent.profile_id)).isRebuilt).toBe(false);
  // A clock that may be wrong removes nothing by age.
  await restart("1d");
  await dropOriginals(server.ctx, { isTrusted: async () => false });
  expect((await download(recent.profile_id)).isRebuilt).toBe(false);
  await drop();
  expect((await download(recent.profile_id)).isRebuilt).toBe(true);
});
