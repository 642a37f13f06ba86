import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { pprofOf } from "./features/ingest/testing/pprof-of.ts";
import { storedCounts, storedProfiles } from "./features/ingest/testing/stored.ts";

let server: TestApp;
const copies = mkdtempSync(join(tmpdir(), "flamekeep-copies-"));
beforeAll(async () => {
  server = await startApp({ hasSeparateColumns: true });
});
afterAll(async () => {
  await server.close();
  rmSync(copies, { recursive: true });
});

/** Uploads without a pause until `stop`, which returns the ids of all acknowledged profiles. */
async function uploading(first: number) {
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  const acknowledged: string[] = [];
  let next = 0;
  let isStopped = false;
  const sendOne = async () => {
    const value = next++;
    const payload = pprofOf({
      sampleTypes: ["samples/count", "cpu/nanoseconds"],
      samples: [[`main;handle${value}`, 1, value]],
      timeNs: BigInt(Date.now()) * 1_000_000n,
      durationNs: 1n,
    });
    acknowledged.push((await server.send(payload, { headers })).profile_id);
  };
  while (next < first) await Promise.all([sendOne(), sendOne(), sendOne()]);
  const before = [...acknowledged];
  const keepSending = async () => {
    while (!isStopped) await sendOne();
  };
  const senders = [keepSending(), keepSending(), keepSending()];
  return {
    ...person,
    before,
    stop: async () => {
      isStopped = true;
      await Promise.all(senders);
      return acknowledged.length - before.length;
    },
  };
}

async function vacuumInto(from: string, to: string): Promise<void> {
  const database = new DatabaseSync(from, { readOnly: true });
  database.prepare("VACUUM INTO ?").run(to);
  database.close();
}

/** As `.backup` of the program sqlite3. */
async function onlineBackup(from: string, to: string): Promise<void> {
  const database = new DatabaseSync(from, { readOnly: true });
  await backup(database, to, { rate: 100 });
  database.close();
}

/** Unfinished inserts have folders that may be renamed before cp reaches them: it prints a message and continues. */
function copyRunning(from: string, to: string): void {
  const { stderr } = spawnSync("cp", ["-a", from, to], { encoding: "utf8" });
  const complaints = stderr
    .split("\n")
    .filter((line) => line !== "" && !/No such file or directory$/.test(line));
  expect(complaints).toEqual([]);
}

/** In the order that docs/backups.md asks for. */
async function copyInOrder(
  from: string,
  to: string,
  copyDatabase: (from: string, to: string) => Promise<void>,
): Promise<void> {
  mkdirSync(to, { recursive: true });
  copyRunning(join(from, "columns"), join(to, "columns"));
  copyRunning(join(from, "uploads"), join(to, "uploads"));
  await copyDatabase(join(from, "flamekeep.sqlite"), join(to, "flamekeep.sqlite"));
  cpSync(join(from, "auth-secret"), join(to, "auth-secret"));
}

async function opened(dataDir: string): Promise<TestApp> {
  const copy = await startApp({ hasSeparateColumns: true, env: { DATA_DIR: dataDir } });
  expect(copy.ctx.columns.health().lostParts).toEqual([]);
  expect(await copy.ctx.columns.quarantined()).toEqual([]);
  return copy;
}

test.each([
  ["VACUUM INTO", vacuumInto],
  [".backup", onlineBackup],
] as const)(
  "a copy in order with %s, under load, has all that was acknowledged before, whole",
  async (name, copyDatabase) => {
    const { before, orgId, headers, stop } = await uploading(30);
    const folder = join(copies, name.replaceAll(/\W/g, ""));
    await copyInOrder(server.ctx.config.dataDir, folder, copyDatabase);
    expect(await stop()).toBeGreaterThan(0);
    const copy = await opened(folder);
    const counts = await storedCounts(copy.ctx, orgId);
    expect(counts.profiles).toBeGreaterThanOrEqual(30);
    expect(counts).toMatchObject({ payloads: counts.profiles, rolledUp: counts.profiles });
    const ids = new Set((await storedProfiles(copy.ctx.columns, orgId)).map(({ profile_id }) => profile_id));
    expect(before.filter((id) => !ids.has(id))).toEqual([]);
    const url = `/api/v1/protected/flamegraph/${before[0]}`;
    expect((await copy.app.inject({ url, headers })).statusCode).toBe(200);
    await copy.close();
  },
);

test("a plain copy of a running server without uploads is complete", async () => {
  const { orgId, stop } = await uploading(6);
  await stop();
  const folder = join(copies, "idle");
  copyRunning(server.ctx.config.dataDir, folder);
  const copy = await opened(folder);
  expect(await storedCounts(copy.ctx, orgId)).toEqual(await storedCounts(server.ctx, orgId));
  await copy.close();
});

test("a plain copy under load starts, with the rows of all profiles that were acknowledged before it", async () => {
  const { before, orgId, stop } = await uploading(30);
  const folder = join(copies, "load");
  copyRunning(server.ctx.config.dataDir, folder);
  await stop();
  const copy = await opened(folder);
  const ids = new Set((await storedProfiles(copy.ctx.columns, orgId)).map(({ profile_id }) => profile_id));
  expect(before.filter((id) => !ids.has(id))).toEqual([]);
  await copy.close();
});
